import { nanoid } from 'nanoid';
import type { SlotShares } from '../contract/slot-shares.ts';
import type { Clock } from '../platform/clock.ts';
import { Table, unlessConditionFails } from '../platform/dynamodb.ts';
import { log } from '../platform/log.ts';
import { isUnreachable } from '../platform/unreachable.ts';
import type { LimitsTable } from './shared-counter.ts';

/** Who holds a slot. */
export interface SlotHolder {
  /** The id of a tenant. */
  readonly name: string;
  readonly isAnonymous: boolean;
}

/** A slot that is older was not freed, because a function died in between. */
const LEASE_MS = 120_000;

const TOGETHER = 'anonymous';

/** After the slots of dead functions are freed, a second attempt takes one. */
const ROUNDS = 2;

/**
 * The invocations that run at the same time, in one item of the table of rate limits for each kind: no tenant, and not all
 * callers without a credential together, hold more than their share. Exact under concurrency. One write takes a slot, and
 * another one frees it.
 */
export class RunningSlots {
  readonly #table: Table;
  readonly #clock: Clock;
  /** Ids of callers contain a colon, and no `#`. */
  readonly #key: { readonly caller: string };
  readonly #shares: SlotShares;

  constructor({ db, table, clock }: LimitsTable, shares: SlotShares) {
    this.#table = new Table(db, table);
    this.#clock = clock;
    this.#key = { caller: `#slots-${shares.kind}` };
    this.#shares = shares;
  }

  /**
   * Takes a slot. If the table cannot be reached, everybody has one: what it protects is bounded by the concurrency too.
   * @returns a function that frees it; undefined if no slot is free
   */
  async take({ name: holder, isAnonymous }: SlotHolder): Promise<(() => Promise<void>) | undefined> {
    const { kind, key, anonymous, anonymousTogether } = this.#shares;
    const bounds = new Map([[`of#${holder}`, isAnonymous ? anonymous : key]]);
    if (isAnonymous) bounds.set(TOGETHER, anonymousTogether);
    const name = `${nanoid()}@${this.#clock()}`;
    try {
      for (let round = 0; round < ROUNDS; round++) {
        if (await this.#add(name, bounds)) return () => this.#free(name, [...bounds.keys()]);
        const expired = await this.#expired();
        if (expired.size === 0) return undefined;
        await this.#remove(expired);
      }
      return undefined;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      log.error('slot not taken', { kind, error });
      return async () => {};
    }
  }

  /** Errors are only logged: the slot ends with its lease. */
  async #free(name: string, sets: readonly string[]): Promise<void> {
    await this.#remove(new Map(sets.map((set) => [set, new Set([name])]))).catch((error: unknown) =>
      log.error('slot not freed', { kind: this.#shares.kind, error }),
    );
  }

  async #add(name: string, bounds: ReadonlyMap<string, number>): Promise<boolean> {
    return (await unlessConditionFails(this.#table.update(this.#key, takenIn(name, bounds)))) !== undefined;
  }

  async #expired(): Promise<SlotSets> {
    return expiredSlots((await this.#table.get(this.#key)) ?? {}, this.#clock() - LEASE_MS);
  }

  async #remove(slots: SlotSets): Promise<void> {
    await this.#table.update(this.#key, removedFrom(slots));
  }
}

/**
 * Slots of what runs at the same time, as sets in an item of DynamoDB by attribute. A slot is a name that ends with `@` and the Unix
 * milliseconds when it was taken: a slot that is not freed, because its function died, expires.
 */
type SlotSets = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the parts of an update that adds a slot to each set, unless one of them is full. The SDK repeats a write whose response was
 * lost: a slot that was taken is not refused.
 * @param bounds the most slots of each set
 */
export function takenIn(name: string, bounds: ReadonlyMap<string, number>) {
  const sets = [...bounds];
  // DynamoDB refuses redundant parentheses.
  const hasRoom = (i: number) =>
    `(contains(#set${i}, :name) OR attribute_not_exists(#set${i}) OR size(#set${i}) < :bound${i})`;
  return {
    UpdateExpression: `ADD ${sets.map((_, i) => `#set${i} :slot`).join(', ')}`,
    ConditionExpression: sets.map((_, i) => hasRoom(i)).join(' AND '),
    ExpressionAttributeNames: namesOf(sets),
    ExpressionAttributeValues: {
      ':name': name,
      ':slot': new Set([name]),
      ...Object.fromEntries(sets.map(([, bound], i) => [`:bound${i}`, bound])),
    },
  };
}

/** Returns the parts of an update that removes slots. */
export function removedFrom(slots: SlotSets) {
  const sets = [...slots];
  return {
    UpdateExpression: `DELETE ${sets.map((_, i) => `#set${i} :slots${i}`).join(', ')}`,
    ExpressionAttributeNames: namesOf(sets),
    ExpressionAttributeValues: Object.fromEntries(sets.map(([, names], i) => [`:slots${i}`, names])),
  };
}

const namesOf = (sets: readonly (readonly [string, unknown])[]) =>
  Object.fromEntries(sets.map(([set], i) => [`#set${i}`, set]));

/** Returns the slots of an item that were taken before a time, in Unix milliseconds. Its other attributes are ignored. */
export function expiredSlots(item: object, before: number): SlotSets {
  const isExpired = (name: string) => Number(name.slice(name.lastIndexOf('@') + 1)) < before;
  const expired = new Map<string, ReadonlySet<string>>();
  for (const [set, names] of Object.entries(item)) {
    const old = names instanceof Set ? Array.from(names as Set<string>).filter(isExpired) : [];
    if (old.length > 0) expired.set(set, new Set(old));
  }
  return expired;
}
