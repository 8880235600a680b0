import type { DynamoDBDocumentClient, UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { nanoid } from 'nanoid';
import { type Clock, dayOf, endOfDay } from '../platform/clock.ts';
import { Table, unlessConditionFails } from '../platform/dynamodb.ts';
import { emitMetrics } from '../platform/log.ts';
import type { Amounts, Denial, Limit } from './budgets.ts';

/** The most that a call can take. It counts from before the call until it is settled. */
export interface Reservation {
  /** The UTC day whose budgets it belongs to, even if the call ends on the next one. */
  readonly day: string;
  /** Its entry in the item of the day: see `refOf`. */
  readonly ref: string;
  readonly limits: readonly Limit[];
  readonly amounts: Amounts;
}

interface DayItem {
  /** Counters by the names of `counterOf`: each is the sum that calls have used and reserved. */
  readonly [counter: string]: unknown;
  /** The reservations that are not settled. */
  readonly open?: ReadonlySet<string>;
}

/** No call is longer than a Lambda function: after that, a reservation that is open will never be settled. */
const LONGEST_CALL_MS = 15 * 60_000;
/** How long a caller waits for running calls to be settled. A call takes about a minute. */
const RUNNING_MS = 60_000;
const KEPT_SECONDS = 7 * 24 * 60 * 60;
/** So many times in a row, other calls may end between a denied write and the read that finds room, before it counts as denied. */
const ROUNDS = 4;

/**
 * The budgets of a UTC day, in one item of the table of generations (whose ids have no `#`). A counter is the sum of what was
 * taken and what is reserved. One conditional write makes a reservation in all budgets or in none, and another one settles it,
 * so a repetition of either changes nothing. The reservation of a function that died stays counted.
 */
export class BudgetStore {
  readonly #table: Table;
  readonly #clock: Clock;

  constructor(db: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new Table(db, table);
    this.#clock = clock;
  }

  /** Returns a reservation, which `reserve` makes. @param limits the payer's own ones first */
  draft(limits: readonly Limit[], amounts: Amounts): Reservation {
    const now = this.#clock();
    return { day: dayOf(now), ref: refOf(limits[0]?.scope, amounts, now), limits, amounts };
  }

  /**
   * Makes a reservation, unless that would exceed a limit. Writes nothing without limits. May be repeated after an error.
   * @returns why it was denied; undefined if it was not
   */
  async reserve(reservation: Reservation): Promise<Denial | undefined> {
    const { limits, amounts } = reservation;
    if (limits.length === 0) return undefined;
    const mayFit = limits.every(({ unit, most }) => amounts[unit] <= most);
    for (let round = 1; ; round++) {
      if (mayFit && (await this.#add(reservation))) return undefined;
      const item = await this.#read(reservation.day);
      // The SDK repeats a write whose response was lost.
      if (item.open?.has(reservation.ref)) return undefined;
      const denial = denialOf(reservation, item, this.#clock(), round === ROUNDS);
      if (denial?.isSpent) emitUsed(denial.limit.scope, 100);
      if (denial) return denial;
    }
  }

  /**
   * Replaces what was reserved by what was taken. A repetition changes nothing.
   * @param taken without it, what was reserved counts as taken
   */
  async settle({ day, ref, limits, amounts }: Reservation, taken = amounts): Promise<void> {
    if (limits.length === 0) return;
    const { adds, names, values } = additions(limits, {
      microUsd: taken.microUsd - amounts.microUsd,
      tokens: taken.tokens - amounts.tokens,
    });
    const item = await this.#write(day, {
      UpdateExpression: `ADD ${adds} DELETE #open :refs`,
      ConditionExpression: 'contains(#open, :ref)',
      ExpressionAttributeNames: { ...names, '#open': 'open' },
      ExpressionAttributeValues: { ...values, ':ref': ref, ':refs': new Set([ref]) },
      ReturnValues: 'ALL_NEW',
    });
    if (item) noteSpent(limits, item, this.#clock());
  }

  /** Adds a reservation to the counters. @returns false if it is there, or a limit would be exceeded */
  async #add({ day, ref, limits, amounts }: Reservation): Promise<boolean> {
    const { adds, names, values } = additions(limits, amounts);
    const rooms = limits.map(({ unit, most }, i) => [`:room${i}`, most - amounts[unit]] as const);
    const fits = limits.map((_, i) => `(attribute_not_exists(#n${i}) OR #n${i} <= :room${i})`);
    const written = await this.#write(day, {
      UpdateExpression: `ADD ${adds}, #open :refs SET expiresAt = :expiresAt`,
      ConditionExpression: `NOT contains(#open, :ref) AND ${fits.join(' AND ')}`,
      ExpressionAttributeNames: { ...names, '#open': 'open' },
      ExpressionAttributeValues: {
        ...values,
        ...Object.fromEntries(rooms),
        ':ref': ref,
        ':refs': new Set([ref]),
        ':expiresAt': Date.parse(day) / 1000 + KEPT_SECONDS,
      },
    });
    return written !== undefined;
  }

  /** @returns the attributes that `ReturnValues` requests; undefined if the condition fails */
  async #write(day: string, change: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<DayItem | undefined> {
    return unlessConditionFails(this.#table.update(keyOf(day), change));
  }

  async #read(day: string): Promise<DayItem> {
    return (await this.#table.get<DayItem>(keyOf(day))) ?? {};
  }
}

const keyOf = (day: string) => ({ id: `#budget-${day}` });

const counterOf = ({ scope, unit }: Limit) => `${scope}/${unit}`;

/** Emits how much of the budgets of the day is spent, without what running calls have reserved. */
function noteSpent(limits: readonly Limit[], item: DayItem, now: number): void {
  for (const limit of limits) {
    if (limit.most === 0) continue;
    emitUsed(limit.scope, (100 * (Number(item[counterOf(limit)]) - runningOf(limit, item, now))) / limit.most);
  }
}

/** Emits how much of a shared budget is spent. Strangers can spend that of callers without a credential: it has a metric of its own. */
function emitUsed(scope: string, percent: number): void {
  if (scope === 'service') emitMetrics('Percent', { BudgetUsed: percent });
  if (scope === 'anonymous') emitMetrics('Percent', { AnonymousBudgetUsed: percent });
}

/** Returns the parts of an `ADD` of amounts to the counters of limits. */
function additions(limits: readonly Limit[], amounts: Amounts) {
  return {
    adds: limits.map((_, i) => `#n${i} :n${i}`).join(', '),
    names: Object.fromEntries(limits.map((limit, i) => [`#n${i}`, counterOf(limit)])),
    values: Object.fromEntries(limits.map(({ unit }, i) => [`:n${i}`, amounts[unit]])),
  };
}

/** Returns a unique entry that says until when its call runs, and what it reserved of whose budget. */
function refOf(payer = '', { microUsd, tokens }: Amounts, now: number): string {
  return [now + LONGEST_CALL_MS, payer, microUsd, tokens, nanoid(12)].join(' ');
}

/** Returns what the running calls have reserved of a limit. */
function runningOf({ scope, unit }: Limit, { open = new Set() }: DayItem, now: number): number {
  let sum = 0;
  for (const ref of open) {
    const [until, payer, microUsd, tokens] = ref.split(' ');
    const isRunning = Number(until) > now && (scope === 'service' || scope === payer);
    if (isRunning) sum += Number(unit === 'tokens' ? tokens : microUsd);
  }
  return sum;
}

/**
 * Returns why there is no room for a reservation; undefined if there is.
 * @param isLast whether one that has lost every race is denied
 */
function denialOf(
  { limits, amounts, day }: Reservation,
  item: DayItem,
  now: number,
  isLast: boolean,
): Denial | undefined {
  const denials: Denial[] = [];
  for (const limit of limits) {
    const { unit, most } = limit;
    const counted = Number(item[counterOf(limit)] ?? 0);
    if (counted + amounts[unit] <= most && !isLast) continue;
    const left = most - counted + runningOf(limit, item, now);
    const isSpent = amounts[unit] > left;
    const until = isSpent ? endOfDay(Date.parse(day)) : now + RUNNING_MS;
    denials.push({ limit, left, isSpent, until });
  }
  return denials.find(({ isSpent }) => isSpent) ?? denials[0];
}
