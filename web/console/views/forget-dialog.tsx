import { useEffect, useRef } from 'preact/hooks';
import { forget } from '../effects/deploy.ts';
import { siteEnd } from '../state/site.ts';
import type { GalleryEntry } from '../state/types.ts';
import { useConsole } from './console.ts';

/** Asks before a project is forgotten, and whether its page is to be deleted, too. */
export function ForgetDialog({ entry, onClose }: { entry: GalleryEntry; onClose(): void }) {
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
