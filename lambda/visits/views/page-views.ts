import { log } from '../../platform/log.ts';
import { CircuitOpen } from '../../platform/unreachable.ts';
import { type DayKey, type DayViews, toDayViews } from '../../stored/views/day-views.ts';
import { Batch, type CountedView } from './batch.ts';
import { type PassedOver, planLists, type ViewStore, type WriteName } from './view-store.ts';

/** The store of views. */
export type StoredViews = Pick<ViewStore, 'read' | 'add' | 'shrink'>;

/** A name that was passed over is forgotten after so many others. */
const REMEMBERED_NAMES = 100;

/** The views of a page and day that an instance has counted. */
export class PageViews {
  readonly key: DayKey;
  readonly #store: StoredViews;
  readonly #nameWrite: () => WriteName;
  readonly #passedOver: PassedOver = { pages: new Map(), fallbacks: new Map(), referrers: new Map() };
  /** What the table has, as far as this instance knows. */
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
      if (!(error instanceof CircuitOpen))
        log.error('views not written', { deployment: this.key.page, error });
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
