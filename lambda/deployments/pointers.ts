import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';

/** What is live under an id. */
export interface Pointer {
  readonly id: string;
  /** Names the archive that is served. */
  readonly version: string;
  readonly entry: string;
  readonly title: string | null;
  readonly fileCount: number;
  /** Sum of the files, in bytes. */
  readonly bytes: number;
  /** `key:<id>` or `anonymous`. */
  readonly owner: string;
  /** Unix milliseconds of the first deploy and of this version. */
  readonly createdAt: number;
  readonly deployedAt: number;
}

/** The table that says which version of a site is live. Moving a pointer is the moment a deploy takes place. */
export class PointerStore {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#db = db;
    this.#table = table;
  }

  /** Points an id at a version, `createdAt` of the first one kept. Gives what it pointed to before, if anything. */
  async move({ id, createdAt, ...live }: Pointer): Promise<Pointer | undefined> {
    const names = Object.keys(live);
    const { Attributes } = await this.#db.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { id },
        UpdateExpression: `SET createdAt = if_not_exists(createdAt, :createdAt), ${names.map((n) => `#${n} = :${n}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ':createdAt': createdAt,
          ...Object.fromEntries(Object.entries(live).map(([name, value]) => [`:${name}`, value])),
        },
        ReturnValues: 'ALL_OLD',
      }),
    );
    return Attributes as Pointer | undefined;
  }

  /** Consistent: what is read here may be cached at the edge until the next deploy. */
  async find(id: string): Promise<Pointer | undefined> {
    const { Item } = await this.#db.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return Item as Pointer | undefined;
  }
}
