import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Deployment, obsoleteVersions, type Version } from './deployment.ts';

/** Each version is an attribute of the item, so that one write adds it, removes it or makes sure that it is there. */
const VERSION_PREFIX = 'version:';

/** Versions of an `If-Match`, any for `*`; undefined when there is no such header. */
export type IfMatch = readonly string[] | '*' | undefined;

/** What a change found: the deployment before it, or, when a condition does not hold, as it is. */
export type Change =
  | { readonly done: true; readonly before: Deployment | undefined }
  | { readonly done: false; readonly current: Deployment | undefined };

interface Update {
  readonly id: string;
  readonly expression: string;
  readonly conditions: readonly string[];
  /** Attributes that the expressions name, by placeholder without its `#`. */
  readonly names?: Readonly<Record<string, string>>;
  /** Without the `:`. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly ifMatch?: IfMatch;
}

const EXISTS = 'attribute_exists(id)';
const NOT_TAKEN_DOWN = 'attribute_not_exists(takenDown)';
const NOT_DELETED = 'attribute_not_exists(deletedAt)';
const VERSION_IS_THERE = 'attribute_exists(#version)';
const VERSION_IS_NEW = 'attribute_not_exists(#version)';
const STILL_LIVE = 'live = :live';
/** What was live, as the write finds it: of a deployment that never was, the edge holds nothing. */
const MOVED = 'replaced = if_not_exists(live, :nothing), movedAt = :now';

/**
 * The table that says which version of a site is live. Moving that pointer is the moment in which a deploy, a
 * rollback or a deletion takes place; each is one conditional write.
 */
export class DeploymentStore {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#db = db;
    this.#table = table;
  }

  /** Consistent: what is read here may be cached at the edge until the next deploy. */
  async find(id: string): Promise<Deployment | undefined> {
    const { Item } = await this.#db.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return Item && toDeployment(Item);
  }

  /** Adds a version and makes it live. The first one makes the deployment; one that was deleted comes back. */
  deploy(id: string, owner: string, { version, ...added }: Version, ifMatch: IfMatch): Promise<Change> {
    return this.#change({
      id,
      expression: `SET ${MOVED}, live = :version, #version = :added, #owner = :owner, createdAt = if_not_exists(createdAt, :now) REMOVE deletedAt`,
      conditions: [NOT_TAKEN_DOWN, VERSION_IS_NEW],
      names: { version: VERSION_PREFIX + version, owner: 'owner' },
      values: { nothing: '', now: added.deployedAt, version, added, owner },
      ifMatch,
    });
  }

  /** Makes a version that is there the live one. */
  rollBack(id: string, version: string, ifMatch: IfMatch, now: number): Promise<Change> {
    return this.#change({
      id,
      expression: `SET ${MOVED}, live = :version`,
      conditions: [NOT_TAKEN_DOWN, NOT_DELETED, VERSION_IS_THERE],
      names: { version: VERSION_PREFIX + version },
      values: { nothing: '', now, version },
      ifMatch,
    });
  }

  /** Deletes a deployment as it was read; one that moved on meanwhile is left as it is. */
  delete({ id, live, versions }: Deployment, ifMatch: IfMatch, now: number): Promise<Change> {
    return this.#change({
      id,
      expression: `SET ${MOVED}, deletedAt = :now ${removal(versions.length)}`,
      conditions: [NOT_DELETED, STILL_LIVE],
      names: removed(versions.map(({ version }) => version)),
      values: { nothing: '', now, live },
      ifMatch,
    });
  }

  /** An operator's decision, with what visitors are told of the reason; `null` lifts it. */
  takeDown(id: string, takenDown: Deployment['takenDown'] | null, now: number): Promise<Change> {
    return this.#change({
      id,
      expression: `SET ${MOVED}${takenDown ? ', takenDown = :takenDown' : ' REMOVE takenDown'}`,
      conditions: [EXISTS],
      values: { nothing: '', now, ...(takenDown ? { takenDown } : {}) },
    });
  }

  /** Notes that the edge holds nothing old any more, and forgets versions beyond those that stay. */
  settle(deployment: Deployment): Promise<Change> {
    const obsolete = obsoleteVersions(deployment);
    return this.#change({
      id: deployment.id,
      expression: `REMOVE replaced${obsolete.map((_, i) => `, #old${i}`).join('')}`,
      conditions: [STILL_LIVE],
      names: removed(obsolete),
      values: { live: deployment.live },
    });
  }

  async #change({ id, expression, conditions, names = {}, values = {}, ifMatch }: Update): Promise<Change> {
    const matching = matches(ifMatch);
    const allValues = Object.entries({ ...values, ...matching.values });
    try {
      const { Attributes } = await this.#db.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { id },
          UpdateExpression: expression,
          ConditionExpression: [...conditions, ...matching.conditions].join(' AND '),
          ...(Object.keys(names).length > 0 && {
            ExpressionAttributeNames: Object.fromEntries(
              Object.entries(names).map(([placeholder, name]) => [`#${placeholder}`, name]),
            ),
          }),
          ...(allValues.length > 0 && {
            ExpressionAttributeValues: Object.fromEntries(
              allValues.map(([placeholder, value]) => [`:${placeholder}`, value]),
            ),
          }),
          ReturnValues: 'ALL_OLD',
        }),
      );
      return { done: true, before: Attributes && toDeployment(Attributes) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { done: false, current: await this.find(id) };
    }
  }
}

/** RFC 9110, 13.1.1: what is there must be one of the versions; nothing there matches nothing. */
function matches(ifMatch: IfMatch): { conditions: string[]; values: Record<string, string> } {
  if (ifMatch === undefined) return { conditions: [], values: {} };
  const exists = ['attribute_exists(live)', NOT_DELETED];
  if (ifMatch === '*') return { conditions: exists, values: {} };
  const values = Object.fromEntries(ifMatch.map((version, i) => [`match${i}`, version]));
  const list = Object.keys(values).map((placeholder) => `:${placeholder}`);
  return { conditions: [...exists, `live IN (${list.join(', ')})`], values };
}

function removal(count: number): string {
  return count === 0 ? '' : `REMOVE ${Array.from({ length: count }, (_, i) => `#old${i}`).join(', ')}`;
}

function removed(versions: readonly string[]): Record<string, string> {
  return Object.fromEntries(versions.map((version, i) => [`old${i}`, VERSION_PREFIX + version]));
}

function toDeployment(item: Record<string, unknown>): Deployment {
  const { replaced, movedAt, ...rest } = item as { replaced?: string; movedAt: number };
  const versions = Object.entries(rest)
    .filter(([name]) => name.startsWith(VERSION_PREFIX))
    .map(([name, value]) => ({ version: name.slice(VERSION_PREFIX.length), ...(value as object) }) as Version)
    .toSorted((a, b) => b.deployedAt - a.deployedAt || (a.version < b.version ? 1 : -1));
  const others = Object.entries(rest).filter(([name]) => !name.startsWith(VERSION_PREFIX));
  const stale = replaced ? { staleSince: movedAt } : {};
  return { ...(Object.fromEntries(others) as unknown as Deployment), ...stale, versions };
}
