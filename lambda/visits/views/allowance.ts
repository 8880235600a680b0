/** The most early writes at once. */
const AT_ONCE = 10;

/** Milliseconds until another early write is allowed. */
const PAUSE_MS = 2_000;

/** How many writes with few views an instance may make: some at once, and then one every two seconds. */
export class Allowance {
  #left = AT_ONCE;
  #since = 0;

  /** @param now in Unix milliseconds */
  has(now: number): boolean {
    const more = Math.floor((now - this.#since) / PAUSE_MS);
    if (more > 0) {
      this.#left = Math.min(AT_ONCE, this.#left + more);
      this.#since += more * PAUSE_MS;
    }
    return this.#left > 0;
  }

  take(): void {
    this.#left--;
  }
}
