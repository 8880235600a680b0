import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ProviderName } from '../contract/generate.ts';
import type { Clock } from '../platform/clock.ts';

const FIRST_MS = 30_000;
const LONGEST_MS = 10 * 60_000;

/** One provider's failures in a row, and until when it is left alone. */
interface Cooldown {
  readonly failures: number;
  /** Unix milliseconds. */
  readonly until: number;
}

/**
 * Which providers failed lately, in one item beside the jobs (their ids have no `#`). A provider that is overloaded,
 * silent or has wrong credentials is left alone for 30 s, and twice as long each further time, up to 10 min.
 */
export class Cooldowns {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #clock: Clock;

  constructor(db: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#db = db;
    this.#table = table;
    this.#clock = clock;
  }

  /** The providers that failed and did not succeed since, and those of them that are left alone now. */
  async current(): Promise<{ failed: ProviderName[]; cooling: ProviderName[] }> {
    const now = this.#clock();
    const cooldowns = await this.#read();
    const failed = Object.keys(cooldowns) as ProviderName[];
    return { failed, cooling: failed.filter((name) => (cooldowns[name]?.until ?? 0) > now) };
  }

  /** One more failure. Two at once may count as one; it is a hint, not a ledger. */
  async add(provider: ProviderName, retryAfterSeconds = 0): Promise<void> {
    const failures = ((await this.#read())[provider]?.failures ?? 0) + 1;
    const pause = Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
    const until = this.#clock() + Math.max(pause, Math.min(retryAfterSeconds * 1000, LONGEST_MS));
    await this.#update('SET #provider = :cooldown', provider, {
      ':cooldown': { failures, until } satisfies Cooldown,
    });
  }

  /** A success ends it. */
  async clear(provider: ProviderName): Promise<void> {
    await this.#update('REMOVE #provider', provider);
  }

  async #read(): Promise<Partial<Record<ProviderName, Cooldown>>> {
    const { Item } = await this.#db.send(
      new GetCommand({ TableName: this.#table, Key: { id: '#cooldowns' } }),
    );
    const { id: _, ...cooldowns } = Item ?? {};
    return cooldowns;
  }

  async #update(expression: string, provider: ProviderName, values?: Record<string, unknown>): Promise<void> {
    await this.#db.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { id: '#cooldowns' },
        UpdateExpression: expression,
        ExpressionAttributeNames: { '#provider': provider },
        ...(values ? { ExpressionAttributeValues: values } : {}),
      }),
    );
  }
}
