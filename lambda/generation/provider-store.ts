import { createHmac } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expiredSlots, removedFrom, takenIn } from '../access/running-slots.ts';
import { type ApiError, retryError } from '../contract/errors.ts';
import { PROVIDER_NAMES, type ProviderName } from '../contract/generate.ts';
import type { Clock } from '../platform/clock.ts';
import { Table, unlessConditionFails } from '../platform/dynamodb.ts';
import type { Lately, Sample, Slot } from './generation.ts';
import type { ProviderHealth } from './provider-order.ts';
import { withSample } from './provider-order.ts';

/** How many generations run at the same time: of the caller, and of all callers together. */
export interface SlotLimits {
  readonly own: number;
  readonly service: number;
}

/** The sets of slots in the item of the providers, by attribute: `running` has all of them. */
interface Slots {
  readonly running?: ReadonlySet<string>;
  readonly [holder: Slot['holder']]: ReadonlySet<string> | undefined;
}

/**
 * A slot that is older was not freed, because a function died in between. No generation lasts longer: at most 14
 * minutes of attempts, and 5 of a deploy with its retries.
 */
const LEASE_MS = 30 * 60_000;

/** Generations last from a second to minutes. */
const RETRY_SECONDS = 10;

/** Returns the slot of an execution. @param secret keys the HMAC of the caller's id */
export function newSlot(callerId: string | undefined, execution: string, createdAt: number, secret: string): Slot {
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify(['slots', callerId]))
    .digest('base64url');
  return { holder: `caller#${digest.slice(0, 22)}`, name: `${execution}@${createdAt}` };
}

/** Returns the slot that another request took for the same execution, with the same idempotency key. */
function sameExecution({ holder, name }: Slot, sets: Slots): Slot | undefined {
  const prefix = name.slice(0, name.lastIndexOf('@') + 1);
  const taken = Array.from(sets[holder] ?? []).find((other) => other.startsWith(prefix));
  return taken === undefined ? undefined : { holder, name: taken };
}

/** Returns why there is no slot; undefined if there is one. */
function noSlotError({ holder }: Slot, sets: Slots, { own, service }: SlotLimits): ApiError | undefined {
  if ((sets[holder]?.size ?? 0) >= own) return ownLimitError(own);
  return (sets.running?.size ?? 0) >= service ? busyError() : undefined;
}

function ownLimitError(own: number): ApiError {
  const running = own === 1 ? '1 generation is running' : `${own} generations are running`;
  const advice = `wait for one to end, or cancel it. Try again in ${RETRY_SECONDS} s`;
  const message = `${running}, as many as this caller may run at the same time: ${advice}`;
  return retryError('rate_limited', message, RETRY_SECONDS);
}

function busyError(): ApiError {
  const message = `The service runs as many generations as it may. Try again in ${RETRY_SECONDS} s`;
  return retryError('busy', message, RETRY_SECONDS);
}

const FIRST_MS = 30_000;
const LONGEST_MS = 10 * 60_000;

/** One provider's consecutive failures, and the end of its cool-down. */
interface Cooldown {
  readonly failures: number;
  /** Unix milliseconds. */
  readonly until: number;
}

type Item = Slots &
  Partial<Record<`cooldown#${ProviderName}`, Cooldown> & Record<`lately#${ProviderName}`, Lately[ProviderName]>>;

/** How often a slot is tried to take while others are freed and taken. */
const ROUNDS = 5;

/**
 * The providers of a stage, and the generations that run on them, in one item of the table of generations (whose ids
 * have no `#`): the slots, the cool-downs and the averages, so that a generation reads and writes all of them at once.
 * A provider that is overloaded, silent or rejects its credentials cools down for 30 s, doubled with each further
 * failure, up to 10 min.
 */
export class ProviderStore {
  readonly #table: Table;
  readonly #clock: Clock;

  constructor(db: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new Table(db, table);
    this.#clock = clock;
  }

  /** Returns what is known about the providers, with an eventually consistent read. */
  async current(): Promise<ProviderHealth> {
    return this.#health(await this.#read());
  }

  /**
   * Takes a slot, once however often it is called. Slots of generations that cannot be running any more are freed.
   * @returns the slot, or the one that another request has taken for the same execution
   * @throws ApiError rate_limited if the caller runs as many generations as it may, busy if the service does
   */
  async take(slot: Slot, limits: SlotLimits): Promise<{ slot: Slot; health: ProviderHealth }> {
    for (let round = 0; round < ROUNDS; round++) {
      const taken = await this.#take(slot, limits);
      if (taken) return { slot, health: this.#health(taken) };
      const item = await this.#read(true);
      const same = sameExecution(slot, item);
      if (same) return { slot: same, health: this.#health(item) };
      const expired = expiredSlots(item, this.#clock() - LEASE_MS);
      const error = noSlotError(slot, item, limits);
      if (error && expired.size === 0) throw error;
      if (expired.size > 0) await this.#update(removedFrom(expired));
    }
    throw busyError();
  }

  /**
   * Frees a slot, and adds what its generation measured to the averages; nothing if the slot is free. Of two
   * generations that end at the same moment, one may not be in the averages, which is precise enough for a hint.
   * @param recovered providers that had failed, and succeeded in the generation: ends their cool-downs
   */
  async free(
    { holder, name }: Slot,
    samples: ReadonlyMap<ProviderName, Sample> = new Map(),
    recovered: readonly ProviderName[] = [],
  ): Promise<void> {
    const item = await this.#read(true);
    if (!item.running?.has(name)) return;
    const now = this.#clock();
    const averages = Array.from(
      samples,
      ([provider, sample]) => [`lately#${provider}`, withSample(item[`lately#${provider}`], sample, now)] as const,
    );
    const cooldowns = recovered.map((provider) => `cooldown#${provider}` as const);
    const ended = cooldowns.filter((cooldown) => item[cooldown] !== undefined);
    const sets = averages.map((_, i) => `#set${i} = :set${i}`);
    const removes = ended.map((_, i) => `#remove${i}`);
    const write = this.#update({
      UpdateExpression: [
        'DELETE #running :slots, #holder :slots',
        ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
        ...(removes.length > 0 ? [`REMOVE ${removes.join(', ')}`] : []),
      ].join(' '),
      // A repeated write must not count the sample twice.
      ConditionExpression: 'contains(#running, :name)',
      ExpressionAttributeNames: {
        '#running': 'running',
        '#holder': holder,
        ...Object.fromEntries(averages.map(([attribute], i) => [`#set${i}`, attribute])),
        ...Object.fromEntries(ended.map((attribute, i) => [`#remove${i}`, attribute])),
      },
      ExpressionAttributeValues: {
        ':slots': new Set([name]),
        ':name': name,
        ...Object.fromEntries(averages.map(([, value], i) => [`:set${i}`, value])),
      },
    });
    await unlessConditionFails(write);
  }

  /** Counts a failure. Two concurrent ones may count as one, which is precise enough for a hint. */
  async coolDown(provider: ProviderName, retryAfterSeconds = 0): Promise<void> {
    const attribute = `cooldown#${provider}` as const;
    const failures = ((await this.#read())[attribute]?.failures ?? 0) + 1;
    const pause = Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
    const until = this.#clock() + Math.max(pause, Math.min(retryAfterSeconds * 1000, LONGEST_MS));
    await this.#update({
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': attribute },
      ExpressionAttributeValues: { ':value': { failures, until } satisfies Cooldown },
    });
  }

  /** @returns the item; undefined if there is no slot */
  #take({ holder, name }: Slot, { own, service }: SlotLimits): Promise<Item | undefined> {
    const bounds = new Map<string, number>([
      ['running', service],
      [holder, own],
    ]);
    return unlessConditionFails(this.#update(takenIn(name, bounds)));
  }

  async #read(consistent = false): Promise<Item> {
    return (await this.#table.get<Item>(KEY, consistent)) ?? {};
  }

  #update(expressions: Parameters<Table['update']>[1]): Promise<Item> {
    return this.#table.update(KEY, { ReturnValues: 'ALL_NEW', ...expressions }) as Promise<Item>;
  }

  #health(item: Item): ProviderHealth {
    const now = this.#clock();
    const cooling: Partial<Record<ProviderName, number>> = {};
    const lately: Lately = {};
    for (const name of PROVIDER_NAMES) {
      const until = item[`cooldown#${name}`]?.until ?? 0;
      if (until > now) cooling[name] = until;
      const averages = item[`lately#${name}`];
      if (averages) lately[name] = averages;
    }
    return { failed: PROVIDER_NAMES.filter((name) => item[`cooldown#${name}`]), cooling, lately };
  }
}

const KEY = { id: '#providers' };
