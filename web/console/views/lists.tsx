import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Page } from '../../../client/client.ts';
import { plural, useConsole } from './console.ts';

interface Listing<Item> {
  readonly title: string;
  readonly empty: string;
  list(cursor?: string): Promise<Page<Item>>;
  idOf(item: Item): string;
  row(item: Item, remove: () => void): ComponentChildren;
}

/** A list of the key, a page at a time. */
function List<Item>({ title, empty, list, idOf, row }: Listing<Item>) {
  const { context } = useConsole();
  const [items, setItems] = useState<readonly Item[]>();
  const [cursor, setCursor] = useState<string | null>(null);
  const load = async (from?: string) => {
    const page = await context.attempt(() => list(from));
    if (!page) return;
    setItems((before = []) => [...(from === undefined ? [] : before), ...page.items]);
    setCursor(page.nextCursor);
  };
  useEffect(() => void load(), []);
  const drop = (item: Item) => setItems((before = []) => before.filter((one) => one !== item));
  return (
    <section>
      <h2>{title}</h2>
      {items?.length === 0 && <p class="note">{empty}</p>}
      <ul class="rows">
        {items?.map((item) => (
          <li key={idOf(item)} class="row">
            {row(item, () => drop(item))}
          </li>
        ))}
      </ul>
      {cursor !== null && (
        <button type="button" onClick={() => void load(cursor)}>
          Show more
        </button>
      )}
    </section>
  );
}

const time = (ms: number) => new Date(ms).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });

export function DeploymentList() {
  const { context } = useConsole();
  const { deployments } = context.client;
  const remove = async (id: string, url: string, drop: () => void) => {
    if (!confirm(`Delete ${url}?`)) return;
    await context.attempt(() => deployments.delete(id).then(drop));
  };
  return (
    <List
      title="Deployments"
      empty="This key has deployed nothing yet."
      list={(cursor) => deployments.list({ cursor })}
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

export function GenerationList() {
  const { generations } = useConsole().context.client;
  return (
    <List
      title="Generations"
      empty="This key has generated nothing in the last 24 hours."
      list={(cursor) => generations.list({ cursor })}
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

export function AssetList() {
  const { assets } = useConsole().context.client;
  return (
    <List
      title="Assets"
      empty="This key has no assets."
      list={(cursor) => assets.list({ cursor })}
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
