import { forget } from '../effects/deploy.ts';
import { picturesOfEntry } from '../state/pictures.ts';
import type { GalleryEntry } from '../state/types.ts';
import { dateTime, useConsole } from './console.ts';
import { Thumb } from './pictures.tsx';

/** What this browser made. */
export function Gallery() {
  const { state, data } = useConsole();
  if (state.gallery.length === 0) return null;
  const hasThumbs = state.gallery.some(({ seen }) => seen !== undefined);
  return (
    <section class="gallery">
      <h2>Made in this browser</h2>
      <p class="note">
        {data.isolated
          ? 'This list is kept in this browser, with the tokens that manage the pages.'
          : 'This list is kept in memory, with the tokens that manage the pages, until the page is closed: published pages share this origin, and could read the storage of this browser.'}
      </p>
      <ul>
        {state.gallery.map((entry) => (
          <Entry key={entry.projectId} entry={entry} hasThumbs={hasThumbs} />
        ))}
      </ul>
    </section>
  );
}

function Entry({ entry, hasThumbs }: { entry: GalleryEntry; hasThumbs: boolean }) {
  const { context, state, dispatch } = useConsole();
  const { name, generation, site, at, keyed, projectId } = entry;
  const isOpen = state.project?.projectId === projectId;
  const ask = () => {
    const question = site ? `Delete ${site.url}?` : `Remove “${name}” from this list?`;
    if (confirm(question)) void forget(context, entry);
  };
  const pictures = picturesOfEntry(entry, state.key !== undefined);
  return (
    <li class="row">
      {hasThumbs && <Thumb source={pictures} name={name} />}
      <div>
        {isOpen && (
          <button type="button" class="link" onClick={() => dispatch({ type: 'shown', view: 'project' })}>
            {name}
          </button>
        )}
        {!isOpen && (generation ? <a href={`#g=${generation}`}>{name}</a> : <b>{name}</b>)}
        <small>
          {dateTime(at)}
          {keyed && ' · made with a key'}
        </small>
      </div>
      {site && (
        <a href={site.url} target="_blank" rel="noreferrer">
          Open page
        </a>
      )}
      <button type="button" aria-label={`${site ? 'Delete' : 'Remove'} ${name}`} onClick={ask}>
        {site ? 'Delete' : 'Remove'}
      </button>
    </li>
  );
}
