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
import { type DataChange, type IfMatch, PointerUpdate, type SettingsChange } from './pointer-update.ts';

/** The result of a conditional write: the deployment after it, or the current one if a condition failed. */
interface WriteResult {
  readonly done: boolean;
  readonly deployment: Deployment | undefined;
}

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
   * @returns the deployment before it
   */
  announce(id: string, version: string, condition: DeployCondition, now: number): Promise<WriteResult> {
    const update = this.#update().set(ANNOUNCED_PREFIX + version, now);
    return this.#write(id, requireDeploy(update, version, condition), 'ALL_OLD');
  }

  /** Removes the announcement of a deploy that stored nothing. */
  async retract(id: string, version: string): Promise<void> {
    await this.#write(
      id,
      this.#update()
        .exists()
        .remove(ANNOUNCED_PREFIX + version),
    );
  }

  /**
   * Adds a version, makes it live and removes its announcement. The first version creates the deployment; a deleted
   * deployment is restored. A deploy that holds the token makes the token required.
   */
  deploy(
    id: string,
    condition: DeployCondition,
    { version: { version, ...added }, before, forget, hashedNames, settings = {}, data }: PointerDeploy,
  ): Promise<WriteResult> {
    const { owner, holdsToken } = condition;
    const restored = before?.deletedAt !== undefined;
    const update = this.#update()
      .set('live', version)
      .set(VERSION_PREFIX + version, added)
      .set('owner', owner)
      .setOnce('createdAt', added.deployedAt)
      .settings(id, settings);
    if (owner !== ANONYMOUS) update.set(LIST_OWNER, owner);
    if (holdsToken) update.set('tokenRequired', true);
    // Once true it stays, because the edge keeps files of past versions.
    if (hashedNames || !before) update.set('hashedNames', hashedNames);
    if (data) update.data(data, !before);
    for (const name of forget.versions) update.remove(VERSION_PREFIX + name);
    for (const name of [...forget.announced, version]) update.remove(ANNOUNCED_PREFIX + name);
    if (!before)
      update.set('firstVersion', version).require('live', 'attribute_not_exists(%)').matches(condition.ifMatch);
    else if (restored) update.deleted().remove('deletedAt').remove('copiesUntil').remove('previous');
    else update.notDeleted().copy('previous', 'live');
    return this.#write(id, before ? requireDeploy(update, version, condition) : requireToken(update, condition));
  }

  /** Makes another version live. @param settings what else changes with the same write */
  rollBack(
    id: string,
    version: string,
    ifMatch: IfMatch,
    now: number,
    settings: SettingsChange = {},
  ): Promise<WriteResult> {
    const update = this.#update()
      .set('live', version)
      .copy('previous', 'live')
      .set([VERSION_PREFIX + version, 'rolledBackAt'], now)
      .settings(id, settings)
      .exists()
      .notDeleted()
      .require('takenDown', 'attribute_not_exists(%)')
      .require(VERSION_PREFIX + version, 'attribute_exists(%)')
      // A rollback to the live version would lose the previous one.
      .require('live', '% <> ?', version)
      .matches(ifMatch);
    return this.#write(id, update);
  }

  /** Marks a deployment as deleted. The tombstone names its versions until their archives are deleted. */
  delete(id: string, ifMatch: IfMatch, now: number): Promise<WriteResult> {
    const update = this.#update().exists().notDeleted().matches(ifMatch).set('deletedAt', now);
    return this.#write(id, update.remove(LIST_OWNER).remove('endsAt').remove(END_INDEX.shard));
  }

  /**
   * Removes versions from a tombstone once their archives are deleted.
   * @param copiesUntil when the last copies at the edge are gone, in Unix milliseconds
   */
  forget(id: string, versions: readonly string[], copiesUntil: number): Promise<WriteResult> {
    const update = this.#update().deleted().set('copiesUntil', copiesUntil);
    for (const name of versions) update.remove(VERSION_PREFIX + name);
    return this.#write(id, update.remove(LIST_OWNER).remove(END_INDEX.shard));
  }

  /** Takes a deployment down, with the reason that visitors see; `null` undoes that. @returns the deployment before it */
  takeDown(id: string, takenDown: Deployment['takenDown'] | null): Promise<WriteResult> {
    return this.#write(
      id,
      this.#update()
        .exists()
        .assign('takenDown', takenDown ?? undefined),
      'ALL_OLD',
    );
  }

  /** Takes a deployment down with the rest of a caller, unless it belongs to another owner or was taken down on its own. */
  takeDownWith(id: string, mark: string, owner: string, takenDown: Deployment['takenDown']): Promise<WriteResult> {
    const update = this.#update()
      .exists()
      .of(owner)
      .set('takenDown', { ...takenDown, with: mark });
    const isAlone = '(attribute_not_exists(takenDown) OR % = ?)';
    return this.#write(id, update.require(['takenDown', 'with'], isAlone, mark));
  }

  /** Brings a deployment back that was taken down with the rest of a caller. */
  bringBackWith(id: string, mark: string): Promise<WriteResult> {
    const update = this.#update().exists().require(['takenDown', 'with'], '% = ?', mark);
    return this.#write(id, update.remove('takenDown'));
  }

  /** Lets a deployment through that is held, up to so many points; `points` are those of the live version. */
  release(id: string, version: string, points: number, now: number): Promise<WriteResult> {
    const update = this.#update().exists().notDeleted().require('live', '% = ?', version);
    return this.#write(id, update.set('released', { points, at: now }));
  }

  /** Changes who may see a deployment, and how long it stays. */
  changeSettings(id: string, settings: SettingsChange): Promise<WriteResult> {
    return this.#write(id, this.#update().exists().notDeleted().settings(id, settings));
  }

  /** Notes until when the edge may have copies that the last change ended. */
  async noteWithdrawal(id: string, at: number, until: number): Promise<void> {
    const update = this.#update().exists().require(['withdrawal', 'at'], '% = ?', at);
    await this.#write(id, update.set(['withdrawal', 'until'], until));
  }

  /** From now on, an anonymous deployment is only redeployed with its token. */
  requireToken(id: string): Promise<WriteResult> {
    return this.#write(id, this.#update().exists().of(ANONYMOUS).set('tokenRequired', true));
  }

  /** Moves an anonymous deployment to an owner, where it stays. Its token is worth nothing then. */
  claim(id: string, owner: string, now: number): Promise<WriteResult> {
    const update = this.#update()
      .exists()
      .notDeleted()
      .of(ANONYMOUS)
      .settings(id, { life: null })
      .set('owner', owner)
      .set(LIST_OWNER, owner)
      .set('claimedAt', now)
      .remove('tokenRequired');
    return this.#write(id, update);
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

  #update(): PointerUpdate {
    return new PointerUpdate(this.#clock());
  }

  async #write(id: string, update: PointerUpdate, returned?: 'ALL_OLD'): Promise<WriteResult> {
    const { done, item } = await update.write(this.#table, id, returned);
    return { done, deployment: done ? item && toDeployment(item, this.#clock()) : await this.find(id) };
  }
}

/** Requires what a deploy to an existing deployment needs, for its announcement and for the deploy itself. */
function requireDeploy(update: PointerUpdate, version: string, condition: DeployCondition): PointerUpdate {
  update
    .exists()
    // A claim moves a deployment to another owner.
    .of(condition.owner)
    .require('takenDown', 'attribute_not_exists(%)')
    .require(VERSION_PREFIX + version, 'attribute_not_exists(%)')
    .matches(condition.ifMatch);
  return requireToken(update, condition);
}

function requireToken(update: PointerUpdate, { holdsToken }: DeployCondition): PointerUpdate {
  return holdsToken ? update : update.require('tokenRequired', 'attribute_not_exists(%)');
}
