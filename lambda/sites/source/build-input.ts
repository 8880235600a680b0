/** What is built. Equal inputs give equal outputs, byte for byte. */
export interface BuildInput {
  /** The source by path as it was sent, with `.env` files. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** `VITE_*` variables of the request; they take precedence over those of `.env` files. */
  readonly env: Readonly<Record<string, string>>;
  /** Own code is not minified and has an inline source map. */
  readonly preview: boolean;
  /** Versions of packages that an earlier build of the same deployment chose, by name. */
  readonly chosen: Readonly<Record<string, string>>;
}
