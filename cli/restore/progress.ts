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
