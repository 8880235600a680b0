declare module 'spdx-satisfies' {
  /** Reports whether one of the licenses satisfies an SPDX expression. */
  export default function satisfies(expression: string, licenses: readonly string[]): boolean;
}
