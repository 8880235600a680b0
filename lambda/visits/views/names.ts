import { type Counts, OTHER } from '../../stored/views/day-views.ts';

/** Views of a name that an instance has not written yet. */
export interface Seen {
  readonly views: number;
  /** The hash of the address that sent it first; undefined if the salt could not be read. */
  readonly by: string | undefined;
}

export type SeenNames = ReadonlyMap<string, Seen>;

/** What limits the names of a day. */
export interface Room {
  /** The most names in the list. */
  readonly room: number;
  /** Returns how many names an address may still introduce. */
  readonly left: (by: string) => number;
}

/** What a write changes in a list. */
export interface NamesPlan {
  /** What is added to the views of each name, `OTHER` included. */
  readonly added: Counts;
  /** The addresses that introduce names, once for each name. */
  readonly introducers: readonly string[];
  /** The name that leaves the list, with the views that it must still have. */
  readonly evicted?: { readonly name: string; readonly views: number };
  /** Names whose views are counted as `OTHER`. */
  readonly passedOver: Counts;
}

/**
 * Decides under which names views are counted. While a list has room, an address introduces a name. Then a name replaces the one
 * with the fewest views once this instance has seen it more often, so that a list approaches the names with the most views. An address
 * introduces few names a day: one that invents names does not displace those of others.
 * @param seen names, each with its new views
 * @param known the list as it is stored
 * @param earlier views of names that this instance has passed over so far
 */
export function planNames(seen: SeenNames, known: Counts, earlier: Counts, { room, left }: Room): NamesPlan {
  const added = new Map<string, number>();
  const passedOver = new Map<string, number>();
  const introducers: string[] = [];
  const add = (name: string, views: number) => added.set(name, (added.get(name) ?? 0) + views);
  const isIntroduced = (by: string | undefined) => {
    if (by === undefined || introducers.filter((one) => one === by).length >= left(by)) return false;
    introducers.push(by);
    return true;
  };
  const unseen = [...known].filter(([name]) => name !== OTHER && !seen.has(name));
  const last = unseen.toSorted(([, a], [, b]) => a - b)[0];
  const names = [...known.keys()].filter((name) => name !== OTHER).length;
  let evicted: NamesPlan['evicted'];
  for (const [name, { views, by }] of byViews(seen)) {
    const before = earlier.get(name) ?? 0;
    const isFull = names + introducers.length >= room;
    const isMore = evicted === undefined && last !== undefined && before + views > last[1];
    if (name === OTHER || known.has(name)) add(name, views);
    else if (!isFull && isIntroduced(by)) add(name, views);
    else if (isFull && isMore && isIntroduced(by)) {
      evicted = { name: last[0], views: last[1] };
      add(name, before + views);
      // The views of the one that leaves become others, and those that were passed over no longer are.
      add(OTHER, last[1] - before);
    } else {
      passedOver.set(name, views);
      add(OTHER, views);
    }
  }
  return { added, introducers, passedOver, ...(evicted && { evicted }) };
}

function byViews(seen: SeenNames): [string, Seen][] {
  return [...seen].sort(([, a], [, b]) => b.views - a.views);
}
