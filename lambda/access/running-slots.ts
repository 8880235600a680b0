import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { nanoid } from 'nanoid';
import * as z from 'zod';
import { unlessConditionFails } from '../platform/dynamodb.ts';
import { log } from '../platform/log.ts';
import type { LimitsTable } from './shared-counter.ts';

/** How many invocations of a kind run at the same time. */
export const slotShares = z.object({
  /** Under which the invocations are counted. */
  kind: z.string(),
  /** Of an API key or access token. */
  key: z.int(),
  /** Of each of the tenants that callers without a credential share. */
  anonymous: z.int(),
  /** Of all callers without a credential. */
  anonymousTogether: z.int(),
});

export type SlotShares = z.output<typeof slotShares>;

/** Who holds a slot. */
export interface SlotHolder {
  /** Of letters, digits and colons. */
  readonly name: string;
  readonly isAnonymous: boolean;
}

/** The names of slots that are taken, by their set. */
type Sets = ReadonlyMap<string, ReadonlySet<string>>;

/** A slot that is older was not freed, because a function died in between. */
const LEASE_MS = 120_000;

const TOGETHER = 'anonymous';

/** A slot is tried to take again after those of dead functions were freed. */
const ROUNDS = 2;

/**
 * The invocations that run at the same time, in one item of the table of rate limits for each kind: no tenant, and not all
 * callers without a credential together, hold more than their share. Exact under concurrency. One write takes a slot, and
 * another one frees it.
 */
export class RunningSlots {
  readonly #limits: LimitsTable;
  readonly #shares: SlotShares;

  constructor(limits: LimitsTable, shares: SlotShares) {
    this.#limits = limits;
    this.#shares = shares;
  }

  /**
   * Takes a slot. If the table cannot be reached, everybody has one: what it protects is bounded by the concurrency too.
   * @returns what frees it; undefined if there is none
   */
  async take({ name: holder, isAnonymous }: SlotHolder): Promise<(() => Promise<void>) | undefined> {
    const { kind, key, anonymous, anonymousTogether } = this.#shares;
    const bounds = new Map([[`of#${holder}`, isAnonymous ? anonymous : key]]);
    if (isAnonymous) bounds.set(TOGETHER, anonymousTogether);
    const name = `${nanoid()}@${this.#limits.clock()}`;
    try {
      for (let round = 0; round < ROUNDS; round++) {
        if (await this.#add(name, bounds)) return () => this.#free(name, [...bounds.keys()]);
        const expired = await this.#expired();
        if (expired.size === 0) return undefined;
        await this.#remove(expired);
      }
      return undefined;
    } catch (error) {
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
    const { db, table } = this.#limits;
    const sets = [...bounds];
    const update = new UpdateCommand({
      TableName: table,
      Key: this.#key(),
      UpdateExpression: `ADD ${sets.map((_, i) => `#set${i} :slot`).join(', ')}`,
      ConditionExpression: sets
        .map((_, i) => `(attribute_not_exists(#set${i}) OR size(#set${i}) < :bound${i})`)
        .join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(sets.map(([set], i) => [`#set${i}`, set])),
      ExpressionAttributeValues: {
        ':slot': new Set([name]),
        ...Object.fromEntries(sets.map(([, bound], i) => [`:bound${i}`, bound])),
      },
    });
    return (await unlessConditionFails(db.send(update))) !== undefined;
  }

  async #expired(): Promise<Sets> {
    const { db, table, clock } = this.#limits;
    const get = new GetCommand({ TableName: table, Key: this.#key(), ConsistentRead: true });
    const { Item = {} } = await db.send(get);
    const before = clock() - LEASE_MS;
    const isExpired = (name: string) => Number(name.slice(name.lastIndexOf('@') + 1)) < before;
    const expired = new Map<string, Set<string>>();
    for (const [set, names] of Object.entries(Item)) {
      const old = names instanceof Set ? Array.from(names as Set<string>).filter(isExpired) : [];
      if (old.length > 0) expired.set(set, new Set(old));
    }
    return expired;
  }

  async #remove(slots: Sets): Promise<void> {
    const { db, table } = this.#limits;
    const sets = [...slots];
    await db.send(
      new UpdateCommand({
        TableName: table,
        Key: this.#key(),
        UpdateExpression: `DELETE ${sets.map((_, i) => `#set${i} :slots${i}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(sets.map(([set], i) => [`#set${i}`, set])),
        ExpressionAttributeValues: Object.fromEntries(sets.map(([, names], i) => [`:slots${i}`, names])),
      }),
    );
  }

  /** Ids of callers contain a colon, and no `#`. */
  #key() {
    return { caller: `#slots-${this.#shares.kind}` };
  }
}
