import { newId } from '../../platform/new-id.ts';

/** A change of an item that is under way. The state of its site has it as an attribute. */
export interface Announcement {
  readonly kind: 'create' | 'update' | 'delete';
  readonly collection: string;
  readonly id: string;
  /** When it began, in Unix milliseconds. */
  readonly at: number;
  /** Identifies the call. */
  readonly by: string;
  /** By how many bytes the site grows. */
  readonly bytes: number;
  /** How many items more wait for approval after it. */
  readonly waiting?: number | undefined;
  /** The value that is tallied before and after the change. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The revision of the item that is changed or deleted. */
  readonly revision?: number | undefined;
}

/** An announcement that is older has been abandoned. */
export const ABANDONED_MS = 60_000;

const PREFIX = 'open:';

export function announcement(change: Omit<Announcement, 'by'>): Announcement {
  return { ...change, by: newId(8) };
}

export const isAbandoned = ({ at }: Announcement, now: number): boolean => at <= now - ABANDONED_MS;

/** Returns the name of the attribute, of which an item has one at a time. */
export const nameOf = ({ collection, id }: Pick<Announcement, 'collection' | 'id'>): string =>
  `${PREFIX}${collection}#${id}`;

/** Returns the value of the attribute, which no other announcement has. Short: every write of the state pays for its size. */
export const textOf = ({ kind, at, by, bytes, revision, waiting, from, to }: Announcement): string =>
  JSON.stringify({ kind, at, by, bytes, revision, waiting: waiting || undefined, from, to });

/** Returns the announcement of an attribute; undefined if the attribute is another one. */
export function parseAnnouncement(name: string, value: unknown): Announcement | undefined {
  const [collection, id] = name.slice(PREFIX.length).split('#');
  if (!name.startsWith(PREFIX) || !collection || !id || typeof value !== 'string') return undefined;
  return { collection, id, ...(JSON.parse(value) as Omit<Announcement, 'collection' | 'id'>) };
}
