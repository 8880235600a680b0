/** Values up to a total size, of which the most recently used ones are kept; the newest one is, whatever its size. */
export class RecentlyUsed<Value> {
  readonly #limit: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>();
  #total = 0;

  /** @param limit of the total size; of the number of values if all have the size 1 */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(name: string): Value | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    // Setting it again moves it to the end, so the first entry is the least recently used.
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry.value;
  }

  /** @param size in the unit of the total */
  set(name: string, value: Value, size = 1): void {
    this.delete(name);
    this.#entries.set(name, { value, size });
    this.#total += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#total <= this.#limit || oldest === name) return;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    this.#total -= this.#entries.get(name)?.size ?? 0;
    this.#entries.delete(name);
  }
}
