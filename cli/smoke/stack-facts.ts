/** Facts about a stack that its users cannot see. */
export interface StackFacts {
  /** The URL of its API at API Gateway. */
  readonly gateway: URL;
  /** The account's quota of concurrent executions, the unreserved part of it, and how many the stack's functions reserve. */
  readonly concurrency?:
    | undefined
    | { readonly quota: number; readonly unreserved: number; readonly reserved: number };
}
