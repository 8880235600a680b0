import { DATA_LIMITS } from '../../contract/limits.ts';
import type { CollectionState, DataStore, Item, ItemPage, ListRequest, NewItem, Refusal } from './store.ts';

interface Limits {
  readonly items: number;
  readonly bytes: number;
}

/** What is stored of an item. */
interface Entry {
  readonly item: Item;
  readonly bytes: number;
  readonly unique: string | undefined;
}

interface Stored {
  readonly entries: Map<string, Entry>;
  revision: number;
}

/** The most of a page, as in the database. */
const PAGE_BYTES = 1_048_576;

/** The data of a site in memory, for trials: it ends with the process, or with the page. */
export class MemoryStore implements DataStore {
  readonly #limits: Limits;
  readonly #collections = new Map<string, Stored>();

  constructor(limits: Limits = DATA_LIMITS) {
    this.#limits = limits;
  }

  async state(collection: string): Promise<CollectionState> {
    const { entries, revision } = this.#of(collection);
    const all = [...entries.values()];
    const tally: Record<string, number> = {};
    for (const { tally: value } of all.map(({ item }) => item))
      if (value !== undefined) tally[value] = (tally[value] ?? 0) + 1;
    return { items: all.length, waiting: all.filter(({ item }) => !item.shown).length, revision, tally };
  }

  async list(collection: string, { limit, before, author, shownOnly }: ListRequest): Promise<ItemPage> {
    const all = [...this.#of(collection).entries.values()]
      .filter(({ item }) => before === undefined || item.id < before)
      .filter(({ item }) => author === undefined || item.author === author)
      .filter(({ item }) => item.shown || !shownOnly)
      .toSorted((a, b) => (a.item.id < b.item.id ? 1 : -1));
    let bytes = 0;
    const page = all.slice(0, limit).filter((entry, index) => {
      bytes += entry.bytes;
      return index === 0 || bytes <= PAGE_BYTES;
    });
    const items = page.map(({ item }) => item);
    const last = items.at(-1);
    return last === undefined || items.length === all.length ? { items } : { items, next: last.id };
  }

  async get(collection: string, id: string): Promise<Item | undefined> {
    return this.#of(collection).entries.get(id)?.item;
  }

  async create(collection: string, { bytes, unique, most, repeatable, ...item }: NewItem): Promise<Item | Refusal> {
    const stored = this.#of(collection);
    const earlier = stored.entries.get(item.id);
    if (earlier !== undefined && repeatable) return earlier.item;
    const entries = [...stored.entries.values()];
    if (unique !== undefined && entries.some((entry) => entry.unique === unique)) return 'duplicate';
    if (most !== undefined && entries.length >= most) return 'full';
    const total = this.#total();
    if (total.items >= this.#limits.items || total.bytes + bytes > this.#limits.bytes) return 'site_full';
    const created = { ...item, updatedAt: item.createdAt, revision: 1 };
    stored.entries.set(item.id, { item: created, bytes, unique });
    stored.revision++;
    return created;
  }

  async update(
    collection: string,
    before: Item,
    { fields, bytes, shown, at, tally }: Parameters<DataStore['update']>[2],
  ): Promise<Item | 'site_full' | undefined> {
    const stored = this.#of(collection);
    const entry = stored.entries.get(before.id);
    if (entry?.item.revision !== before.revision) return undefined;
    const growth = bytes - entry.bytes;
    if (growth > 0 && this.#total().bytes + growth > this.#limits.bytes) return 'site_full';
    const { tally: from, ...rest } = entry.item;
    const to = tally === undefined ? from : tally.to;
    const item = {
      ...rest,
      fields,
      shown,
      updatedAt: at,
      revision: before.revision + 1,
      ...(to !== undefined && { tally: to }),
    };
    stored.entries.set(item.id, { ...entry, item, bytes });
    stored.revision++;
    return item;
  }

  async remove(collection: string, { id }: Item): Promise<boolean> {
    const stored = this.#of(collection);
    const isGone = !stored.entries.delete(id);
    if (!isGone) stored.revision++;
    return !isGone;
  }

  /** Returns all data as JSON, which `restore` reads. */
  save(): string {
    return JSON.stringify(
      [...this.#collections].map(([name, { entries, revision }]) => [name, revision, [...entries]]),
    );
  }

  restore(saved: string): void {
    for (const [name, revision, entries] of JSON.parse(saved))
      this.#collections.set(name, { entries: new Map(entries), revision });
  }

  #total(): Limits {
    const all = [...this.#collections.values()].flatMap(({ entries }) => [...entries.values()]);
    return { items: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  #of(collection: string): Stored {
    const stored = this.#collections.get(collection) ?? { entries: new Map(), revision: 0 };
    this.#collections.set(collection, stored);
    return stored;
  }
}
