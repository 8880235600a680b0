/** The removal of a deleted deployment from the edge: the input of the state machine. */
export interface Withdrawal {
  readonly id: string;
  /** Unix milliseconds. */
  readonly deletedAt: number;
  /** The distribution tenants that serve it, whose caches are their own. */
  readonly tenants?: readonly string[];
}

/** Names an execution and its invalidation, so that neither is started twice for one deletion. */
export function withdrawalName({ id, deletedAt }: Withdrawal): string {
  return `${id}-${deletedAt}`;
}
