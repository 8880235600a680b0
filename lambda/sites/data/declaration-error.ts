/** Why `_data.json` declares no data: one sentence with the path or the line. */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError';
}

/** The name of the file that declares the data of a site. */
export const DATA_FILE = '_data.json';

/** @param path such as `messages.schema`; an empty string for the file */
export function fail(path: string, reason: string): never {
  throw new DeclarationError(path === '' ? `${DATA_FILE}: ${reason}` : `${DATA_FILE}: ${path} ${reason}`);
}

/** Rejects names that an object does not declare, with the known one that is closest. */
export function onlyKnown(path: string, names: Iterable<string>, known: readonly string[], note = ''): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const place = path === '' ? name : `${path}.${name}`;
    const similar = closest(name, known);
    fail(place, `is not known${similar === undefined ? note : `; did you mean ${similar}?`}`);
  }
}

/** Returns the known name that a misspelled one stands for, or undefined. */
function closest(name: string, known: readonly string[]): string | undefined {
  const rated = known.map((one) => ({ one, distance: distance(name.toLowerCase(), one.toLowerCase()) }));
  const [best] = rated.toSorted((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= (best.one.length > 4 ? 2 : 1) ? best.one : undefined;
}

/** Returns the number of letters to add, remove or replace (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...from.slice(0, 40)].entries()) {
    const next = [at + 1];
    for (let index = 1; index <= to.length; index++) {
      const replaced = (row[index - 1] ?? 0) + (letter === to[index - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
