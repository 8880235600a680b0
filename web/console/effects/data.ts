import type { PublishedSite } from '../state/types.ts';
import type { Context } from './context.ts';

/** Saves all items of a collection as CSV. */
export async function saveCsv(
  { client }: Context,
  { id, token }: PublishedSite,
  collection: string,
): Promise<void> {
  const parts: string[] = [];
  // Later parts have the byte order mark and the heading, too.
  for await (const part of client.data.csv(id, collection, { token }))
    parts.push(parts.length === 0 ? part : part.slice(part.indexOf('\r\n') + 2));
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: url, download: `${collection}.csv` }).click();
  // Browsers read the URL when the download begins, which is after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
