import type { LookWidth } from '../../../lambda/contract/looks.ts';
import { lookSentence, type PictureSource, picturesOfSite } from '../state/looks.ts';
import type { State } from '../state/types.ts';
import type { Context } from './context.ts';

/** Before each question; the last one is repeated. */
const WAITS_MS = [1_500, 2_000, 3_000, 5_000, 8_000];
/** The service gives up after three minutes. */
const LONGEST_MS = 210_000;

/** Asks what a browser saw of a version that was just published, until it has looked, another one is live or the project is left. */
export function keepLooking(context: Context): void {
  const { store } = context;
  let watched: string | undefined;
  let watching = new AbortController();
  store.subscribe((state) => {
    const version = lookedAt(state);
    if (version === watched) return;
    watched = version;
    watching.abort();
    watching = new AbortController();
    if (version !== undefined) void watch(context, watching.signal);
  });
}

/** Returns the version that a browser looks at. */
function lookedAt({ project }: State): string | undefined {
  const { look, id, version, end } = project?.site ?? {};
  return look?.state === 'looking' && end === undefined ? `${id} ${version}` : undefined;
}

async function watch({ client, project, store }: Context, signal: AbortSignal): Promise<void> {
  if (!project?.site) return;
  const { id, token, version } = project.site;
  const end = Date.now() + LONGEST_MS;
  for (let asked = 0; Date.now() < end; asked++) {
    await new Promise((done) => setTimeout(done, WAITS_MS[Math.min(asked, WAITS_MS.length - 1)]));
    if (signal.aborted) return;
    const resource = await client.deployments.get(id, { token, signal }).catch(() => undefined);
    if (signal.aborted) return;
    const look = resource?.versions.find((one) => one.version === version)?.look;
    if (!look || look.state === 'looking') continue;
    store.dispatch({ type: 'seen', resource });
    return store.dispatch({ type: 'status', text: lookSentence(look) });
  }
}

/**
 * Returns the URL of a picture; undefined without one. The picture of a generation or a private deployment is requested with the
 * credentials of the page, and its URL is valid until the signal is aborted.
 */
export async function pictureUrl(
  context: Context,
  source: PictureSource,
  width: LookWidth,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { client } = context;
  if ('paths' in source) return source.paths[width];
  if ('deployment' in source) {
    const resource = await client.deployments.get(source.deployment, { signal }).catch(() => undefined);
    const found = resource && picturesOfSite(resource, resource.version, resource.look);
    return found && pictureUrl(context, found, width, signal);
  }
  const png = await requestPicture(context, source, { width, signal }).catch(() => undefined);
  if (!png || signal.aborted) return undefined;
  const url = URL.createObjectURL(new Blob([png], { type: 'image/png' }));
  signal.addEventListener('abort', () => URL.revokeObjectURL(url), { once: true });
  return url;
}

function requestPicture(
  { client }: Context,
  source: Exclude<PictureSource, { paths: unknown } | { deployment: string }>,
  options: { readonly width: LookWidth; readonly signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> {
  if ('generation' in source) return client.screenshot(source.generation, { ...options, attempt: source.attempt });
  const { site, version, token } = source;
  return client.deployments.screenshot(site, { ...options, version, token });
}
