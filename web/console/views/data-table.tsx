import { useEffect, useState } from 'preact/hooks';
import { ApiError, type DataItem } from '../../../client/client.ts';
import { type Collection, cellText, columnsOf, search } from '../state/data.ts';
import type { PublishedSite } from '../state/types.ts';
import { dateTime, plural, useConsole } from './console.ts';

interface Props {
  readonly collection: Collection;
  readonly site: PublishedSite;
  /** Called after an item was approved or deleted. */
  onChange(): void;
}

interface Shown {
  readonly items: readonly DataItem[];
  readonly nextCursor: string | null;
}

/** The items of a collection, a page at a time, with a search in those that are here. */
export function DataTable({ collection, site: { id, token }, onChange }: Props) {
  const { context } = useConsole();
  const { name } = collection;
  const [page, setPage] = useState<Shown>();
  const [query, setQuery] = useState('');
  const [hasChanged, setChanged] = useState(false);
  const read = (cursor?: string) => context.client.data.list(id, name, { cursor, token });
  useEffect(() => void context.attempt(() => read()).then((first) => setPage(first)), []);
  if (!page) return <p class="note">Reading the items…</p>;
  const { items, nextCursor } = page;
  const replace = (item: DataItem, by: readonly DataItem[]) => {
    setPage((now) => now && { ...now, items: now.items.flatMap((one) => (one.id === item.id ? by : [one])) });
    onChange();
  };
  const approve = async (item: DataItem) => {
    setChanged(false);
    const approved = await context.attempt(async () => {
      const options = { seen: item.updatedAt, token };
      return context.client.data.approve(id, name, item.id, options).catch(ifConflict);
    });
    if (approved) return replace(item, [approved]);
    if (approved === undefined) return;
    setPage((await context.attempt(() => read())) ?? page);
    setChanged(true);
    onChange();
  };
  const more = async () => {
    const later = await context.attempt(() => read(String(nextCursor)));
    if (later) setPage({ ...later, items: [...items, ...later.items] });
  };
  const found = search(items, query);
  if (items.length === 0) return <p class="note">Nobody has added an item yet.</p>;
  return (
    <>
      <label class="bar setting">
        <input
          type="search"
          aria-label={`Search ${name}`}
          placeholder="Search"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <small role="status">
          {found.length === items.length
            ? plural(items.length, 'item')
            : `${found.length.toLocaleString('en')} of ${plural(items.length, 'item')}`}
          {nextCursor !== null && `, the newest of ${collection.items.toLocaleString('en')}`}
        </small>
      </label>
      <div role="alert">
        {hasChanged && (
          <p class="note">The item has changed since it was shown, and was not approved: read it again.</p>
        )}
      </div>
      <Rows collection={collection} items={found} onApprove={approve} onReplace={replace} path={{ id, token }} />
      {nextCursor !== null && (
        <button type="button" onClick={() => void more()}>
          Show more
        </button>
      )}
    </>
  );
}

/** @returns null for an item that has changed since it was read */
function ifConflict(error: unknown): null {
  if (error instanceof ApiError && error.code === 'conflict') return null;
  throw error;
}

interface RowsProps {
  readonly collection: Collection;
  readonly items: readonly DataItem[];
  readonly path: { readonly id: string; readonly token: string | undefined };
  onApprove(item: DataItem): Promise<void>;
  onReplace(item: DataItem, by: readonly DataItem[]): void;
}

function Rows({ collection, items, path: { id, token }, onApprove, onReplace }: RowsProps) {
  const { context } = useConsole();
  const { data } = context.client;
  const { name } = collection;
  const columns = columnsOf(collection, items);
  const remove = async (item: DataItem) => {
    if (!confirm('Delete the item? Backups of the service keep it for 35 days.')) return;
    const deleted = await context.attempt(() => data.delete(id, name, item.id, { token }));
    if (deleted) onReplace(item, []);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it
    <section class="table" aria-label={`Items of ${name}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Added</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <th scope="col">
              <span class="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => {
            const added = dateTime(Date.parse(item.createdAt));
            return (
              <tr key={item.id}>
                <td>
                  {added}
                  {item.waiting && <span class="badge">waiting</span>}
                </td>
                {columns.map((column) => (
                  <td key={column}>{cellText(item[column])}</td>
                ))}
                <td>
                  {item.waiting && (
                    <button
                      type="button"
                      aria-label={`Approve the item of ${added}`}
                      onClick={() => void onApprove(item)}
                    >
                      Approve
                    </button>
                  )}
                  <button type="button" aria-label={`Delete the item of ${added}`} onClick={() => void remove(item)}>
                    Delete
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
