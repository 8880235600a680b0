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
export async function each<Item>(items: AsyncGenerator<Item>, perform: (item: Item) => Promise<void>): Promise<void> {
  // Generators queue the calls of several readers, and end for all of them when one leaves its loop.
  const worker = async () => {
    for await (const item of items) await perform(item);
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENT }, worker));
  const error = results.find((result) => result.status === 'rejected');
  if (error) throw error.reason;
}
