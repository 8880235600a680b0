import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Table } from './account.ts';

/** The age of the earliest restorable time, in milliseconds. */
const RECOVERY_MS = 35 * 86_400_000;

/** An item in DynamoDB's JSON. */
export type Item = Readonly<Record<string, unknown>>;

/** A write: its time, the key of the item, and the former item; `null` if there was none. */
interface Entry {
  readonly at: number;
  readonly key: Item;
  readonly before: Item | null;
}

/** The first line of a journal: the time since which it contains every write. */
interface Start {
  readonly since: number;
}

interface Described {
  readonly TableName: string;
  readonly KeySchema: Table['keySchema'];
}

/**
 * The former items of each write to tables with point-in-time recovery: a file of JSON lines for each table. An entry
 * is written before the item, without a buffer in this process, so that `kill -9` loses no entry.
 */
export class Journal {
  readonly #folder: string;
  /** File descriptors by table. */
  readonly #open = new Map<string, number>();

  constructor(folder: string, tables: readonly Table[]) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    for (const { name, recoverable } of tables) {
      if (!recoverable) continue;
      this.#begin(name);
      this.#open.set(name, openSync(this.#file(name), 'a'));
    }
  }

  has(table: string): boolean {
    return this.#open.has(table);
  }

  record({ TableName, KeySchema }: Described, before: Item | undefined, after: Item | undefined): void {
    const item = before ?? after;
    const file = this.#open.get(TableName);
    if (!item || file === undefined) return;
    const key = Object.fromEntries(KeySchema.map(({ AttributeName: name }) => [name, item[name]]));
    const entry: Entry = { at: Date.now(), key, before: before ?? null };
    writeSync(file, `${JSON.stringify(entry)}\n`);
  }

  close(): void {
    for (const file of this.#open.values()) closeSync(file);
    this.#open.clear();
  }

  /** Returns the earliest time to which a table can be restored, in Unix milliseconds. */
  earliest(table: string): number {
    return Math.max(this.#read(table).since, Date.now() - RECOVERY_MS);
  }

  /**
   * Returns the state at a time of items that were written since, by `keyOf`; `null` for items that did not exist.
   * Other items have not changed.
   */
  itemsAt(table: string, at: number): Map<string, Item | null> {
    const items = new Map<string, Item | null>();
    for (const entry of this.#read(table).entries) {
      const key = JSON.stringify(entry.key);
      // The first write since then has the state at that time.
      if (entry.at > at && !items.has(key)) items.set(key, entry.before);
    }
    return items;
  }

  /** Returns the key of an item in the result of `itemsAt`. */
  keyOf({ KeySchema }: Described, item: Item): string {
    return JSON.stringify(Object.fromEntries(KeySchema.map(({ AttributeName: name }) => [name, item[name]])));
  }

  /** Begins the journal of a table, or drops entries that are too old to be restored. */
  #begin(table: string): void {
    const file = this.#file(table);
    const oldest = Date.now() - RECOVERY_MS;
    const { since, entries } = existsSync(file) ? this.#read(table) : { since: Date.now(), entries: [] };
    const kept = entries.filter(({ at }) => at > oldest);
    const lines = [{ since: Math.max(since, oldest) } satisfies Start, ...kept];
    writeFileSync(`${file}.new`, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    renameSync(`${file}.new`, file);
  }

  #read(table: string): Start & { readonly entries: readonly Entry[] } {
    const lines = readFileSync(this.#file(table), 'utf8').split('\n').flatMap(parseLine);
    const [start, ...entries] = lines as [Start, ...Entry[]];
    return { ...start, entries };
  }

  #file(table: string): string {
    return join(this.#folder, `${table}.jsonl`);
  }
}

/** Ignores an incomplete line, which a killed process may have left before it wrote the item. */
function parseLine(line: string): object[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
