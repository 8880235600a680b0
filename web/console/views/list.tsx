import { useState } from 'preact/hooks';
import type { Page } from '../../../client/client.ts';
import type { PictureSource } from '../state/pictures.ts';
import type { Failure } from '../state/types.ts';
import { dateTime, useConsole } from './console.ts';
import { FailureText } from './notices.tsx';
import { Thumb } from './pictures.tsx';

export type First<Item> = { readonly first: Page<Item> | Failure };

interface Row {
  readonly id: string;
  readonly title: string;
  readonly href?: string;
  readonly at: number;
  readonly about: string;
  readonly badge?: string;
  /** How it looks, if that is known. */
  readonly pictures?: PictureSource | undefined;
  /** Deletes it, once that is confirmed. */
  remove?(): Promise<unknown>;
}

interface Props<Item> extends First<Item> {
  readonly title: string;
  readonly empty: string;
  next(cursor: string): Promise<Page<Item>>;
  rowOf(item: Item): Row;
}

/** A list of what the key owns, a page at a time. */
export function List<Item>({ title, empty, first, next, rowOf }: Props<Item>) {
  const { context } = useConsole();
  const [page, setPage] = useState(first);
  const more = async (cursor: string, items: readonly Item[]) => {
    const later = await context.attempt(() => next(cursor));
    if (later) setPage({ ...later, items: [...items, ...later.items] });
  };
  const drop = async (item: Item, { href, remove }: Row) => {
    if (!remove || 'code' in page || !confirm(`Delete ${href}?`)) return;
    await context.attempt(async () => {
      await remove();
      setPage({ ...page, items: page.items.filter((one) => one !== item) });
    });
  };
  const hasPictures = 'items' in page && page.items.some((item) => rowOf(item).pictures !== undefined);
  return (
    <section>
      <h2>{title}</h2>
      {'code' in page ? (
        <FailureText failure={page} />
      ) : (
        <>
          {page.items.length === 0 && <p class="note">{empty}</p>}
          <ul class="rows">
            {page.items.map((item) => {
              const row = rowOf(item);
              return (
                <RowView
                  key={row.id}
                  row={row}
                  hasPictures={hasPictures}
                  onRemove={() => void drop(item, row)}
                />
              );
            })}
          </ul>
          {page.nextCursor !== null && (
            <button type="button" onClick={() => void more(String(page.nextCursor), page.items)}>
              Show more
            </button>
          )}
        </>
      )}
    </section>
  );
}

interface RowProps {
  readonly row: Row;
  /** Whether any row has pictures: the others keep their place free. */
  readonly hasPictures: boolean;
  onRemove(): void;
}

function RowView({ row, hasPictures, onRemove }: RowProps) {
  const { title, href, at, about, badge, pictures, remove } = row;
  const external = href?.startsWith('#') ? {} : { target: '_blank', rel: 'noreferrer' };
  return (
    <li class="row">
      {hasPictures && <Thumb source={pictures} name={title} />}
      <div>
        {href ? (
          <a href={href} {...external}>
            {title}
          </a>
        ) : (
          <b>{title}</b>
        )}
        <small>
          {dateTime(at)} · {about}
        </small>
      </div>
      {badge && <span class="badge">{badge}</span>}
      {remove && (
        <button type="button" aria-label={`Delete ${title}`} onClick={onRemove}>
          Delete
        </button>
      )}
    </li>
  );
}
