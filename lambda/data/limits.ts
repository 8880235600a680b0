import type { LimitsTable } from '../access/shared-counter.ts';
import { SharedCounter } from '../access/shared-counter.ts';
import type { Closures } from '../access/stage-state.ts';
import { DataProblem } from '../sites/data/http.ts';

/** How much of a stage's data changes. */
interface DataLimits {
  /** The most writes of an address. */
  readonly writesPerMinute: number;
  /** The most creations of a site in a UTC day. */
  readonly creationsPerDay: number;
  /** The most creations of all sites without an owner in a UTC day. */
  readonly anonymousCreationsPerDay: number;
}

interface ReadLimit {
  readonly windowSeconds: number;
  readonly reads: number;
}

const DAY_SECONDS = 86_400;

/** The counter of the items of all sites without an owner. No caller has this id. */
const EVERYONE = '#data';

/** It is not known when the operator opens the data again. */
const CLOSED_SECONDS = 600;

/** Counts requests for data in batches: an address gets at most a batch more from each instance. */
export class RequestLimits {
  readonly #reads: SharedCounter;
  readonly #writes: SharedCounter;
  readonly #ofAddress: SharedCounter;
  readonly #anonymous: SharedCounter;
  readonly #closures: Closures;
  readonly #clock: () => number;

  constructor(
    table: LimitsTable,
    { windowSeconds, reads }: ReadLimit,
    { writesPerMinute, creationsPerDay, anonymousCreationsPerDay }: DataLimits,
    closures: Closures,
  ) {
    this.#closures = closures;
    this.#clock = table.clock;
    const shared = (name: string, seconds: number, limit: number, share: number) =>
      new SharedCounter(table, {
        name,
        windowSeconds: seconds,
        limit,
        batch: Math.max(1, Math.ceil(limit / share)),
      });
    // The same count as that of reads of the API.
    this.#reads = shared('reads', windowSeconds, reads, 30);
    this.#writes = shared('dataWrites', 60, writesPerMinute, 12);
    // No address alone takes a site's creations of a day, nor those of all sites without an owner.
    this.#ofAddress = shared('dataCreations', DAY_SECONDS, Math.ceil(creationsPerDay / 2), 50);
    this.#anonymous = shared('dataCreations', DAY_SECONDS, anonymousCreationsPerDay, 1_000);
  }

  /** Counts a request of an address. @throws DataProblem too_many, unavailable if the operator has closed changes */
  async count(address: string, isRead: boolean): Promise<void> {
    if (!isRead) await this.#requireOpen();
    const { allowed, resetAt } = await (isRead ? this.#reads : this.#writes).count(`address:${address}`);
    if (allowed) return;
    throw tooMany(`Too many ${isRead ? 'requests' : 'changes'} from your address`, this.#secondsUntil(resetAt));
  }

  /**
   * @param isAnonymous whether the site has no owner
   * @throws DataProblem too_many if the address, or all sites without an owner, have created too many items today
   */
  async requireRoom(address: string, isAnonymous: boolean): Promise<void> {
    const own = await this.#ofAddress.count(`address:${address}`, 0);
    if (!own.allowed) throw tooMany('Too many new items from your address today', this.#secondsUntil(own.resetAt));
    if (!isAnonymous) return;
    const { allowed, resetAt } = await this.#anonymous.count(EVERYONE, 0);
    if (!allowed) throw tooMany('Sites without an owner accept no more today', this.#secondsUntil(resetAt));
  }

  /** Counts an item that was created. */
  async countCreation(address: string, isAnonymous: boolean): Promise<void> {
    await Promise.all([
      this.#ofAddress.count(`address:${address}`),
      isAnonymous ? this.#anonymous.count(EVERYONE) : undefined,
    ]);
  }

  async #requireOpen(): Promise<void> {
    for (const closure of ['data', 'all'] as const)
      if (await this.#closures.closedUntil(closure))
        throw new DataProblem('unavailable', 'The operator of this service has closed changes for now', {
          headers: { 'Retry-After': String(CLOSED_SECONDS) },
        });
  }

  #secondsUntil(time: number): number {
    return Math.max(1, Math.ceil((time - this.#clock()) / 1_000));
  }
}

function tooMany(what: string, seconds: number): DataProblem {
  return new DataProblem('too_many', `${what}: try again in ${seconds} s`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
