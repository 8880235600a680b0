import { useEffect, useRef, useState } from 'preact/hooks';
import { forget } from '../effects/deploy.ts';
import { picturesOfEntry } from '../state/looks.ts';
import { siteEnd } from '../state/site.ts';
import type { GalleryEntry } from '../state/types.ts';
import { dateTime, timeUntil, useConsole, useNow } from './console.ts';
import { Thumb } from './pictures.tsx';

/** Entries that are shown at first. */
const FIRST = 12;

/** The projects that this browser remembers. */
export function Gallery() {
  const { state, data } = useConsole();
  const [isWhole, setWhole] = useState(false);
  const [forgetting, setForgetting] = useState<GalleryEntry>();
  const now = useNow(true, 60_000);
  const { gallery } = state;
  if (gallery.length === 0) return null;
  const shown = isWhole ? gallery : gallery.slice(0, FIRST);
  const hasThumbs = gallery.some(({ seen }) => seen !== undefined);
  return (
    <section class="gallery">
      <h2>Recent projects</h2>
      <p class="note">
        {data.isolated
          ? 'This browser keeps their files, conversations and the tokens of their pages until you forget them.'
          : 'They are kept in memory, with the tokens of their pages, until this page is closed or reloaded: published pages share this origin, and could read the storage of this browser. Before that, keep their pages with an API key, and save their files as a zip.'}
      </p>
      <ul class="rows">
        {shown.map((entry) => (
          <Entry
            key={entry.projectId}
            entry={entry}
            now={now}
            hasThumbs={hasThumbs}
            onForget={() => setForgetting(entry)}
          />
        ))}
      </ul>
      {shown.length < gallery.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {gallery.length}
        </button>
      )}
      {forgetting && <ForgetDialog entry={forgetting} onClose={() => setForgetting(undefined)} />}
    </section>
  );
}

interface EntryProps {
  readonly entry: GalleryEntry;
  readonly now: number;
  readonly hasThumbs: boolean;
  onForget(): void;
}

function Entry({ entry, now, hasThumbs, onForget }: EntryProps) {
  const { state, dispatch } = useConsole();
  const { name, site, projectId } = entry;
  const isOpen = state.project?.projectId === projectId;
  const fragment = fragmentOf(entry);
  const isThere = site && siteEnd(site, now) === undefined;
  return (
    <li class="row">
      {hasThumbs && <Thumb source={picturesOfEntry(entry, state.key !== undefined, now)} name={name} />}
      <div>
        {isOpen && (
          <button type="button" class="link" onClick={() => dispatch({ type: 'shown', view: 'project' })}>
            {name}
          </button>
        )}
        {!isOpen && (fragment ? <a href={fragment}>{name}</a> : <b>{name}</b>)}
        <small>{aboutOf(entry, now).join(' · ')}</small>
      </div>
      {isThere && (
        <a href={site.url} target="_blank" rel="noreferrer">
          Open page
        </a>
      )}
      <button type="button" aria-label={`Forget ${name}`} onClick={onForget}>
        Forget
      </button>
    </li>
  );
}

/** Returns where a project is: as this browser kept it, or as the service has it for a day. */
function fragmentOf({ projectId, keptAt, generation }: GalleryEntry): string | undefined {
  if (keptAt !== undefined) return `#p=${projectId}`;
  return generation && `#g=${generation}`;
}

function aboutOf({ at, keptAt, keyed, edited, site }: GalleryEntry, now: number): string[] {
  const parts = [dateTime(keptAt ?? at)];
  if (keyed) parts.push(site ? 'page of a key' : 'made with a key');
  if (edited) parts.push('edited, not published');
  if (!site) return parts;
  const { access = 'public', expiresAt } = site;
  if (siteEnd(site, now) === 'expired') return [...parts, 'page expired'];
  if (access !== 'public') parts.push('private');
  if (expiresAt !== undefined) parts.push(`page expires ${timeUntil(expiresAt, now)}`);
  return parts;
}

/** Asks before a project is forgotten, and whether its page is to be deleted, too. */
function ForgetDialog({ entry, onClose }: { entry: GalleryEntry; onClose(): void }) {
  const { context, state } = useConsole();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { name, site, keyed } = entry;
  const page = site && siteEnd(site, Date.now()) === undefined ? site : undefined;
  const canDelete = page !== undefined && (!keyed || state.key !== undefined);
  const close = () => dialog.current?.close();
  const end = (deletes: boolean) => {
    close();
    void forget(context, entry, deletes);
  };
  return (
    <dialog ref={dialog} class="ask" aria-labelledby="ask-title" onClose={onClose}>
      <h2 id="ask-title">Forget “{name}”?</h2>
      <p>Its files and its conversation are removed from this browser.</p>
      {page && (
        <p>
          {keyed
            ? 'Its page stays, and belongs to its API key: '
            : 'Its page stays, but nobody can change or delete it any more, because its token is forgotten: '}
          <span class="url-text">{page.url}</span>
        </p>
      )}
      <div class="bar acts">
        <button type="button" onClick={() => end(false)}>
          Forget it
        </button>
        {canDelete && (
          <button type="button" onClick={() => end(true)}>
            Delete the page, too
          </button>
        )}
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}
