/** Each version is an attribute of the item, so that one write adds it, removes it or makes sure that it is there. */
export const VERSION_PREFIX = 'version:';
/** So is each change that is announced: it ends with the write that makes the change, whatever else goes on. */
export const ANNOUNCED_PREFIX = 'announced:';

/** One version of a site: what is known of its archive. */
export interface Version {
  /** Names the archive. */
  readonly version: string;
  readonly entry: string;
  readonly title: string | null;
  readonly fileCount: number;
  /** Sum of the files, in bytes. */
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly deployedAt: number;
}

/** What there is under an id. */
export interface Deployment {
  readonly id: string;
  /** `key:<owner>`, `token:<subject>` or `anonymous`. */
  readonly owner: string;
  /** Unix milliseconds of the first deploy. */
  readonly createdAt: number;
  /** The version that visitors see, unless the deployment is deleted or taken down. */
  readonly live: string;
  /** The newest first. */
  readonly versions: readonly Version[];
  /** Changes that were announced and have not taken place, by name, with their time in Unix milliseconds. */
  readonly announced: ReadonlyMap<string, number>;
  readonly deletedAt?: number;
  readonly takenDown?: { readonly at: number; readonly reason?: string };
  /** The version that made the deployment; absent for deployments that are older than this attribute. */
  readonly firstVersion?: string;
  /** A deploy has sent the deployment's token: from then on every deploy needs it. */
  readonly tokenRequired?: true;
}

/** Twice as long as a function that changes a deployment may run: what was announced before is not going to happen. */
export const ANNOUNCED_MS = 60_000;

/** Whether what is live may change at any moment. */
export function isChanging({ announced }: Deployment, now: number): boolean {
  return [...announced.values()].some((at) => at > now - ANNOUNCED_MS);
}

/** The version that is live; undefined when the deployment is deleted. */
export function liveVersion({ live, versions, deletedAt }: Deployment): Version | undefined {
  return deletedAt === undefined ? versions.find(({ version }) => version === live) : undefined;
}

/** Reads a deployment from its item. */
export function toDeployment(item: Record<string, unknown>): Deployment {
  const named = (prefix: string) =>
    Object.entries(item).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
    );
  const versions = named(VERSION_PREFIX)
    .map(([version, value]) => ({ version, ...(value as object) }) as Version)
    .toSorted((a, b) => b.deployedAt - a.deployedAt || (a.version < b.version ? 1 : -1));
  const { id, owner, createdAt, live, ...optional } = item as unknown as Deployment;
  const { deletedAt, takenDown, firstVersion, tokenRequired } = optional;
  return {
    ...{
      id,
      owner,
      createdAt,
      live,
      versions,
      announced: new Map(named(ANNOUNCED_PREFIX) as [string, number][]),
    },
    ...(deletedAt === undefined ? {} : { deletedAt }),
    ...(takenDown === undefined ? {} : { takenDown }),
    ...(firstVersion === undefined ? {} : { firstVersion }),
    ...(tokenRequired === undefined ? {} : { tokenRequired }),
  };
}
