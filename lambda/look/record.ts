import type { LookProblem, LookWidth } from '../contract/looks.ts';
import type { Findings } from './findings.ts';
import type { Places } from './places.ts';

interface Pending {
  readonly make: () => LookProblem | undefined;
  readonly action: string | undefined;
}

/** A page can throw, and ask for what is missing, as fast as it runs. */
const MAX_PENDING = 500;
const MAX_REFUSED = 20;

/** What happens on a page at one width. */
export class PageRecord {
  /** What was done last, such as `after a press of "Save"`; undefined while the page loads. */
  action: string | undefined;
  /** Scripts and data elsewhere that were asked for, and are not there in a look. */
  readonly refused = new Set<string>();
  /** Whether the page left for another site while it loaded. */
  left = false;
  readonly width: LookWidth;
  readonly places: Places;
  readonly #findings: Findings;
  readonly #pending = new Map<number | string, Pending>();

  constructor(width: LookWidth, places: Places, findings: Findings) {
    this.width = width;
    this.places = places;
    this.#findings = findings;
  }

  /** Records a problem of the page as it is now. */
  add(problem: LookProblem): void {
    this.#add(problem, this.action);
  }

  /** Records a problem once it is known what else happened, unless `never` is called with its id. */
  later(id: number | string, make: () => LookProblem | undefined): void {
    if (this.#pending.size < MAX_PENDING && !this.#pending.has(id))
      this.#pending.set(id, { make, action: this.action });
  }

  /** Records what a look does not have. */
  refuse(url: string): void {
    if (this.refused.size < MAX_REFUSED) this.refused.add(url.slice(0, 200));
  }

  never(id: number): void {
    this.#pending.delete(id);
  }

  /** Whether something went wrong so far. */
  get hasFailed(): boolean {
    return this.#pending.size > 0;
  }

  flush(): void {
    for (const { make, action } of this.#pending.values()) {
      const problem = make();
      if (problem) this.#add(problem, action);
    }
    this.#pending.clear();
  }

  /** Returns a text with paths instead of URLs of the site. */
  named(text: string): string {
    const { home } = this.places;
    return text.replaceAll(home, '').replaceAll(new URL(home).origin, '');
  }

  /** An error is blocking only while the page loads. */
  #add({ blocking, ...problem }: LookProblem, action: string | undefined): void {
    const isBlocking = blocking && (action === undefined || problem.kind === 'hung');
    const named = { ...problem, message: this.named(problem.message), ...(isBlocking && { blocking }) };
    this.#findings.add(named, this.width, action);
  }
}
