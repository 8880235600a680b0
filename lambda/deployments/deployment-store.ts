import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unlessConditionFails } from '../platform/dynamodb.ts';
import {
  ANNOUNCED_PREFIX,
  type Deployment,
  toDeployment,
  VERSION_PREFIX,
  type Version,
} from '../sites/deployment.ts';

/** Versions of an `If-Match`, any for `*`; undefined when there is no such header. */
export type IfMatch = readonly string[] | '*' | undefined;

/** What a change found: the deployment before it, or, when a condition does not hold, as it is. */
export type Change =
  | { readonly done: true; readonly before: Deployment | undefined }
  | { readonly done: false; readonly current: Deployment | undefined };

/** What a deploy brings along for the conditions of its writes. */
export interface Claim {
  readonly owner: string;
  readonly ifMatch: IfMatch;
  /** Whether it has proved that it knows the deployment's token. */
  readonly holdsToken: boolean;
}

/** A change of what is there. */
export type Intent = { readonly ifMatch?: IfMatch } & (
  | { readonly change: 'deploy' /** To add. */; readonly version: string; readonly holdsToken?: boolean }
  | { readonly change: 'rollBack' /** To go back to. */; readonly version: string }
  | { readonly change: 'delete' | 'takeDown'; readonly version?: never }
);

interface Update {
  readonly set?: readonly string[];
  /** Attributes to remove, by name. */
  readonly remove?: readonly string[];
  readonly conditions: readonly string[];
  /** Attributes that the expressions name, by placeholder without its `#`. */
  readonly names?: Readonly<Record<string, string>>;
  /** Without the `:`. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly ifMatch?: IfMatch;
}

const EXISTS = 'attribute_exists(live)';
const NEVER_WAS = 'attribute_not_exists(live)';
const NOT_TAKEN_DOWN = 'attribute_not_exists(takenDown)';
const NOT_DELETED = 'attribute_not_exists(deletedAt)';
const VERSION_IS_THERE = 'attribute_exists(#version)';
const VERSION_IS_NEW = 'attribute_not_exists(#version)';
const TOKEN_NOT_REQUIRED = 'attribute_not_exists(tokenRequired)';
const STILL_DELETED = 'attribute_exists(deletedAt)';

/** What a change needs to find: when it is announced, and when it takes place. */
const FINDS = {
  deploy: [EXISTS, NOT_TAKEN_DOWN, VERSION_IS_NEW],
  rollBack: [EXISTS, NOT_TAKEN_DOWN, NOT_DELETED, VERSION_IS_THERE],
  delete: [EXISTS, NOT_DELETED],
  takeDown: [EXISTS],
} as const;

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

  /** Notes under a name that a change is about to take place; not done when it could not take place. */
  announce(id: string, name: string, intent: Intent, now: number): Promise<Change> {
    const { change, version, ifMatch } = intent;
    const needsNoToken = intent.change === 'deploy' && !intent.holdsToken;
    return this.#change(id, {
      set: ['#announced = :now'],
      conditions: [...FINDS[change], ...(needsNoToken ? [TOKEN_NOT_REQUIRED] : [])],
      names: { announced: ANNOUNCED_PREFIX + name, ...(version && { version: VERSION_PREFIX + version }) },
      values: { now },
      ifMatch,
    });
  }

  /**
   * Adds a version and makes it live, which ends the announcement under its name. The first one makes the
   * deployment; one that was deleted comes back. A claim that holds the token makes it required.
   * @param before the deployment as it was announced to; none for what must be its first version
   * @param forget versions that make room, and announcements that came to nothing
   */
  deploy(
    id: string,
    { owner, ifMatch, holdsToken }: Claim,
    { version, ...added }: Version,
    before: Deployment | undefined,
    forget: { readonly versions: readonly string[]; readonly announced: readonly string[] },
  ): Promise<Change> {
    return this.#change(id, {
      set: [
        'live = :version',
        '#version = :added',
        '#owner = :owner',
        'createdAt = if_not_exists(createdAt, :now)',
        ...(before ? [] : ['firstVersion = :version']),
        ...(holdsToken ? ['tokenRequired = :true'] : []),
      ],
      remove: [
        'deletedAt',
        ...forget.versions.map((name) => VERSION_PREFIX + name),
        ...[...forget.announced, version].map((name) => ANNOUNCED_PREFIX + name),
      ],
      conditions: [...(before ? FINDS.deploy : [NEVER_WAS]), ...(holdsToken ? [] : [TOKEN_NOT_REQUIRED])],
      names: { version: VERSION_PREFIX + version, owner: 'owner' },
      values: { now: added.deployedAt, version, added, owner, ...(holdsToken && { true: true }) },
      ifMatch,
    });
  }

  /** Makes a version that is there the live one, which ends the announcement. */
  rollBack(id: string, version: string, announced: string, ifMatch: IfMatch): Promise<Change> {
    return this.#change(id, {
      set: ['live = :version'],
      remove: [ANNOUNCED_PREFIX + announced],
      conditions: FINDS.rollBack,
      names: { version: VERSION_PREFIX + version },
      values: { version },
      ifMatch,
    });
  }

  /** From here on visitors are told that it was deleted; its versions are named until their archives are gone. */
  delete(id: string, announced: string, ifMatch: IfMatch, now: number): Promise<Change> {
    return this.#change(id, {
      set: ['deletedAt = :now'],
      remove: [ANNOUNCED_PREFIX + announced],
      conditions: FINDS.delete,
      values: { now },
      ifMatch,
    });
  }

  /** Forgets versions of a deployment that is deleted, once their archives are. */
  forget(id: string, versions: readonly string[]): Promise<Change> {
    const remove = versions.map((name) => VERSION_PREFIX + name);
    return this.#change(id, { remove, conditions: [STILL_DELETED] });
  }

  /** An operator's decision, with what visitors are told of the reason; `null` lifts it. Ends the announcement. */
  takeDown(id: string, takenDown: Deployment['takenDown'] | null, announced: string): Promise<Change> {
    return this.#change(id, {
      ...(takenDown ? { set: ['takenDown = :takenDown'], values: { takenDown } } : {}),
      remove: [...(takenDown ? [] : ['takenDown']), ANNOUNCED_PREFIX + announced],
      conditions: FINDS.takeDown,
    });
  }

  async #change(id: string, update: Update): Promise<Change> {
    const { done, before } = await this.#update(id, update);
    return done ? { done, before } : { done, current: await this.find(id) };
  }

  async #update(id: string, update: Update): Promise<{ done: boolean; before: Deployment | undefined }> {
    const matching = matches(update.ifMatch);
    const removed = Object.fromEntries((update.remove ?? []).map((name, i) => [`r${i}`, name]));
    const names = prefixed('#', { ...update.names, ...removed });
    const values = prefixed(':', { ...update.values, ...matching.values });
    const clauses = [
      clause('SET', update.set ?? []),
      clause(
        'REMOVE',
        Object.keys(removed).map((placeholder) => `#${placeholder}`),
      ),
    ];
    const output = await unlessConditionFails(
      this.#db.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { id },
          UpdateExpression: clauses.join(' '),
          ConditionExpression: [...update.conditions, ...matching.conditions].join(' AND '),
          ...(names && { ExpressionAttributeNames: names as Record<string, string> }),
          ...(values && { ExpressionAttributeValues: values }),
          ReturnValues: 'ALL_OLD',
        }),
      ),
    );
    const before = output?.Attributes && toDeployment(output.Attributes);
    return { done: output !== undefined, before };
  }
}

/** RFC 9110, 13.1.1: what is there must be one of the versions; nothing there matches nothing. */
function matches(ifMatch: IfMatch): { conditions: string[]; values: Record<string, string> } {
  if (ifMatch === undefined) return { conditions: [], values: {} };
  if (ifMatch === '*') return { conditions: [EXISTS, NOT_DELETED], values: {} };
  const values = Object.fromEntries(ifMatch.map((version, i) => [`match${i}`, version]));
  const list = Object.keys(values).map((placeholder) => `:${placeholder}`);
  return { conditions: [EXISTS, NOT_DELETED, `live IN (${list.join(', ')})`], values };
}

function clause(keyword: string, parts: readonly string[]): string {
  return parts.length === 0 ? '' : `${keyword} ${parts.join(', ')}`;
}

/** DynamoDB wants placeholders with their sign, and no empty map. */
function prefixed(sign: string, map: Record<string, unknown>): Record<string, unknown> | undefined {
  const entries = Object.entries(map).map(([name, value]) => [sign + name, value] as const);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
