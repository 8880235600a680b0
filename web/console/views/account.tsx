import { useEffect, useState } from 'preact/hooks';
import type { Client, ListedAsset, ListedDeployment, ListedGeneration, Page } from '../../../client/client.ts';
import { UsageChart } from '../parts/charts.tsx';
import { failureOf } from '../state/failure.ts';
import { type PictureSource, picturesOfGeneration } from '../state/looks.ts';
import type { Failure } from '../state/types.ts';
import { dateTime, plural, timeUntil, useConsole } from './console.ts';
import { KeyForm } from './key-form.tsx';
import { FailureText } from './notices.tsx';
import { Thumb } from './pictures.tsx';

/** The API key, and what it owns. */
export function AccountView() {
  const { state } = useConsole();
  return (
    <div class="account">
      <h1>Account</h1>
      <KeyForm />
      {state.key !== undefined && <Owned key={state.key} />}
    </div>
  );
}

type AccountData = Awaited<ReturnType<typeof load>>;

/** Reads all lists before any is shown, so that none moves another. */
async function load(client: Client) {
  const orFailure = <T,>(promise: Promise<T>) => promise.catch(failureOf);
  const [report, deployments, generations, assets] = await Promise.all([
    client.usage(),
    orFailure(client.deployments.list()),
    orFailure(client.generations.list()),
    orFailure(client.assets.list()),
  ]);
  return { report, deployments, generations, assets };
}

function Owned() {
  const { client } = useConsole().context;
  const [loaded, setLoaded] = useState<AccountData>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    load(client).then(setLoaded, (error) => setFailure(failureOf(error)));
  }, [client]);
  if (failure)
    return (
      <div class="notice failed inline" role="alert">
        <FailureText failure={failure} />
      </div>
    );
  if (!loaded) return <p class="note">Loading…</p>;
  return (
    <>
      <section>
        <h2>Usage</h2>
        <div class="chart">
          <UsageChart report={loaded.report} />
        </div>
      </section>
      <DeploymentList first={loaded.deployments} />
      <GenerationList first={loaded.generations} />
      <AssetList first={loaded.assets} />
    </>
  );
}

function DeploymentList({ first }: First<ListedDeployment>) {
  const { context, data } = useConsole();
  const { deployments } = context.client;
  return (
    <List
      title="Deployments"
      empty="This key has deployed nothing yet."
      first={first}
      next={(cursor) => deployments.list({ cursor })}
      rowOf={({ id, url, title, fileCount, deployedAt, status, access, expiresAt }) => ({
        id,
        title: title ?? url,
        href: url,
        at: deployedAt,
        about: [
          plural(fileCount, 'file'),
          ...(access === 'public' ? [] : ['private']),
          ...(expiresAt === undefined ? [] : [`expires ${timeUntil(expiresAt, Date.now())}`]),
        ].join(' · '),
        pictures: data.looks ? { deployment: id } : undefined,
        ...(status === 'taken_down' && { badge: 'taken down by the operator' }),
        remove: () => deployments.delete(id),
      })}
    />
  );
}

function GenerationList({ first }: First<ListedGeneration>) {
  const { generations } = useConsole().context.client;
  return (
    <List
      title="Generations"
      empty="This key has generated nothing in the last 24 hours."
      first={first}
      next={(cursor) => generations.list({ cursor })}
      rowOf={({ id, prompt, status, fileCount, createdAt, look }) => ({
        id,
        title: prompt,
        href: `#g=${id}`,
        at: createdAt,
        about: plural(fileCount, 'file'),
        badge: status.replace('_', ' '),
        pictures: picturesOfGeneration(id, look),
      })}
    />
  );
}

function AssetList({ first }: First<ListedAsset>) {
  const { assets } = useConsole().context.client;
  return (
    <List
      title="Assets"
      empty="This key has no assets."
      first={first}
      next={(cursor) => assets.list({ cursor })}
      rowOf={({ attributes: { name, type, size }, asset_id, state, updated_at }) => {
        const about = [type ?? 'unknown type', ...(size === undefined ? [] : [plural(size, 'byte')])];
        return {
          id: asset_id,
          title: name ?? asset_id,
          at: updated_at,
          about: about.join(' · '),
          badge: state,
        };
      }}
    />
  );
}

type First<Item> = { readonly first: Page<Item> | Failure };

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
function List<Item>({ title, empty, first, next, rowOf }: Props<Item>) {
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
              return <RowView key={row.id} row={row} hasPictures={hasPictures} onRemove={() => void drop(item, row)} />;
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
