import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { nanoid } from 'nanoid';
import { type Clock, dayOf } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import { CircuitBreaker, CircuitOpen } from '../../platform/unreachable.ts';
import { type DayKey, type DayViews, toDayViews } from '../../stored/views.ts';
import { Batch, type CountedView, countedView } from './batch.ts';
import type { View } from './view.ts';
import { type PassedOver, planLists, ViewStore, type WriteName } from './view-store.ts';

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
  return new ViewCounter(store, clock);
}

/**
 * Counts views in memory and writes them in batches. A frozen instance runs no timers, so only visits write: visits of
 * the page, and any other visit that the instance gets.
 *
 * The views of a page are written when 25 of them are unwritten. Fewer are written if the last write was at least n
 * seconds ago, where n is the number of views that the instance counted that day, at most 60: the first view at once, and
 * views of a quiet page soon. `Allowance` limits these early writes. An instance that stops loses at most 24 views of each
 * page, unless the table could not be reached.
 */
export class ViewCounter {
  readonly #store: StoredViews;
  readonly #clock: Clock;
  readonly #salt: DaySalt;
  readonly #early = new Allowance();
  readonly #slot = String(Math.floor(Math.random() * SLOTS));
  readonly #instance = nanoid(8);
  #writes = 0;
  /** The page that was viewed least recently is first. */
  readonly #pages = new Map<string, Entry>();

  constructor(store: StoredViews & Pick<ViewStore, 'salt'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#salt = new DaySalt((day) => store.salt(day));
  }

  /** Begins to read what counting a view of a page needs, while the visit reads its files. */
  prepare(page: string): void {
    const day = dayOf(this.#clock());
    this.#entry(page, day);
    void this.#salt.of(day);
  }

  /** Counts a view. @returns after it is written, if it is written now */
  async count(view: View): Promise<void> {
    const day = dayOf(this.#clock());
    const entry = this.#entry(view.page, day);
    entry.page.add(countedView(view, await this.#salt.of(day)));
    if (this.#isDue(entry)) await this.#write(entry);
  }

  /** Writes the views of the page that has waited longest, if it has waited long enough. Called by every visit. */
  async writeOverdue(): Promise<void> {
    this.#salt.forgetPast(dayOf(this.#clock()));
    const due = [...this.#pages.values()].filter((entry) => this.#isDue(entry));
    const [first] = due.toSorted((a, b) => a.waitsUntil - b.waitsUntil);
    if (first) await this.#write(first);
  }

  #isDue({ page, waitsUntil, retriesAt }: Entry): boolean {
    const now = this.#clock();
    if (page.unwritten === 0 || page.isWriting || now < retriesAt) return false;
    return page.unwritten >= BATCH || (now >= waitsUntil && this.#early.has(now));
  }

  async #write(entry: Entry): Promise<void> {
    const { page } = entry;
    const now = this.#clock();
    if (page.unwritten < BATCH) this.#early.take();
    entry.waitsUntil = now + Math.min(page.counted * 1_000, LONGEST_WAIT_MS);
    if (!(await page.write())) entry.retriesAt = this.#clock() + RETRY_MS;
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
    return { page: new PageViews({ page, day }, this.#store, nameWrite), waitsUntil: 0, retriesAt: 0 };
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

/** The most early writes at once. */
const AT_ONCE = 10;

/** Milliseconds until another early write is allowed. */
const PAUSE_MS = 2_000;

/** How many writes with few views an instance may make: some at once, and then one every two seconds. */
class Allowance {
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

/** The salt of the current day. That of the last day is forgotten with the first view of the next one. */
export class DaySalt {
  readonly #read: (day: string) => Promise<Uint8Array>;
  #held: { readonly day: string; readonly salt: Promise<Uint8Array | undefined> } | undefined;

  constructor(read: (day: string) => Promise<Uint8Array>) {
    this.#read = read;
  }

  /** Forgets the salt of another day. */
  forgetPast(day: string): void {
    if (this.#held && this.#held.day < day) this.#held = undefined;
  }

  /** Returns undefined if the salt cannot be read now. */
  of(day: string): Promise<Uint8Array | undefined> {
    if (this.#held?.day === day) return this.#held.salt;
    const salt = this.#read(day).catch((error: unknown) => {
      if (this.#held?.salt === salt) this.#held = undefined;
      if (!(error instanceof CircuitOpen)) log.error('salt not read', { day, error });
      return undefined;
    });
    this.#held = { day, salt };
    return salt;
  }
}

type StoredViews = Pick<ViewStore, 'read' | 'add' | 'shrink'>;

/** A name that was passed over is forgotten after so many others. */
const REMEMBERED_NAMES = 100;

/** The views of a page and day that an instance has counted. */
class PageViews {
  readonly key: DayKey;
  readonly #store: StoredViews;
  readonly #nameWrite: () => WriteName;
  readonly #passedOver: PassedOver = { pages: new Map(), fallbacks: new Map(), referrers: new Map() };
  /** The counts of the table, as far as this instance knows. */
  #known: Promise<DayViews>;
  #waiting = new Batch();
  /** The batch of a write that has not succeeded: it may have taken place, so it is repeated under its name. */
  #sent: { readonly batch: Batch; readonly name: WriteName } | undefined;
  /** How many views this instance has counted. */
  counted = 0;
  isWriting = false;

  /** @param nameWrite returns a name for a write */
  constructor(key: DayKey, store: StoredViews, nameWrite: () => WriteName) {
    this.key = key;
    this.#store = store;
    this.#nameWrite = nameWrite;
    // Without it, the first write finds out.
    this.#known = store.read(key).catch(() => toDayViews());
  }

  /** How many views are not written. */
  get unwritten(): number {
    return this.#waiting.size + (this.#sent?.batch.size ?? 0);
  }

  add(view: CountedView): void {
    this.counted++;
    this.#waiting.add(view);
  }

  /** Writes what waits, or repeats the write that did not succeed. @returns whether it succeeded */
  async write(): Promise<boolean> {
    this.isWriting = true;
    this.#sent ??= this.#next();
    try {
      await this.#add(this.#sent.batch, this.#sent.name);
      this.#sent = undefined;
      return true;
    } catch (error) {
      // The error that opened the circuit is in the log.
      if (!(error instanceof CircuitOpen)) log.error('views not written', { deployment: this.key.page, error });
      return false;
    } finally {
      this.isWriting = false;
    }
  }

  #next() {
    const batch = this.#waiting;
    this.#waiting = new Batch();
    return { batch, name: this.#nameWrite() };
  }

  /** Tries twice to introduce names, since another instance may do so at the same time. */
  async #add(batch: Batch, name: WriteName): Promise<void> {
    const store = this.#store;
    for (const mayIntroduce of [true, true, false]) {
      const known = await this.#known;
      const plans = planLists(batch, known, this.#passedOver, mayIntroduce);
      const stored = await store.add(this.key, batch, known, plans, name);
      if (stored) {
        for (const [list, { passedOver }] of Object.entries(plans)) this.#passOver(list, passedOver);
        this.#known = Promise.resolve(stored);
        this.#known = Promise.resolve(await store.shrink(this.key, stored));
        return;
      }
      const current = await store.read(this.key, true);
      this.#known = Promise.resolve(current);
      if (current.writes.get(name.slot) === name.name) return;
    }
    throw new Error('Other instances changed the item each time');
  }

  #passOver(list: string, names: ReadonlyMap<string, number>): void {
    const known = this.#passedOver[list as keyof PassedOver];
    for (const [name, views] of names) {
      const before = known.get(name) ?? 0;
      known.delete(name);
      known.set(name, before + views);
      const [oldest = name] = known.keys();
      if (known.size > REMEMBERED_NAMES) known.delete(oldest);
    }
  }
}
