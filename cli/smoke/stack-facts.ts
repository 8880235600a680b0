/** What AWS says of a stack, which its users cannot see. */
export interface StackFacts {
  /** The URL of its API at API Gateway. */
  readonly gateway: URL;
  /** The account's quota of concurrent executions, what no function reserves, and what the stack's functions reserve. */
  readonly concurrency?:
    | undefined
    | { readonly quota: number; readonly unreserved: number; readonly reserved: number };
}
