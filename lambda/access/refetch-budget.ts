/** Fetches in a row that unknown key ids may cause, */
const AT_ONCE = 5;
/** and the pause after which they may cause one more. */
const PAUSE_MS = 5_000;
/** An id that the issuer did not have is not asked for again before. */
const ABSENT_MS = 10_000;

/**
 * Bounds the fetches of an issuer's keys that unknown key ids cause: a token bucket, and a memory of ids that were
 * absent, so that the tokens of one withdrawn key do not use the bucket up. Anyone can send tokens with random ids,
 * since the id is read before the signature can be verified.
 */
export class RefetchBudget {
  /** The bucket as a time: it is full when this is past, and empty when it is `AT_ONCE` pauses ahead. */
  #spentUntil = Number.NEGATIVE_INFINITY;
  /** When each id was last asked for. Only fetches add to it, so it stays small. */
  readonly #askedAt = new Map<string, number>();

  /** Returns whether the keys may be fetched for this id, and counts the fetch. */
  take(id: string, now: number): boolean {
    for (const [known, at] of this.#askedAt) if (now >= at + ABSENT_MS) this.#askedAt.delete(known);
    const spentUntil = Math.max(this.#spentUntil, now) + PAUSE_MS;
    if (this.#askedAt.has(id) || spentUntil > now + AT_ONCE * PAUSE_MS) return false;
    this.#spentUntil = spentUntil;
    this.#askedAt.set(id, now);
    return true;
  }

  /** Forgets which ids were absent: a fetch that failed has not answered for them. */
  forgetAbsent(): void {
    this.#askedAt.clear();
  }
}
