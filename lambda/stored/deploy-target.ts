import type { DeployResponse } from '../contract/deploy.ts';

/** Where a generation is deployed when it succeeds. */
export interface DeployTarget {
  /** As `Sender.owner`. */
  readonly owner: string;
  /** What stands for the address of a request without a credential, from `deployerOf`. */
  readonly deployer?: string | undefined;
  readonly projectId?: string | undefined;
  /** Of the version and, without a projectId, of the deployment. They are drawn once, so that a retry deploys once. */
  readonly names: { readonly id: string; readonly version: string };
  /** Whether the request sent the token of the deployment. */
  readonly holdsToken: boolean;
  /** The versions one of which must be live, or `*` for any. */
  readonly ifMatch?: readonly string[] | '*' | undefined;
}

/** The end of a generation's deploy. */
export type DeployOutcome =
  | {
      readonly response: DeployResponse;
      /** Whether it created the deployment. */
      readonly first: boolean;
      readonly bytes: number;
      /** When the deployment expires, in Unix milliseconds, unless a later request changes that. */
      readonly endsAt?: number | undefined;
      /** What may not work for visitors. */
      readonly warning?: string | undefined;
      /** References of the entry that visitors cannot load, one sentence each. */
      readonly problems: readonly string[];
      /** Why the page does not load, as a predicate. */
      readonly failure?: string | undefined;
    }
  /** The status and the error of a deploy by itself. */
  | { readonly status: number; readonly error: string };
