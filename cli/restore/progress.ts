import type { Output } from '../../terminal/program.ts';

const EVERY_MS = 5_000;

/** Counts outcomes by item, and prints them every five seconds. */
export class Progress {
  readonly #name: string;
  readonly #stderr: Output;
  readonly #counts = new Map<string, number>();
  #saidAt = Date.now();

  constructor(name: string, stderr: Output) {
    this.#name = name;
    this.#stderr = stderr;
  }

  count(outcome: string, by = 1): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + by);
    if (Date.now() - this.#saidAt < EVERY_MS) return;
    this.#saidAt = Date.now();
    this.#stderr.write(`${this.text} ...\n`);
  }

  get(outcome: string): number {
    return this.#counts.get(outcome) ?? 0;
  }

  /** The counts, such as `deployments: 1,200 copied, 30 kept`. */
  get text(): string {
    const counts = [...this.#counts].map(([outcome, count]) => `${count.toLocaleString('en')} ${outcome}`);
    return `${this.#name}: ${counts.join(', ') || 'nothing'}`;
  }
}

/** How many items are processed at the same time. */
const CONCURRENT = 32;

/**
 * Performs a function for each item, for several at the same time. The first error is thrown once pending calls have
 * ended.
 */
export async function each<Item>(items: AsyncIterable<Item>, perform: (item: Item) => Promise<void>): Promise<void> {
  const source = items[Symbol.asyncIterator]();
  // Workers share the iterator, which must be called one at a time.
  let last: Promise<unknown> = Promise.resolve();
  const next = (): Promise<IteratorResult<Item>> => {
    const result = last.then(() => source.next());
    last = result;
    return result;
  };
  let failed = false;
  const worker = async () => {
    for (let item = await next(); !item.done && !failed; item = await next())
      await perform(item.value).catch((error: unknown) => {
        failed = true;
        throw error;
      });
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENT }, worker));
  const error = results.find((result) => result.status === 'rejected');
  if (error) throw error.reason;
}
