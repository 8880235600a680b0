/** Capacity of the bucket, in fetches. */
const AT_ONCE = 5;
/** Time to refill the bucket by one fetch. */
const PAUSE_MS = 5_000;
/** How long an id that the issuer did not have causes no further fetch. */
const ABSENT_MS = 10_000;

/**
 * Limits the fetches of an issuer's keys for unknown key ids, since anyone can send tokens with random ids. A token
 * bucket, and a cache of absent ids so that tokens of one withdrawn key do not empty the bucket.
 */
export class RefetchBudget {
  /** The bucket as a time: full if it is in the past, empty if it is `AT_ONCE` pauses ahead. */
  #spentUntil = Number.NEGATIVE_INFINITY;
  /** When each id last caused a fetch. Bounded by the number of fetches. */
  readonly #askedAt = new Map<string, number>();

  /** Counts a fetch for this id; returns false if it is over the limit. */
  take(id: string, now: number): boolean {
    for (const [known, at] of this.#askedAt) if (now >= at + ABSENT_MS) this.#askedAt.delete(known);
    const spentUntil = Math.max(this.#spentUntil, now) + PAUSE_MS;
    if (this.#askedAt.has(id) || spentUntil > now + AT_ONCE * PAUSE_MS) return false;
    this.#spentUntil = spentUntil;
    this.#askedAt.set(id, now);
    return true;
  }

  /** Clears the absent ids: after a failed fetch, none of them is known to be absent. */
  forgetAbsent(): void {
    this.#askedAt.clear();
  }
}
