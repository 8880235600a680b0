import type { CollectionList, DataItem } from '../../../client/client.ts';

export type Collection = CollectionList['collections'][number];

/** The fields that the service adds to those of the schema. */
const OWN: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt', 'waiting']);

/** Returns the fields to show: those of the schema, then those that only items of an earlier schema have. */
export function columnsOf({ fields }: Pick<Collection, 'fields'>, items: readonly DataItem[]): string[] {
  const found = items.flatMap((item) => Object.keys(item)).filter((name) => !OWN.has(name));
  return [...new Set([...fields, ...found])];
}

/** Writes the value of a field. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns the items that have all words of a search in their fields. */
export function search(items: readonly DataItem[], query: string): readonly DataItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter((item) => {
    const text = columnsOf({ fields: [] }, [item])
      .map((name) => cellText(item[name]).toLowerCase())
      .join('\n');
    return words.every((word) => text.includes(word));
  });
}

/** Says what visitors may do with a collection. */
export function rulesText({ rules }: Pick<Collection, 'rules'>): string {
  if (rules === undefined) return 'Not declared any more: only you see these items.';
  const { create, read, private: hidden = [], review, most, keepDays } = rules;
  const who = { visitor: 'visitors', author: 'their authors', owner: 'you' } as const;
  return [
    create === 'owner' ? 'Only you add items' : 'Visitors add items',
    read === 'owner' ? 'only you read them' : `${who[read]} read them${review ? ' once you have approved them' : ''}`,
    ...(hidden.length === 0 ? [] : [`${hidden.join(' and ')} only for the author and you`]),
    ...(most === undefined ? [] : [`at most ${most.toLocaleString('en')}`]),
    ...(keepDays === undefined ? [] : [`kept for ${keepDays} days`]),
  ].join(', ');
}
