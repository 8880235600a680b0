import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DescribeTableCommand,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DOMAIN_PREFIX } from '../../lambda/stored/custom-domain.ts';
import { END_KEY, STATE_KEY } from '../../lambda/stored/data/keys.ts';
import { recount } from '../../lambda/stored/data/recount.ts';
import { siteOf } from '../../lambda/stored/data/site-data.ts';
import { readDeployment } from '../../lambda/stored/deployment.ts';

/** An item as DynamoDB stores it, so that a copy is exact. */
export type Item = Record<string, AttributeValue>;

/** Returns all items of a table, or those that match a filter. Reads consistently, page by page. */
export async function* allItems(
  db: DynamoDBDocumentClient,
  TableName: string,
  filter: Pick<ScanCommandInput, 'FilterExpression' | 'ExpressionAttributeNames'> = {},
): AsyncGenerator<Item> {
  let ExclusiveStartKey: Item | undefined;
  do {
    const scan = new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey, ...filter });
    const { Items = [], LastEvaluatedKey } = await db.send(scan);
    yield* Items;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

export async function hasItemWith(db: DynamoDBDocumentClient, table: string, attribute: string): Promise<boolean> {
  const filter = {
    FilterExpression: 'attribute_exists(#name)',
    ExpressionAttributeNames: { '#name': attribute },
  };
  const { done } = await allItems(db, table, filter).next();
  return !done;
}

/** Writes to a table of the stack. */
export class TargetTable {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #keys: readonly string[];

  private constructor(db: DynamoDBDocumentClient, table: string, keys: readonly string[]) {
    this.#db = db;
    this.#table = table;
    this.#keys = keys;
  }

  static async open(db: DynamoDBDocumentClient, TableName: string): Promise<TargetTable> {
    const { Table } = await db.send(new DescribeTableCommand({ TableName }));
    const keys = Table?.KeySchema?.map(({ AttributeName = '' }) => AttributeName) ?? [];
    return new TargetTable(db, TableName, keys);
  }

  /** Returns the stack's item with the same key, or undefined. */
  async find(item: Item): Promise<Item | undefined> {
    const Key = Object.fromEntries(this.#keys.map((name) => [name, item[name] as AttributeValue]));
    const get = new GetItemCommand({ TableName: this.#table, Key, ConsistentRead: true });
    return (await this.#db.send(get)).Item;
  }

  /** Adds an item. @returns false if the stack has an item with the same key */
  async add(item: Item): Promise<boolean> {
    const [key = ''] = this.#keys;
    const put = new PutItemCommand({
      TableName: this.#table,
      Item: item,
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': key },
    });
    try {
      await this.#db.send(put);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async replace(item: Item): Promise<void> {
    await this.#db.send(new PutItemCommand({ TableName: this.#table, Item: item }));
  }
}

/** A restored resource. Their order puts objects before the items that reference them, and pages last. */
interface Restored {
  /** The name in `--from`. */
  readonly name: string;
  readonly kind: 'secret' | 'bucket' | 'table';
  /** The logical id of the resource without the hash at its end, which is the same in every version. */
  readonly logicalId: string;
  readonly what: string;
}

/** A restored resource, with the physical ids of its source and target. */
export interface Copied extends Restored {
  readonly from: string;
  readonly to: string;
}

export const RESTORED = [
  {
    name: 'ids',
    kind: 'secret',
    logicalId: 'DeploymentsProjectIdSecret',
    what: 'the addresses of projects derive from it',
  },
  {
    name: 'tokens',
    kind: 'secret',
    logicalId: 'DeploymentsTokenSecret',
    what: 'the tokens of deployments derive from it',
  },
  { name: 'keys', kind: 'table', logicalId: 'AccessApiKeys', what: 'API keys' },
  {
    name: 'webhook-secrets',
    kind: 'table',
    logicalId: 'WebhooksSecrets',
    what: 'the secrets that sign notifications',
  },
  { name: 'usage', kind: 'table', logicalId: 'AccessUsageTable', what: 'usage of API keys by day' },
  { name: 'asset-files', kind: 'bucket', logicalId: 'AssetsObjects', what: 'the bytes of assets' },
  { name: 'assets', kind: 'table', logicalId: 'AssetsRecords', what: 'assets' },
  { name: 'archives', kind: 'bucket', logicalId: 'DeploymentsArchives', what: 'the files of deployments' },
  {
    name: 'deployments',
    kind: 'table',
    logicalId: 'Deployments',
    what: 'deployments, with their domains and reports',
  },
  {
    name: 'data',
    kind: 'table',
    logicalId: 'DataTable',
    what: 'what visitors of sites shared; only of sites whose deployments are there',
  },
] as const satisfies readonly Restored[];

export type RestoredName = (typeof RESTORED)[number]['name'];

/** Retained resources that `npm run restore` does not copy, by logical id, with the reason. */
export const NOT_RESTORED: Readonly<Record<string, string>> = {
  AccessRateLimits: "Windows of minutes, and the stack's own closures and origin secrets",
  AccessOriginSecret: "Belongs to the stack's own distribution",
  BuildsObjects: 'Can be built again',
  ConsolePages: 'Every deployment of the stack writes them',
  FrontDoorOwnCallSecret: "Belongs to the stack's own web ACL",
  DeploymentsViewsTable: 'Its salts must not be in a backup',
  GenerationFiles: 'Generations expire after a day',
  GenerationJobs: 'Generations expire after a day, and their executions are gone; budgets of the day',
  LooksObjects: 'Looks can be repeated',
};

const HASH = /[0-9A-F]{8}$/;

/** Returns the physical ids of the restored resources in a stack, by name. */
export function restoredIn(resources: Readonly<Record<string, string>>): Partial<Record<RestoredName, string>> {
  const byId = new Map(Object.entries(resources).map(([id, physical]) => [id.replace(HASH, ''), physical]));
  return Object.fromEntries(
    RESTORED.flatMap(({ name, logicalId }) => {
      const physical = byId.get(logicalId);
      return physical === undefined ? [] : [[name, physical]];
    }),
  );
}

/**
 * The attributes that a deployment of the stack keeps when its former state replaces it: decisions against its page,
 * and copies that the edge may have.
 */
const KEPT = ['takenDown', 'access', 'withdrawal', 'hashedNames'];

const RESTORED_DOMAIN = 'The service was restored into another stack: add the domain again';

/**
 * Reports whether an item is the record of a request. It must not be restored: its response belongs to a former state
 * or stack.
 */
export function isRecordOfRequest(item: Item): boolean {
  return item.id?.S?.startsWith('once:') ?? false;
}

/** Returns the former state of a deployment with the attributes that the stack's own item must keep. */
export function keepingDecisions(former: Item, present: Item): Item {
  const kept = Object.entries(present).filter(([name]) => KEPT.includes(name));
  return { ...former, ...Object.fromEntries(kept) };
}

/** Reports whether a public page becomes private with its former state: the edge may have copies. */
export function becomesPrivate(former: Item, present: Item): boolean {
  return former.access !== undefined && present.access === undefined;
}

/** Returns a deployment of another stack with failed domains, which only that stack's distribution serves. */
export function withoutTenants(item: Item): Item {
  const entries = Object.entries(item).map(([name, value]) => {
    if (!name.startsWith(DOMAIN_PREFIX) || !value.M) return [name, value] as const;
    const { tenant: _, ...domain } = value.M;
    return [name, { M: { ...domain, state: { S: 'failed' }, reason: { S: RESTORED_DOMAIN } } }] as const;
  });
  return Object.fromEntries(entries);
}

/** Where the data of sites is restored to. */
interface DataTarget {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  /** The table of deployments, which are restored before. */
  readonly deployments: string;
}

/**
 * Decides which items of the table of data are restored: those of sites whose deployments are there, and have this data. What a site has
 * is counted anew after its items were copied.
 */
export class SiteDataRestore {
  readonly #target: DataTarget;
  readonly #wanted = new Map<string, Promise<boolean>>();
  readonly #changed = new Set<string>();

  constructor(target: DataTarget) {
    this.#target = target;
  }

  async isWanted(item: Item): Promise<boolean> {
    const site = item.site?.S ?? '';
    // The state follows from the items, and a site that was deleted is deleted from the restored state, too.
    if ([STATE_KEY, END_KEY].includes(item.key?.S ?? '')) return false;
    const known = this.#wanted.get(site) ?? this.#isThere(site);
    this.#wanted.set(site, known);
    return known;
  }

  /** Notes that an item of a site was copied. */
  note(item: Item): void {
    this.#changed.add(item.site?.S ?? '');
  }

  /** Counts what the sites have. One whose deployment was deleted in the meantime is not deleted any more. */
  async finish(): Promise<void> {
    const { db, table } = this.#target;
    for (const site of this.#changed) {
      const Key = { site: { S: site }, key: { S: END_KEY } };
      await db.send(new DeleteItemCommand({ TableName: table, Key }));
      await recount(site, db, table);
    }
  }

  async #isThere(site: string): Promise<boolean> {
    const [id = ''] = site.split('#');
    const deployment = await readDeployment(this.#target.db, this.#target.deployments, id, Date.now());
    const { data, deletedAt } = deployment ?? {};
    return data !== undefined && deletedAt === undefined && siteOf(id, data) === site;
  }
}
