import { createHmac } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { customAlphabet } from 'nanoid';
import { LIMITS } from '../contract/limits.ts';
import { CLOCKS_APART_MS } from '../platform/clock.ts';
import { newId } from '../platform/new-id.ts';
import type { Gate } from '../sites/gate/gatekeeper.ts';
import { type CustomDomain, domainsIn } from './custom-domain.ts';
import type { SiteData } from './data/site-data.ts';
import type { Access } from './page-access.ts';

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
  /** Unix milliseconds of the last rollback to it. */
  readonly rolledBackAt?: number;
  /** A warning about what may not work for visitors, with what to do. */
  readonly warning?: string;
  /** Bytes of the object (`builtKey`) that visitors see instead of the files, if these are source that was built. */
  readonly built?: number;
  /** The gate's findings, if there are any. */
  readonly gate?: Gate;
  /** The hash of its `_data.json`, if it has one. The rules in force can be others: a rollback keeps them. */
  readonly declaration?: string;
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
  /** The version that was live before it. */
  readonly previous?: string;
  /** Newest first. */
  readonly versions: readonly Version[];
  /** Deploys that have not ended, by their versions, with the time when they began in Unix milliseconds. */
  readonly announced: ReadonlyMap<string, number>;
  readonly deletedAt?: number;
  /** Whether it is deleted because its life has ended. */
  readonly expired?: true;
  /** When its life ends, in Unix milliseconds; absent if it stays. The attribute `expiresAt` would have DynamoDB delete the item. */
  readonly endsAt?: number;
  /** The life that its owner chose, in seconds: each deploy renews it. */
  readonly lifeSeconds?: number;
  /** When an API key or token claimed it, in Unix milliseconds. */
  readonly claimedAt?: number;
  /** The domains that its owner added, the first one first; absent if there are none. */
  readonly domains?: readonly CustomDomain[];
  /** Who may see its pages; absent if everyone may. */
  readonly access?: Access;
  /**
   * The last change that ended copies at the edge, such as to private pages, and until when the edge may have some, once their removal
   * has been started; in Unix milliseconds.
   */
  readonly withdrawal?: { readonly at: number; readonly until?: number };
  /** Until when the edge may have copies of a deleted deployment, once that is decided; in Unix milliseconds. */
  readonly copiesUntil?: number;
  /** Whether any of its versions, also past ones, has had a file with a hashed name; absent if that is not known. */
  readonly hashedNames?: boolean;
  readonly takenDown?: {
    readonly at: number;
    readonly reason?: string;
    /** With the rest of a caller: the owner, or the mark of an address (`deployerMark`). */
    readonly with?: string;
  };
  /** The operator's decision that a page may have as many points as it had then: a version with more is held again. */
  readonly released?: { readonly points: number; readonly at: number };
  /** The version that created the deployment; absent on deployments that are older than this attribute. */
  readonly firstVersion?: string;
  /** Set once a deploy has sent the deployment's token: every later deploy must send it. */
  readonly tokenRequired?: true;
  /** Absent while the site has never declared data. */
  readonly data?: SiteData;
  /** The URL that is notified of each item that a visitor creates. */
  readonly dataWebhook?: string;
}

/** Returns the live version, or undefined if the deployment is deleted. */
export function liveVersion({ live, versions, deletedAt }: Deployment): Version | undefined {
  return deletedAt === undefined ? versions.find(({ version }) => version === live) : undefined;
}

/** Returns a deployment as it is at a time: one whose life has ended is deleted since then. @param now in Unix milliseconds */
export function asOf(deployment: Deployment, now: number): Deployment {
  const { endsAt, deletedAt } = deployment;
  if (endsAt === undefined || endsAt > now || deletedAt !== undefined) return deployment;
  return { ...deployment, deletedAt: endsAt, expired: true };
}

/** For how long pages may be open that load files of a version which was replaced. */
const OPEN_MS = 86_400_000;

/**
 * Returns the kept versions whose pages may still be open, the last live one first: the one before the live version, and
 * those that were live within a day. A version was replaced when the next one became live. After several rollbacks the
 * time may be too late, since each version has only its last one.
 * @param now in Unix milliseconds
 */
export function replacedVersions({ live, previous, versions }: Deployment, now: number): Version[] {
  const byTime = versions.toSorted((a, b) => liveSince(b) - liveSince(a));
  return byTime.filter((one, i) => {
    if (one.version === live) return false;
    const replacedAt = liveSince(byTime[i - 1] ?? one);
    return one.version === previous || replacedAt > now - OPEN_MS;
  });
}

function liveSince({ deployedAt, rolledBackAt = 0 }: Version): number {
  return Math.max(deployedAt, rolledBackAt);
}

/**
 * Reads a deployment consistently: after the response of a deploy, every reader sees its version.
 * @param now in Unix milliseconds
 */
export async function readDeployment(
  db: DynamoDBDocumentClient,
  table: string,
  id: string,
  now: number,
): Promise<Deployment | undefined> {
  const { Item } = await db.send(new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }));
  return Item && toDeployment(Item, now);
}

/** The attributes of an item that a deployment has unchanged, if they are there. */
const OPTIONAL = [
  'previous',
  'deletedAt',
  'endsAt',
  'lifeSeconds',
  'claimedAt',
  'access',
  'withdrawal',
  'copiesUntil',
  'hashedNames',
  'takenDown',
  'released',
  'firstVersion',
  'tokenRequired',
  'data',
  'dataWebhook',
] as const satisfies readonly (keyof Deployment)[];

/** Returns the deployment that an item has, as it is at a time in Unix milliseconds. */
export function toDeployment(item: Record<string, unknown>, now: number): Deployment {
  const named = (prefix: string) =>
    Object.entries(item).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
    );
  const versions = named(VERSION_PREFIX)
    .map(([version, value]) => ({ version, ...(value as object) }) as Version)
    .toSorted((a, b) => b.deployedAt - a.deployedAt || (a.version < b.version ? 1 : -1));
  const { id, owner, createdAt, live } = item as unknown as Deployment;
  const domains = domainsIn(item);
  const optional = OPTIONAL.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]);
  const deployment: Deployment = {
    id,
    owner,
    createdAt,
    live,
    versions,
    announced: new Map(named(ANNOUNCED_PREFIX) as [string, number][]),
    ...(domains.length === 0 ? {} : { domains }),
    ...Object.fromEntries(optional),
  };
  return asOf(deployment, now);
}

/** Returns the newest versions and the live one. Concurrent deploys may leave a few more, until the next deploy. */
export function keptVersions({ versions, live }: Deployment): readonly Version[] {
  return versions.filter(({ version }, i) => i < LIMITS.versionsPerDeployment || version === live);
}

/**
 * Returns the versions to delete when one is added: those beyond the limit, or all of a deleted deployment. The live version
 * stays, since it becomes the previous one.
 */
export function obsoleteVersions({ versions, live, deletedAt }: Deployment): readonly Version[] {
  if (deletedAt !== undefined) return versions;
  return versions.slice(LIMITS.versionsPerDeployment - 1).filter(({ version }) => version !== live);
}

/** An older announcement is abandoned: twice the timeout of the function that deploys, whose clock may be behind. */
const ANNOUNCED_MS = 60_000 + CLOCKS_APART_MS;

/** The most announcements that one write removes: a DynamoDB expression has at most 4 KB. */
const FORGOTTEN_AT_ONCE = 100;

/** Returns abandoned announcements, as many as one write can remove. That of a deploy may have left an archive. */
export function abandonedAnnouncements({ announced }: Deployment, now: number): string[] {
  const past = [...announced].flatMap(([name, at]) => (at > now - ANNOUNCED_MS ? [] : [name]));
  return past.slice(0, FORGOTTEN_AT_ONCE);
}

/** Lower case and digits only: an id is also a host name under `siteDomain` (RFC 1123). 12 characters have 62 bits. */
const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const LENGTH = 12;

export const DEPLOYMENT_ID = /^[0-9a-z]{12}$/;

/** Returns an id that no other deployment has. */
export const randomDeploymentId = customAlphabet(ALPHABET, LENGTH);

/** Returns a name that no other version has. */
export const newVersionName = () => newId(12);

/**
 * Returns the deployment id of a project. Every deploy of the project derives the same id, without a lookup or a race.
 * The HMAC is keyed with a secret of the stack, so that nobody can check a guessed projectId against an id.
 * @param owner the same projectId of another owner is another project
 */
export function projectDeploymentId(owner: string, projectId: string, secret: string): string {
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify([owner, projectId]))
    .digest();
  let rest = digest.readBigUInt64BE(0);
  let id = '';
  while (id.length < LENGTH) {
    id += ALPHABET[Number(rest % 36n)];
    rest /= 36n;
  }
  return id;
}

/**
 * Returns the id of a deployment in the address of one of its pages, or in an id; undefined if it has none. On its own origin, the
 * host names the deployment: the site chooses the path, which could imitate that of another deployment.
 * @param address as a person pastes it, with or without its scheme
 * @param baseUrl of the service, which other names may lead to as well
 */
export function deploymentIdIn(address: string, baseUrl: string): string | undefined {
  if (DEPLOYMENT_ID.test(address.trim())) return address.trim();
  const url = pastedUrl(address);
  if (!url) return undefined;
  const [label = ''] = url.host.split('.');
  if (url.host !== new URL(baseUrl).host && DEPLOYMENT_ID.test(label)) return label;
  const [, id = ''] = /^\/d\/([^/.]+)/.exec(url.pathname) ?? [];
  return DEPLOYMENT_ID.test(id) ? id : undefined;
}

/** Parses a URL as a person pastes it, with or without its scheme. Returns null if it is invalid. */
export function pastedUrl(address: string): URL | null {
  const parsed = URL.parse(address.trim());
  // `localhost:3000/d/…` is a valid URL with the scheme `localhost`.
  return parsed?.host ? parsed : URL.parse(`https://${address.trim()}`);
}
