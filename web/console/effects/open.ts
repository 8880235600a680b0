import { newKey } from '../../../client/files.ts';
import { failureOf } from '../state/failure.ts';
import type { GalleryEntry } from '../state/types.ts';
import type { Context } from './context.ts';
import { refresh } from './deploy.ts';
import { leave, resume } from './generate.ts';

/** Generations of a conversation that are shown above the one that is opened. */
const MAX_ANCESTORS = 20;

/** Opens the project of a generation: with its events if it runs, or its result, and with those that it was made from. */
export async function open(context: Context, id: string): Promise<void> {
  const { client, store } = context;
  leave();
  const known = store.state.gallery.find(({ generation }) => generation === id);
  store.dispatch({ type: 'opening' });
  const resource = await client.generations.get(id).catch((error) => {
    store.dispatch({ type: 'missing', failure: failureOf(error) });
  });
  // The visitor can have gone elsewhere in the meantime.
  if (!resource || location.hash !== `#g=${id}`) return;
  const projectId = known?.projectId ?? newKey();
  store.dispatch({ type: 'opened', projectId, key: id, resource, site: siteOf(known) });
  const end = resume(context, id, id);
  // The versions are shown if they can be read: the page can have been deleted since.
  if (known?.site) void refresh(context).catch(() => {});
  let from = resource.from;
  for (let i = 0; i < MAX_ANCESTORS && from !== undefined; i++) {
    // It may be a deployment, or be over 24 hours old: the conversation begins after it.
    const parent = await client.generations.get(from).catch(() => undefined);
    if (!parent || context.project?.projectId !== projectId) break;
    store.dispatch({ type: 'ancestor', resource: parent });
    from = parent.from;
  }
  await end;
}

function siteOf(entry: GalleryEntry | undefined) {
  return entry?.site && { ...entry.site };
}
