import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../platform/clock.ts';
import { type ItemPage, OwnedItems, type PageRequest, Table } from '../platform/dynamodb.ts';
import { END_INDEX } from '../platform/env.ts';
import {
  ANNOUNCED_PREFIX,
  type Deployment,
  readDeployment,
  toDeployment,
  VERSION_PREFIX,
  type Version,
} from './deployment.ts';
import { ANONYMOUS } from './deployment-owner.ts';
import {
  type DataChange,
  DELETED,
  dataUpdate,
  EXISTS,
  type IfMatch,
  NOT_DELETED,
  type SettingsChange,
  settingsUpdate,
  type Update,
  updatePointer,
} from './pointer-update.ts';

/** The result of a conditional write: the deployment before it, or the current one if a condition failed. */
type WriteResult =
  | { readonly done: true; readonly before: Deployment | undefined }
  | { readonly done: false; readonly current: Deployment | undefined };

/** The conditions of a deploy that depend on its sender. */
export interface DeployCondition {
  readonly owner: string;
  readonly ifMatch: IfMatch;
  /** Whether the caller sent the deployment's token. */
  readonly holdsToken: boolean;
}

/** The changes that a deploy makes to a pointer. */
interface PointerDeploy {
  readonly version: Version;
  /**
   * The deployment at the time of the announcement; undefined if the version must be the first. The write fails if the
   * deployment was deleted since then, or restored: its versions are other ones now.
   */
  readonly before: Deployment | undefined;
  /** The versions and the abandoned announcements to remove. */
  readonly forget: { readonly versions: readonly string[]; readonly announced: readonly string[] };
  /** Whether the version has a file with a hashed name. */
  readonly hashedNames: boolean;
  /** The settings that the same write changes. */
  readonly settings?: SettingsChange;
  /** The data of the site before and after; undefined if the stage has no data. */
  readonly data?: DataChange | undefined;
}

/**
 * The owner in the index: of deployments that are in a list. Anonymous ones are not, because all of them would share one
 * partition, whose throughput would then limit their deploys.
 */
const LIST_OWNER = 'listOwner';

const NEVER_WAS = 'attribute_not_exists(live)';
const NOT_TAKEN_DOWN = 'attribute_not_exists(takenDown)';
const TAKEN_DOWN_WITH = 'takenDown.#with = :mark';
const VERSION_IS_THERE = 'attribute_exists(#version)';
const VERSION_IS_NEW = 'attribute_not_exists(#version)';
const TOKEN_NOT_REQUIRED = 'attribute_not_exists(tokenRequired)';
/** A claim moves a deployment to another owner. */
const OF_SENDER = '#owner = :owner';
/** A rollback to the live version would lose the previous one. */
const NOT_LIVE = 'live <> :version';

/** The conditions of a deploy to an existing deployment, which hold for its announcement and for the deploy itself. */
const DEPLOYS = [EXISTS, NOT_TAKEN_DOWN, VERSION_IS_NEW, OF_SENDER];

/**
 * The table of the pointers to live versions. A deploy, a rollback or a deletion takes effect with one conditional write
 * of the pointer.
 */
export class PointerStore {
  readonly #table: Table;
  readonly #items: OwnedItems;
  readonly #clock: Clock;

  constructor(db: DynamoDBDocumentClient, table: string, clock: Clock = Date.now) {
    this.#clock = clock;
    this.#table = new Table(db, table);
    this.#items = new OwnedItems(db, table, { id: 'id', owner: LIST_OWNER });
  }

  /** Reads consistently, because the result explains why a condition failed. */
  find(id: string): Promise<Deployment | undefined> {
    return readDeployment(this.#table.db, this.#table.name, id, this.#clock());
  }

  /** Returns a page of an owner's deployments, newest first. */
  async list(request: PageRequest): Promise<ItemPage<Deployment>> {
    const { items, next } = await this.#items.page(request);
    const now = this.#clock();
    return { items: items.map((item) => toDeployment(item, now)), next };
  }

  /**
   * Announces a deploy, unless its conditions fail already: if the deploy dies, the announcement names the archive that it
   * may have left.
   */
  announce(
    id: string,
    version: string,
    { owner, ifMatch, holdsToken }: DeployCondition,
    now: number,
  ): Promise<WriteResult> {
    return this.#change(id, {
      set: ['#announced = :now'],
      conditions: [...DEPLOYS, ...(holdsToken ? [] : [TOKEN_NOT_REQUIRED])],
      names: { announced: ANNOUNCED_PREFIX + version, version: VERSION_PREFIX + version, owner: 'owner' },
      values: { now, owner },
      ifMatch,
    });
  }

  /** Removes the announcement of a deploy that stored nothing. */
  async retract(id: string, version: string): Promise<void> {
    await this.#change(id, { remove: [ANNOUNCED_PREFIX + version], conditions: [EXISTS] });
  }

  /**
   * Adds a version, makes it live and removes its announcement. The first version creates the deployment; a deleted
   * deployment is restored. A deploy that holds the token makes the token required.
   */
  deploy(
    id: string,
    { owner, ifMatch, holdsToken }: DeployCondition,
    { version: { version, ...added }, before, forget, hashedNames, settings = {}, data }: PointerDeploy,
  ): Promise<WriteResult> {
    const changed = settingsUpdate(id, settings);
    const declared = dataUpdate(before || data?.is ? data : undefined);
    const restored = before?.deletedAt !== undefined;
    // Once true it stays, because the edge keeps files of past versions.
    const setsHashedNames = hashedNames || before === undefined;
    return this.#change(id, {
      set: [
        'live = :version',
        ...(before && !restored ? ['previous = live'] : []),
        '#version = :added',
        '#owner = :owner',
        ...(owner === ANONYMOUS ? [] : [`${LIST_OWNER} = :owner`]),
        'createdAt = if_not_exists(createdAt, :now)',
        ...(before ? [] : ['firstVersion = :version']),
        ...(holdsToken ? ['tokenRequired = :true'] : []),
        ...(setsHashedNames ? ['hashedNames = :hashedNames'] : []),
        ...changed.set,
        ...declared.set,
      ],
      remove: [
        ...changed.remove,
        ...declared.remove,
        ...(restored ? ['deletedAt', 'copiesUntil', 'previous'] : []),
        ...forget.versions.map((name) => VERSION_PREFIX + name),
        ...[...forget.announced, version].map((name) => ANNOUNCED_PREFIX + name),
      ],
      conditions: [
        ...(before ? [...DEPLOYS, restored ? DELETED : NOT_DELETED] : [NEVER_WAS]),
        ...(holdsToken ? [] : [TOKEN_NOT_REQUIRED]),
        ...changed.conditions,
        ...(before ? declared.conditions : []),
      ],
      names: { version: VERSION_PREFIX + version, owner: 'owner', ...declared.names },
      values: {
        now: added.deployedAt,
        version,
        added,
        owner,
        ...(holdsToken && { true: true }),
        ...(setsHashedNames && { hashedNames }),
        ...changed.values,
        ...declared.values,
      },
      ifMatch,
    });
  }

  /** Makes another version live. @param settings what else changes with the same write */
  rollBack(
    id: string,
    version: string,
    ifMatch: IfMatch,
    now: number,
    settings: SettingsChange = {},
  ): Promise<WriteResult> {
    const changed = settingsUpdate(id, settings);
    return this.#change(id, {
      set: ['live = :version', 'previous = live', '#version.rolledBackAt = :now', ...changed.set],
      remove: changed.remove,
      conditions: [EXISTS, NOT_TAKEN_DOWN, NOT_DELETED, VERSION_IS_THERE, NOT_LIVE],
      names: { version: VERSION_PREFIX + version },
      values: { version, now, ...changed.values },
      ifMatch,
    });
  }

  /** Marks a deployment as deleted. The tombstone names its versions until their archives are deleted. */
  delete(id: string, ifMatch: IfMatch, now: number): Promise<WriteResult> {
    return this.#change(id, {
      set: ['deletedAt = :now'],
      remove: [LIST_OWNER, 'endsAt', END_INDEX.shard],
      conditions: [EXISTS, NOT_DELETED],
      values: { now },
      ifMatch,
    });
  }

  /**
   * Removes versions from a tombstone once their archives are deleted.
   * @param copiesUntil when the last copies at the edge are gone, in Unix milliseconds
   */
  forget(id: string, versions: readonly string[], copiesUntil: number): Promise<WriteResult> {
    return this.#change(id, {
      set: ['copiesUntil = :copiesUntil'],
      remove: [...versions.map((name) => VERSION_PREFIX + name), LIST_OWNER, END_INDEX.shard],
      conditions: [DELETED],
      values: { copiesUntil },
    });
  }

  /** Takes a deployment down, with the reason that visitors see; `null` undoes that. */
  takeDown(id: string, takenDown: Deployment['takenDown'] | null): Promise<WriteResult> {
    return this.#change(id, {
      ...(takenDown ? { set: ['takenDown = :takenDown'], values: { takenDown } } : { remove: ['takenDown'] }),
      conditions: [EXISTS],
    });
  }

  /** Takes a deployment down with the rest of a caller, unless it belongs to another owner or was taken down on its own. */
  takeDownWith(id: string, mark: string, owner: string, takenDown: Deployment['takenDown']): Promise<WriteResult> {
    return this.#change(id, {
      set: ['takenDown = :takenDown'],
      conditions: [EXISTS, '#owner = :owner', `(${NOT_TAKEN_DOWN} OR ${TAKEN_DOWN_WITH})`],
      names: { owner: 'owner', with: 'with' },
      values: { takenDown: { ...takenDown, with: mark }, owner, mark },
    });
  }

  /** Brings a deployment back that was taken down with the rest of a caller. */
  bringBackWith(id: string, mark: string): Promise<WriteResult> {
    return this.#change(id, {
      remove: ['takenDown'],
      conditions: [EXISTS, TAKEN_DOWN_WITH],
      names: { with: 'with' },
      values: { mark },
    });
  }

  /** Lets a deployment through that is held, up to so many points; `points` are those of the live version. */
  release(id: string, version: string, points: number, now: number): Promise<WriteResult> {
    return this.#change(id, {
      set: ['released = :released'],
      conditions: [EXISTS, NOT_DELETED, 'live = :version'],
      values: { released: { points, at: now }, version },
    });
  }

  /** Changes who may see a deployment, and how long it stays. */
  changeSettings(id: string, settings: SettingsChange): Promise<WriteResult> {
    const { conditions, ...changed } = settingsUpdate(id, settings);
    return this.#change(id, { ...changed, conditions: [EXISTS, NOT_DELETED, ...conditions] });
  }

  /** Notes until when the edge may have copies that the last change ended. */
  async noteWithdrawal(id: string, at: number, until: number): Promise<void> {
    await this.#change(id, {
      set: ['withdrawal.#until = :until'],
      conditions: [EXISTS, 'withdrawal.#at = :at'],
      names: { until: 'until', at: 'at' },
      values: { at, until },
    });
  }

  /** From now on, an anonymous deployment is only redeployed with its token. */
  requireToken(id: string): Promise<WriteResult> {
    return this.#change(id, {
      set: ['tokenRequired = :true'],
      conditions: [EXISTS, '#owner = :anonymous'],
      names: { owner: 'owner' },
      values: { true: true, anonymous: ANONYMOUS },
    });
  }

  /** Moves an anonymous deployment to an owner, where it stays. Its token is worth nothing then. */
  claim(id: string, owner: string, now: number): Promise<WriteResult> {
    const { remove, set, values } = settingsUpdate(id, { life: null });
    return this.#change(id, {
      set: [...set, '#owner = :owner', `${LIST_OWNER} = :owner`, 'claimedAt = :now'],
      remove: [...remove, 'tokenRequired'],
      conditions: [EXISTS, NOT_DELETED, '#owner = :anonymous'],
      names: { owner: 'owner' },
      values: { ...values, owner, anonymous: ANONYMOUS, now },
    });
  }

  /** Returns ids of one shard whose life has ended, and which the sweep has not seen to. */
  async ended(shard: string): Promise<string[]> {
    const { Items = [] } = await this.#table.db.send(
      new QueryCommand({
        TableName: this.#table.name,
        IndexName: END_INDEX.name,
        KeyConditionExpression: '#shard = :shard AND #end <= :now',
        ExpressionAttributeNames: { '#shard': END_INDEX.shard, '#end': END_INDEX.sortKey },
        ExpressionAttributeValues: { ':shard': shard, ':now': this.#clock() },
      }),
    );
    return Items.map(({ id }) => id as string);
  }

  async #change(id: string, update: Update): Promise<WriteResult> {
    const now = this.#clock();
    const { done, before } = await updatePointer(this.#table, id, update, now);
    return done ? { done, before: before && toDeployment(before, now) } : { done, current: await this.find(id) };
  }
}
