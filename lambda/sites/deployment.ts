/** Each version is an attribute of the item, so that one write can add it, remove it or require it. */
export const VERSION_PREFIX = 'version:';
/** So is each announced change: the write that makes the change removes its announcement and no other. */
export const ANNOUNCED_PREFIX = 'announced:';

/** One immutable state of a deployment. */
export interface Version {
  /** Its name, which is also that of its archive. */
  readonly version: string;
  readonly entry: string;
  readonly title: string | null;
  readonly fileCount: number;
  /** Total size of the files, in bytes. */
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly deployedAt: number;
}

/** A deployment and its versions. */
export interface Deployment {
  readonly id: string;
  /** `key:<owner>`, `token:<subject>` or `anonymous`. */
  readonly owner: string;
  /** Unix milliseconds of the first deploy. */
  readonly createdAt: number;
  /** The version that visitors see, unless the deployment is deleted or taken down. */
  readonly live: string;
  /** Newest first. */
  readonly versions: readonly Version[];
  /** Announced changes that have not been made, by name, with the time of the announcement in Unix milliseconds. */
  readonly announced: ReadonlyMap<string, number>;
  readonly deletedAt?: number;
  readonly takenDown?: { readonly at: number; readonly reason?: string };
  /** The version that created the deployment; absent on deployments that are older than this attribute. */
  readonly firstVersion?: string;
  /** Set once a deploy has sent the deployment's token: every later deploy must send it. */
  readonly tokenRequired?: true;
}

/** An older announcement is abandoned. Twice the timeout of the functions that change deployments. */
export const ANNOUNCED_MS = 60_000;

/** Returns whether a change was announced that may still be made. */
export function isChanging({ announced }: Deployment, now: number): boolean {
  return [...announced.values()].some((at) => at > now - ANNOUNCED_MS);
}

/** Returns the live version, or undefined if the deployment is deleted. */
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
