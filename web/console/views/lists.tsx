import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Client, Page } from '../../../client/client.ts';
import type { Failure } from '../state/types.ts';
import { plural, useConsole } from './console.ts';
import { FailureText } from './notices.tsx';

export type Lists = {
  readonly [Name in 'deployments' | 'generations' | 'assets']: Awaited<ReturnType<Client[Name]['list']>>;
};
type Item<Name extends keyof Lists> = Lists[Name]['items'][number];

interface Props<T> {
  readonly title: string;
  readonly empty: string;
  readonly first: Page<T> | Failure;
  next(cursor: string): Promise<Page<T>>;
  idOf(item: T): string;
  row(item: T, drop: () => void): ComponentChildren;
}

/** A list of what the key owns, a page at a time. */
function List<T>({ title, empty, first, next, idOf, row }: Props<T>) {
  const { context } = useConsole();
  const [page, setPage] = useState(first);
  if ('code' in page)
    return (
      <section>
        <h2>{title}</h2>
        <FailureText failure={page} />
      </section>
    );
  const { items, nextCursor } = page;
  const more = async (cursor: string) => {
    const later = await context.attempt(() => next(cursor));
    if (later) setPage({ ...later, items: [...items, ...later.items] });
  };
  const drop = (item: T) => setPage({ nextCursor, items: items.filter((one) => one !== item) });
  return (
    <section>
      <h2>{title}</h2>
      {items.length === 0 && <p class="note">{empty}</p>}
      <ul class="rows">
        {items.map((item) => (
          <li key={idOf(item)} class="row">
            {row(item, () => drop(item))}
          </li>
        ))}
      </ul>
      {nextCursor !== null && (
        <button type="button" onClick={() => void more(nextCursor)}>
          Show more
        </button>
      )}
    </section>
  );
}

const time = (ms: number) => new Date(ms).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });

export function DeploymentList({ first }: { first: Page<Item<'deployments'>> | Failure }) {
  const { context } = useConsole();
  const { deployments } = context.client;
  const remove = async (id: string, url: string, drop: () => void) => {
    if (confirm(`Delete ${url}?`)) await context.attempt(() => deployments.delete(id).then(drop));
  };
  return (
    <List
      title="Deployments"
      empty="This key has deployed nothing yet."
      first={first}
      next={(cursor) => deployments.list({ cursor })}
      idOf={({ id }) => id}
      row={({ id, url, title, fileCount, deployedAt, status }, drop) => (
        <>
          <div>
            <a href={url} target="_blank" rel="noreferrer">
              {title ?? url}
            </a>
            <small>
              {time(deployedAt)} · {plural(fileCount, 'file')}
              {status === 'taken_down' && ' · taken down by the operator'}
            </small>
          </div>
          <button
            type="button"
            aria-label={`Delete ${title ?? url}`}
            onClick={() => void remove(id, url, drop)}
          >
            Delete
          </button>
        </>
      )}
    />
  );
}

export function GenerationList({ first }: { first: Page<Item<'generations'>> | Failure }) {
  const { generations } = useConsole().context.client;
  return (
    <List
      title="Generations"
      empty="This key has generated nothing in the last 24 hours."
      first={first}
      next={(cursor) => generations.list({ cursor })}
      idOf={({ id }) => id}
      row={({ id, prompt, status, fileCount, createdAt }) => (
        <>
          <div>
            <a href={`#g=${id}`}>{prompt}</a>
            <small>
              {time(createdAt)} · {plural(fileCount, 'file')}
            </small>
          </div>
          <span class="badge">{status.replace('_', ' ')}</span>
        </>
      )}
    />
  );
}

export function AssetList({ first }: { first: Page<Item<'assets'>> | Failure }) {
  const { assets } = useConsole().context.client;
  return (
    <List
      title="Assets"
      empty="This key has no assets."
      first={first}
      next={(cursor) => assets.list({ cursor })}
      idOf={({ asset_id }) => asset_id}
      row={({ attributes: { name, type, size }, asset_id, state, updated_at }) => (
        <>
          <div>
            <b>{name ?? asset_id}</b>
            <small>
              {time(updated_at)} · {type ?? 'unknown type'}
              {size !== undefined && ` · ${size.toLocaleString('en')} bytes`}
            </small>
          </div>
          <span class="badge">{state}</span>
        </>
      )}
    />
  );
}
