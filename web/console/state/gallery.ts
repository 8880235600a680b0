import { hasPictures } from './pictures.ts';
import { currentGeneration } from './turn.ts';
import type { GalleryEntry, OpenProject, State } from './types.ts';

/** Returns the gallery with the project, newest first, once there is something to return to. */
export function updateGallery({ gallery }: State, project: OpenProject): readonly GalleryEntry[] {
  const { projectId, name, begunAt, files, site } = project;
  const generation = currentGeneration(project);
  if (generation === undefined && site === undefined && files.size === 0) return gallery;
  const old = gallery.find((entry) => entry.projectId === projectId);
  const entry: GalleryEntry = {
    projectId,
    name,
    generation,
    site: knownSite(project),
    at: begunAt,
    seen: seenOf(project),
    keyed: belongsToKey(project),
    edited: isUnsafe(project) || undefined,
    keptAt: old?.keptAt,
  };
  if (old && JSON.stringify(old) === JSON.stringify(entry)) return gallery;
  return [entry, ...gallery.filter((one) => one !== old)];
}

/** Whether a project has edits that exist nowhere but here. */
export const isUnsafe = ({ edited, files, safe }: OpenProject) => edited && files.size > 0 && files !== safe;

const belongsToKey = ({ site, turns }: OpenProject) =>
  site && site.end === undefined ? site.token === undefined : turns.some(({ keyed }) => keyed);

/** One that has expired can be published again at its URL. */
function knownSite({ site }: OpenProject): GalleryEntry['site'] {
  if (!site || site.end === 'deleted') return undefined;
  const { id, url, version, token, expiresAt, access } = site;
  return { id, url, version, token, expiresAt, access };
}

/** Returns of what there are pictures: what is published comes first. */
function seenOf({ site, turns, at }: OpenProject): GalleryEntry['seen'] {
  if (site && site.end === undefined && hasPictures(site.look)) return 'site';
  return hasPictures(turns[at]?.look) ? 'generation' : undefined;
}
