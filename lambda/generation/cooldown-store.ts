import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { PROVIDER_NAMES, type ProviderName } from '../contract/generate.ts';
import type { Clock } from '../platform/clock.ts';

const FIRST_MS = 30_000;
const LONGEST_MS = 10 * 60_000;

/** One provider's consecutive failures, and the end of its cool-down. */
interface Cooldown {
  readonly failures: number;
  /** Unix milliseconds. */
  readonly until: number;
}

/** Characters per second. */
type Paces = Partial<Record<ProviderName, number>>;

type Item = Partial<Record<ProviderName, Cooldown> & Record<`pace-${ProviderName}`, number>>;

/**
 * The cool-downs and the paces of the providers, in one item of the table of generations (whose ids have no `#`). A provider
 * that is overloaded, silent or rejects its credentials cools down for 30 s, doubled with each further failure, up to 10 min.
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

  /**
   * Returns the providers that failed and have not succeeded since, those of them that are cooling down, and how many
   * characters per second the providers wrote lately.
   */
  async current(): Promise<{ failed: ProviderName[]; cooling: ProviderName[]; paces: Paces }> {
    const now = this.#clock();
    const item = await this.#read();
    const failed = PROVIDER_NAMES.filter((name) => item[name] !== undefined);
    const paces: Paces = {};
    for (const name of PROVIDER_NAMES) {
      const pace = item[paceOf(name)];
      if (pace !== undefined) paces[name] = pace;
    }
    return { failed, cooling: failed.filter((name) => (item[name]?.until ?? 0) > now), paces };
  }

  /** Keeps how many characters per second a provider wrote. */
  async keepPace(provider: ProviderName, pace: number): Promise<void> {
    await this.#update('SET #name = :value', paceOf(provider), { ':value': pace });
  }

  /** Counts a failure. Two concurrent ones may count as one, which is precise enough for a hint. */
  async add(provider: ProviderName, retryAfterSeconds = 0): Promise<void> {
    const failures = ((await this.#read())[provider]?.failures ?? 0) + 1;
    const pause = Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
    const until = this.#clock() + Math.max(pause, Math.min(retryAfterSeconds * 1000, LONGEST_MS));
    await this.#update('SET #name = :value', provider, {
      ':value': { failures, until } satisfies Cooldown,
    });
  }

  /** Ends the cool-down after a success. */
  async clear(provider: ProviderName): Promise<void> {
    await this.#update('REMOVE #name', provider);
  }

  async #read(): Promise<Item> {
    const { Item } = await this.#db.send(
      new GetCommand({ TableName: this.#table, Key: { id: '#cooldowns' } }),
    );
    return Item ?? {};
  }

  async #update(expression: string, name: keyof Item, values?: Record<string, unknown>): Promise<void> {
    await this.#db.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { id: '#cooldowns' },
        UpdateExpression: expression,
        ExpressionAttributeNames: { '#name': name },
        ...(values ? { ExpressionAttributeValues: values } : {}),
      }),
    );
  }
}

const paceOf = (provider: ProviderName) => `pace-${provider}` as const;
