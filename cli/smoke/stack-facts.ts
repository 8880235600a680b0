/** Facts about a stack that its users cannot see. */
export interface StackFacts {
  /** The URL of its API at API Gateway. */
  readonly gateway: URL;
  /** The account's quota of concurrent executions, the unreserved part of it, and how many the stack's functions reserve. */
  readonly concurrency?:
    | undefined
    | { readonly quota: number; readonly unreserved: number; readonly reserved: number };
  /** Undefined if the stack is deployed all at once, or local. */
  readonly site?: SiteRelease | undefined;
}

/** What an alias leads to. */
export interface AliasState {
  /** The number of the version. */
  readonly version: string;
  /** The shares of other versions, from 0 to 1, by their numbers. */
  readonly shares: Readonly<Record<string, number>>;
}

/** A deployment of CodeDeploy that moves an alias. */
export interface Release {
  readonly version: string;
  readonly deploymentId: string;
}

/** The function of deployed pages, whose alias CodeDeploy moves. */
export interface SiteRelease {
  alias(): Promise<AliasState>;
  /** Publishes the code of the function as a new version, and begins its deployment. */
  begin(): Promise<Release>;
  /** Stops the deployment, so that CodeDeploy moves the alias back. */
  stop(release: Release): Promise<void>;
  /** Deletes the version. */
  remove(release: Release): Promise<void>;
}
