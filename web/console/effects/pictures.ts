import type { LookWidth } from '../../../lambda/contract/looks.ts';
import { type PictureSource, picturesOfSite } from '../state/pictures.ts';
import type { Context } from './context.ts';

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
  if ('generation' in source)
    return client.screenshot(source.generation, { ...options, attempt: source.attempt });
  const { site, version, token } = source;
  return client.deployments.screenshot(site, { ...options, version, token });
}
