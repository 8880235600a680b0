import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

/** Each version is an attribute of the item, so that one write can add it, remove it or require it. */
export const VERSION_PREFIX = 'version:';
/** So is each announced deploy: the write that makes its version live removes its announcement and no other. */
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
  /** What visitors will see, if that is not what the files are meant for, and what to do. */
  readonly warning?: string;
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
  /** The version that was live before it. Its files with a hashed name are still served. */
  readonly previous?: string;
  /** Newest first. */
  readonly versions: readonly Version[];
  /** Deploys that have not ended, by their versions, with the time when they began in Unix milliseconds. */
  readonly announced: ReadonlyMap<string, number>;
  readonly deletedAt?: number;
  readonly takenDown?: { readonly at: number; readonly reason?: string };
  /** The version that created the deployment; absent on deployments that are older than this attribute. */
  readonly firstVersion?: string;
  /** Set once a deploy has sent the deployment's token: every later deploy must send it. */
  readonly tokenRequired?: true;
}

/** Returns the live version, or undefined if the deployment is deleted. */
export function liveVersion({ live, versions, deletedAt }: Deployment): Version | undefined {
  return deletedAt === undefined ? versions.find(({ version }) => version === live) : undefined;
}

/** Returns the version that was live before the live one, if it is kept. */
export function previousVersion({ previous, versions }: Deployment): Version | undefined {
  return versions.find(({ version }) => version === previous);
}

/** Reads a deployment consistently: after the response of a deploy, whoever asks sees its version. */
export async function readDeployment(
  db: DynamoDBDocumentClient,
  table: string,
  id: string,
): Promise<Deployment | undefined> {
  const { Item } = await db.send(new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }));
  return Item && toDeployment(Item);
}

/** Returns the deployment that an item has. */
export function toDeployment(item: Record<string, unknown>): Deployment {
  const named = (prefix: string) =>
    Object.entries(item).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
    );
  const versions = named(VERSION_PREFIX)
    .map(([version, value]) => ({ version, ...(value as object) }) as Version)
    .toSorted((a, b) => b.deployedAt - a.deployedAt || (a.version < b.version ? 1 : -1));
  const { id, owner, createdAt, live, ...optional } = item as unknown as Deployment;
  const { previous, deletedAt, takenDown, firstVersion, tokenRequired } = optional;
  return {
    ...{
      id,
      owner,
      createdAt,
      live,
      versions,
      announced: new Map(named(ANNOUNCED_PREFIX) as [string, number][]),
    },
    ...(previous === undefined ? {} : { previous }),
    ...(deletedAt === undefined ? {} : { deletedAt }),
    ...(takenDown === undefined ? {} : { takenDown }),
    ...(firstVersion === undefined ? {} : { firstVersion }),
    ...(tokenRequired === undefined ? {} : { tokenRequired }),
  };
}
