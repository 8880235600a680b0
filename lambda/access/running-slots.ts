import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { nanoid } from 'nanoid';
import type { SlotShares } from '../contract/slot-shares.ts';
import { unlessConditionFails } from '../platform/dynamodb.ts';
import { log } from '../platform/log.ts';
import { isUnreachable } from '../platform/unreachable.ts';
import type { LimitsTable } from './shared-counter.ts';
import { expiredSlots, removedFrom, type SlotSets, takenIn } from './slot-sets.ts';

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
  readonly #limits: LimitsTable;
  readonly #shares: SlotShares;

  constructor(limits: LimitsTable, shares: SlotShares) {
    this.#limits = limits;
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
    return (await unlessConditionFails(this.#update(takenIn(name, bounds)))) !== undefined;
  }

  async #expired(): Promise<SlotSets> {
    const { db, table, clock } = this.#limits;
    const get = new GetCommand({ TableName: table, Key: this.#key(), ConsistentRead: true });
    const { Item = {} } = await db.send(get);
    return expiredSlots(Item, clock() - LEASE_MS);
  }

  async #remove(slots: SlotSets): Promise<void> {
    await this.#update(removedFrom(slots));
  }

  #update(expressions: Omit<UpdateCommand['input'], 'TableName' | 'Key'>) {
    const { db, table } = this.#limits;
    return db.send(new UpdateCommand({ TableName: table, Key: this.#key(), ...expressions }));
  }

  /** Ids of callers contain a colon, and no `#`. */
  #key() {
    return { caller: `#slots-${this.#shares.kind}` };
  }
}
