import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ProviderName } from '../contract/generate.ts';
import type { Clock } from '../platform/clock.ts';

const FIRST_MS = 30_000;
const LONGEST_MS = 10 * 60_000;

/** One provider's consecutive failures, and the end of its cool-down. */
interface Cooldown {
  readonly failures: number;
  /** Unix milliseconds. */
  readonly until: number;
}

/**
 * The cool-downs of the providers, in one item of the table of generations (whose ids have no `#`). A provider that is
 * overloaded, silent or rejects its credentials cools down for 30 s, doubled with each further failure, up to 10 min.
 */
export class CooldownStore {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #clock: Clock;

  constructor(db: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#db = db;
    this.#table = table;
    this.#clock = clock;
  }

  /** Returns the providers that failed and have not succeeded since, and those of them that are cooling down. */
  async current(): Promise<{ failed: ProviderName[]; cooling: ProviderName[] }> {
    const now = this.#clock();
    const cooldowns = await this.#read();
    const failed = Object.keys(cooldowns) as ProviderName[];
    return { failed, cooling: failed.filter((name) => (cooldowns[name]?.until ?? 0) > now) };
  }

  /** Counts a failure. Two concurrent ones may count as one, which is precise enough for a hint. */
  async add(provider: ProviderName, retryAfterSeconds = 0): Promise<void> {
    const failures = ((await this.#read())[provider]?.failures ?? 0) + 1;
    const pause = Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
    const until = this.#clock() + Math.max(pause, Math.min(retryAfterSeconds * 1000, LONGEST_MS));
    await this.#update('SET #provider = :cooldown', provider, {
      ':cooldown': { failures, until } satisfies Cooldown,
    });
  }

  /** Ends the cool-down after a success. */
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
