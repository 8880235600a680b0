import type { GateKind } from '../../contract/gate.ts';

/** Why a page gets points. */
export interface PageReason {
  readonly kind: GateKind;
  readonly reason: string;
  readonly points: number;
}
