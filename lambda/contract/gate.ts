/** The kinds of signs that the gate finds in pages that deceive visitors. */
export const GATE_KINDS = [
  'fields',
  'receiver',
  'brand',
  'letters',
  'pressure',
  'code',
  'redirect',
  'download',
  'url',
] as const;

export type GateKind = (typeof GATE_KINDS)[number];
