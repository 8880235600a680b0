import type { UsageResponse } from '../../../client/client.ts';

/** A visible row of a tree of files. */
export interface TreeRow {
  /** The path of the file, or of the folder without a slash at its end. */
  readonly path: string;
  readonly name: string;
  /** 1 at the top. */
  readonly level: number;
  /** Whether the contents of the folder are visible; absent for files. */
  readonly open?: boolean;
  /** Among its siblings, from 1. */
  readonly position: number;
  readonly siblings: number;
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
}

/** Returns the visible rows: in each folder its folders and then its files, by name. @param closed paths of closed folders */
export function treeRows(paths: readonly string[], closed: ReadonlySet<string>): TreeRow[] {
  const root: Folder = { folders: new Map(), files: [] };
  for (const path of new Set(paths)) {
    const segments = path.split('/');
    const name = segments.pop() ?? '';
    let folder = root;
    for (const segment of segments) {
      const next = folder.folders.get(segment) ?? { folders: new Map(), files: [] };
      folder.folders.set(segment, next);
      folder = next;
    }
    folder.files.push(name);
  }
  return rowsOf(root, '', 1, closed);
}

function rowsOf(folder: Folder, prefix: string, level: number, closed: ReadonlySet<string>): TreeRow[] {
  const names = [...folder.folders.keys()].sort();
  const siblings = names.length + folder.files.length;
  const inFolders = names.flatMap((name, at) => {
    const path = prefix + name;
    const open = !closed.has(path);
    const row = { path, name, level, open, position: at + 1, siblings };
    const inner = folder.folders.get(name);
    return [row, ...(open && inner ? rowsOf(inner, `${path}/`, level + 1, closed) : [])];
  });
  const files = folder.files
    .toSorted()
    .map((name, at) => ({ path: prefix + name, name, level, position: names.length + at + 1, siblings }));
  return [...inFolders, ...files];
}

/** The effect of a key: the row that gets the focus, or a folder that opens or closes. */
interface TreeMove {
  readonly focus?: string;
  readonly toggle?: string;
}

/** Returns what a key does in a tree, by the ARIA Authoring Practices, or undefined if it is not one of a tree. */
export function treeMove(rows: readonly TreeRow[], focused: string, key: string): TreeMove | undefined {
  const at = rows.findIndex(({ path }) => path === focused);
  const row = rows[at];
  if (row === undefined) return undefined;
  const focus = (index: number) => ({
    focus: rows[Math.min(Math.max(index, 0), rows.length - 1)]?.path ?? focused,
  });
  if (key === 'ArrowDown') return focus(at + 1);
  if (key === 'ArrowUp') return focus(at - 1);
  if (key === 'Home') return focus(0);
  if (key === 'End') return focus(rows.length - 1);
  if (key === 'ArrowRight') {
    if (row.open === undefined) return {};
    return row.open ? focus(at + 1) : { toggle: row.path };
  }
  if (key === 'ArrowLeft') {
    if (row.open) return { toggle: row.path };
    return row.level > 1 ? { focus: row.path.slice(0, row.path.lastIndexOf('/')) } : {};
  }
  // The next row that begins with a typed character.
  if (key.length === 1 && key !== ' ') {
    const after = [...rows.slice(at + 1), ...rows.slice(0, at + 1)];
    const found = after.find(({ name }) => name.toLowerCase().startsWith(key.toLowerCase()));
    return found ? { focus: found.path } : {};
  }
  return undefined;
}

export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'hunk';
  /** Without the sign. */
  readonly text: string;
  /** Number in the file after the change, or before it if the line is removed. */
  readonly number?: number;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const KINDS: Readonly<Record<string, DiffLine['kind']>> = {
  '+': 'added',
  '-': 'removed',
  ' ': 'same',
  '': 'same',
};

/** Returns the lines of a unified diff, without the names of its files and the marks of missing newlines. */
export function diffLines(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inHunk = false;
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      inHunk = true;
      lines.push({ kind: 'hunk', text: line });
      continue;
    }
    const kind = KINDS[line.charAt(0)];
    if (!inHunk || kind === undefined) continue;
    lines.push({ kind, text: line.slice(1), number: kind === 'removed' ? before : after });
    if (kind !== 'added') before++;
    if (kind !== 'removed') after++;
  }
  return lines;
}

/** The usage of one day, of all operations. */
interface UsageDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly calls: number;
  /** Calls with a status of 400 or more. */
  readonly failed: number;
  readonly tokens: number;
  readonly files: number;
  readonly cost: { readonly usd: number; readonly unpriced: number };
}

const DAY_MS = 86_400_000;

/** Returns every day of a report, also those without usage. */
export function usageDays({ from, to, days }: UsageResponse): UsageDay[] {
  const used = new Map(days.map(({ day, operations }) => [day, Object.values(operations)]));
  const all: UsageDay[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS) {
    const day = new Date(time).toISOString().slice(0, 10);
    const operations = used.get(day) ?? [];
    const sum = (of: (operation: (typeof operations)[number]) => number) =>
      operations.reduce((total, operation) => total + of(operation), 0);
    all.push({
      day,
      calls: sum(({ calls }) => calls),
      failed: sum(({ statuses }) => failedOf(statuses)),
      tokens: sum(({ tokens }) => tokens),
      files: sum(({ files }) => files),
      cost: { usd: sum(({ cost }) => cost.usd), unpriced: sum(({ cost }) => cost.unpriced) },
    });
  }
  return all;
}

const failedOf = (statuses: Readonly<Record<string, number | undefined>>) =>
  Object.entries(statuses).reduce((sum, [status, count = 0]) => sum + (Number(status) >= 400 ? count : 0), 0);
