import { type Counts, OTHER } from '../../stored/views/day-views.ts';

/** Views of a name that an instance has not written yet. */
export interface Seen {
  readonly views: number;
  /** The hash of the address that sent it first; undefined if the salt could not be read. */
  readonly by: string | undefined;
}

/** What limits the names of a day. */
export interface Room {
  /** The most names in the list. */
  readonly room: number;
  /** How many names an address may introduce yet. */
  readonly left: (by: string) => number;
}

/** What a write changes in a list. */
export interface NamesPlan {
  /** What is added to the views of each name, `OTHER` included. */
  readonly added: Counts;
  /** The addresses that introduce a name, once for each. */
  readonly introducers: readonly string[];
  /** The name that leaves the list, with the views that it must still have. */
  readonly evicted?: { readonly name: string; readonly views: number };
  /** Names whose views are counted together, and how many. */
  readonly passedOver: Counts;
}

/**
 * Decides under which names views are counted. A name in the list is counted. While there is room, an address introduces a name.
 * A full list replaces its last name by one that this instance has seen more often, so that it approaches the names with the most views. An
 * address introduces few names a day: whoever invents names does not displace those of others.
 * @param earlier views of names that this instance has seen and passed over
 */
export function planNames(
  seen: ReadonlyMap<string, Seen>,
  known: Counts,
  earlier: Counts,
  { room, left }: Room,
): NamesPlan {
  const added = new Map<string, number>();
  const passedOver = new Map<string, number>();
  const introducers: string[] = [];
  let evicted: NamesPlan['evicted'];
  const names = [...known.keys()].filter((name) => name !== OTHER).length;
  const mayIntroduce = (by: string | undefined): by is string =>
    by !== undefined && introducers.filter((one) => one === by).length < left(by);
  for (const [name, { views, by }] of byViews(seen)) {
    const before = earlier.get(name) ?? 0;
    if (known.has(name)) add(added, name, views);
    else if (mayIntroduce(by) && names + introducers.length < room) {
      introducers.push(by);
      add(added, name, views);
    } else if (mayIntroduce(by) && evicted === undefined && before + views > leastOf(known, added).views) {
      evicted = leastOf(known, added);
      introducers.push(by);
      add(added, name, before + views);
      add(added, OTHER, evicted.views - before);
    } else {
      add(passedOver, name, views);
      add(added, OTHER, views);
    }
  }
  return { added, introducers, passedOver, ...(evicted && { evicted }) };
}

function add(counts: Map<string, number>, name: string, views: number): void {
  counts.set(name, (counts.get(name) ?? 0) + views);
}

/** `OTHER` comes last: it is no name that is introduced. */
function byViews(seen: ReadonlyMap<string, Seen>): [string, Seen][] {
  return [...seen].sort(([, a], [, b]) => b.views - a.views);
}

/** Returns the name with the least views that this write does not add to. */
function leastOf(known: Counts, added: Counts): { name: string; views: number } {
  const others = [...known].filter(([name]) => name !== OTHER && !added.has(name));
  const [name, views] = others.reduce((least, one) => (one[1] < least[1] ? one : least), [
    OTHER,
    Number.POSITIVE_INFINITY,
  ]);
  return { name, views };
}
