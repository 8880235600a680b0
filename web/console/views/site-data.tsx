import { useEffect, useState } from 'preact/hooks';
import type { CollectionList, DataLink } from '../../../client/client.ts';
import { saveCsv } from '../effects/own-files.ts';
import { type Collection, rulesText } from '../state/data.ts';
import { failureOf } from '../state/failure.ts';
import { needsKey, siteEnd } from '../state/site.ts';
import type { Failure, PublishedSite } from '../state/types.ts';
import { dateTime, plural, useConsole, useNow, useProject } from './console.ts';
import { CopyButton } from './copy-button.tsx';
import { DataTable } from './data-table.tsx';
import { FailureText } from './notices.tsx';

/** The data of the page's visitors, for its owner. */
export function SiteData() {
  const { state } = useConsole();
  const { site } = useProject();
  const now = useNow(site !== undefined, 15_000);
  if (!site || siteEnd(site, now))
    return <p class="empty">What visitors of the page write appears here, once the page is published.</p>;
  if (needsKey(site, state.key !== undefined))
    return <p class="empty">The page belongs to an API key: enter it under Publish to see its data.</p>;
  return <Collections key={`${site.id} ${state.key}`} site={site} now={now} />;
}

interface Props {
  readonly site: PublishedSite;
  /** Unix milliseconds. */
  readonly now: number;
}

function Collections({ site, now }: Props) {
  const { client } = useConsole().context;
  const { id, token, version } = site;
  const [list, setList] = useState<CollectionList>();
  const [failure, setFailure] = useState<Failure>();
  /** Reads the items anew. */
  const [round, setRound] = useState(0);
  /** Reads the numbers anew, after a change of the items. */
  const [changes, setChanges] = useState(0);
  const [name, setName] = useState<string>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setFailure(undefined);
    client.data
      .collections(id, { token, signal })
      .then(setList)
      .catch((error) => !signal.aborted && setFailure(failureOf(error)));
    return () => controller.abort();
  }, [client, id, token, version, round, changes]);
  const shown = list?.collections.find((one) => one.name === name) ?? list?.collections[0];
  return (
    <div class="publish data">
      {failure && (
        <div class="notice failed inline" role="alert">
          <FailureText failure={failure} />
        </div>
      )}
      {!list && !failure && <p class="note">Reading the data…</p>}
      {list && !shown && <NoData />}
      {list && shown && (
        <>
          <h2>What visitors wrote</h2>
          <div class="bar setting">
            <label>
              Collection{' '}
              <select value={shown.name} onChange={(event) => setName(event.currentTarget.value)}>
                {list.collections.map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.name} ({one.items.toLocaleString('en')})
                  </option>
                ))}
              </select>
            </label>
            <button type="button" onClick={() => setRound(round + 1)}>
              Refresh
            </button>
          </div>
          <Shown
            key={`${shown.name} ${round}`}
            collection={shown}
            site={site}
            onChange={() => setChanges(changes + 1)}
            onClear={() => setRound(round + 1)}
          />
          <OwnersLink list={list} site={site} now={now} />
        </>
      )}
    </div>
  );
}

function NoData() {
  return (
    <div class="empty">
      <p>
        <b>This site has no data yet</b>
      </p>
      <p>
        A site can remember what visitors share: entries of a guestbook, registrations, votes. Its file{' '}
        <code>_data.json</code> declares who may write and read what, and its pages use <code>./.data/</code>. Ask for
        it in the chat, such as “add a guestbook”, or see <a href="/docs#site-data">the reference</a>.
      </p>
    </div>
  );
}

interface ShownProps {
  readonly collection: Collection;
  readonly site: PublishedSite;
  onChange(): void;
  onClear(): void;
}

/** A collection with what can be done with all of it. */
function Shown({ collection, site, onChange, onClear }: ShownProps) {
  const { context } = useConsole();
  const { id, token } = site;
  const { name, items, waiting, tally } = collection;
  const [isBusy, setBusy] = useState(false);
  const perform = async (act: () => Promise<unknown>) => {
    setBusy(true);
    await context.attempt(act);
    setBusy(false);
  };
  const clear = async () => {
    while (!(await context.client.data.clear(id, name, { token })).complete);
    onClear();
  };
  const question = `Delete all ${plural(items, 'item')} of ${name}? Backups of the service keep them for 35 days.`;
  return (
    <section aria-label={name}>
      <p class="note">
        {rulesText(collection)}
        {waiting > 0 && ` · ${plural(waiting, 'item')} waiting for approval`}
      </p>
      {tally && Object.keys(tally).length > 0 && (
        <p>
          {Object.entries(tally).map(([value, count]) => (
            <span key={value} class="badge">
              {value}: {count.toLocaleString('en')}
            </span>
          ))}
        </p>
      )}
      <DataTable collection={collection} site={site} onChange={onChange} />
      {items > 0 && (
        <div class="bar acts">
          <button type="button" disabled={isBusy} onClick={() => void perform(() => saveCsv(context, site, name))}>
            Save as CSV
          </button>
          <button type="button" disabled={isBusy} onClick={() => confirm(question) && void perform(clear)}>
            Delete all
          </button>
        </div>
      )}
    </section>
  );
}

interface LinkProps extends Props {
  readonly list: CollectionList;
}

/** A link that makes a browser the owner's for the site. */
function OwnersLink({ list: { linkable }, site: { id, token }, now }: LinkProps) {
  const { context } = useConsole();
  const [link, setLink] = useState<DataLink>();
  if (!linkable) return null;
  const create = async () => setLink(await context.attempt(() => context.client.data.link(id, { token })));
  return (
    <section aria-label="Owner's link">
      <h3>The page as its owner</h3>
      <p class="note">
        Parts of the page can be for you alone, such as a list of participants. A link makes a browser yours for this
        site. Whoever has it can do what you can: do not pass it on.
      </p>
      {link && link.expiresAt > now ? (
        <p class="bar acts">
          <a href={link.url} target="_blank" rel="noreferrer">
            Open the page as its owner
          </a>
          <CopyButton text={link.url} title="Copy link" />
          <small>until {dateTime(link.expiresAt)}</small>
        </p>
      ) : (
        <button type="button" onClick={() => void create()}>
          Create a link
        </button>
      )}
    </section>
  );
}
