import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { nanoid } from 'nanoid';
import { type Clock, dayOf } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import { CircuitBreaker } from '../../platform/unreachable.ts';
import { Allowance } from './allowance.ts';
import { DaySalt } from './day-salt.ts';
import { PageViews } from './page-views.ts';
import type { View } from './view.ts';
import { ViewStore } from './view-store.ts';
import { countedView } from './visitor.ts';

export interface ViewCounterPorts {
  readonly store: Pick<ViewStore, 'salt' | 'read' | 'add' | 'shrink'>;
  readonly clock: Clock;
}

/** The number of unwritten views of a page that are written at once. */
const BATCH = 25;

/** The longest pause between two early writes of a page, in milliseconds. */
const LONGEST_WAIT_MS = 60_000;

/** After a failed write. */
const RETRY_MS = 5_000;

/** The most pages whose views an instance remembers. */
const PAGES = 500;

/** Attributes that instances share by chance, so that an item has a bounded number of them. */
const SLOTS = 16;

interface Entry {
  readonly page: PageViews;
  /** Unix milliseconds before which fewer than `BATCH` views are not written. */
  waitsUntil: number;
  /** Unix milliseconds before which nothing is written. */
  retriesAt: number;
}

/** Returns the counter of an instance, or undefined without a table. */
export function viewCounter(
  db: DynamoDBDocumentClient,
  table: string | undefined,
  clock: Clock,
): ViewCounter | undefined {
  if (table === undefined) return undefined;
  const store = new ViewStore({ db, table, circuit: new CircuitBreaker(clock) });
  return new ViewCounter({ store, clock });
}

/**
 * Counts views in memory and writes them together. A frozen instance runs no timers, so only visits write: those of the page, and
 * any other visit that the instance gets.
 *
 * A page is written when 25 of its views wait. Fewer are written once as many seconds have passed since its last write as the instance has counted
 * views of it that day, at most 60: the first view at once, those of a quiet page soon. Such early writes are limited by `Allowance`.
 * So an instance that stops loses at most 24 views of each page, unless the table could not be reached.
 */
export class ViewCounter {
  readonly #ports: ViewCounterPorts;
  readonly #salt: DaySalt;
  readonly #early = new Allowance();
  readonly #slot = String(Math.floor(Math.random() * SLOTS));
  readonly #instance = nanoid(8);
  #writes = 0;
  /** The page that was viewed least recently is first. */
  readonly #pages = new Map<string, Entry>();

  constructor(ports: ViewCounterPorts) {
    this.#ports = ports;
    this.#salt = new DaySalt((day) => ports.store.salt(day));
  }

  /** Begins to read what counting a view of a page needs, while the visit reads its files. */
  prepare(page: string): void {
    const day = dayOf(this.#ports.clock());
    this.#entry(page, day);
    void this.#salt.of(day);
  }

  /** Counts a view. @returns after it is written, if it is written now */
  async count(view: View): Promise<void> {
    const day = dayOf(this.#ports.clock());
    const entry = this.#entry(view.page, day);
    entry.page.add(countedView(view, await this.#salt.of(day)));
    if (this.#isDue(entry)) await this.#write(entry);
  }

  /** Writes the views of the page that has waited longest, if it has waited long enough. Called by every visit. */
  async writeOverdue(): Promise<void> {
    this.#salt.forgetPast(dayOf(this.#ports.clock()));
    const due = [...this.#pages.values()].filter((entry) => this.#isDue(entry));
    const [first] = due.toSorted((a, b) => a.waitsUntil - b.waitsUntil);
    if (first) await this.#write(first);
  }

  #isDue({ page, waitsUntil, retriesAt }: Entry): boolean {
    const now = this.#ports.clock();
    if (page.unwritten === 0 || page.isWriting || now < retriesAt) return false;
    return page.unwritten >= BATCH || (now >= waitsUntil && this.#early.has(now));
  }

  async #write(entry: Entry): Promise<void> {
    const { page } = entry;
    const now = this.#ports.clock();
    if (page.unwritten < BATCH) this.#early.take();
    entry.waitsUntil = now + Math.min(page.counted * 1_000, LONGEST_WAIT_MS);
    if (!(await page.write())) entry.retriesAt = this.#ports.clock() + RETRY_MS;
  }

  #entry(page: string, day: string): Entry {
    const name = `${page} ${day}`;
    const entry = this.#pages.get(name) ?? this.#opened(page, day);
    this.#pages.delete(name);
    this.#pages.set(name, entry);
    return entry;
  }

  #opened(page: string, day: string): Entry {
    for (const [name, entry] of this.#pages)
      if (entry.page.key.day !== day && entry.page.unwritten === 0) this.#pages.delete(name);
    if (this.#pages.size >= PAGES) this.#evict();
    const nameWrite = () => ({ slot: this.#slot, name: `${this.#instance}.${this.#writes++}` });
    const { store } = this.#ports;
    return { page: new PageViews({ page, day }, { store, nameWrite }), waitsUntil: 0, retriesAt: 0 };
  }

  /** Forgets a page, one without views that wait if there is one. */
  #evict(): void {
    const names = [...this.#pages];
    const [name, entry] = names.find(([, { page }]) => page.unwritten === 0) ?? names[0] ?? [];
    if (name === undefined || !entry) return;
    this.#pages.delete(name);
    if (entry.page.unwritten > 0)
      log.info('views lost', { deployment: entry.page.key.page, views: entry.page.unwritten });
  }
}
