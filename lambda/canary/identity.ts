import { type ApiKey, issueKey } from '../access/api-key.ts';
import type { Clock } from '../platform/clock.ts';
import { CANARY_KEY_ID } from '../platform/env.ts';

/** At least as long as a run, and longer than API functions cache a key; shorter than the time between two runs. */
const KEPT_MS = 240_000;

/** Longer than any run that uses the key. */
const VALID_MS = 15 * 60_000;

/**
 * Issues the canary's API key, a new one for each run. Only this instance knows it: the table stores the hash, and the role of the
 * function allows writing this one item only.
 */
export class Identity {
  readonly #renew: (record: ApiKey) => Promise<void>;
  readonly #clock: Clock;
  #key: string | undefined;
  #issuedAt = 0;

  constructor(renew: (record: ApiKey) => Promise<void>, clock: Clock) {
    this.#renew = renew;
    this.#clock = clock;
  }

  /** @throws ConditionalCheckFailedException if an operator revoked the key */
  async key(): Promise<string> {
    const now = this.#clock();
    if (this.#key !== undefined && now - this.#issuedAt < KEPT_MS) return this.#key;
    const attributes = { name: 'canary', scopes: [], expiresAt: now + VALID_MS };
    const { key, record } = issueKey(attributes, now, CANARY_KEY_ID);
    await this.#renew(record);
    this.#key = key;
    this.#issuedAt = now;
    return key;
  }
}
