import { ApiError, type DeploymentResource, type DomainResource } from '../../../client/client.ts';
import { withLinkPicture } from '../../../lambda/sites/link-picture.ts';
import { entryOf } from '../../../lambda/sites/paths.ts';
import { DOMAIN_TEXTS, needsKey, siteEnd, withDomain } from '../state/site.ts';
import type { OpenProject, PublishedSite, Sharing } from '../state/types.ts';
import type { Context } from './context.ts';
import { accessOf, refresh } from './deploy.ts';

/** Clocks of browsers are wrong by minutes. */
const SKEW_MS = 600_000;

/** Keeps the page of the project: makes it that of the API key, or removes the end that its owner chose. */
export function keepPage(context: Context): Promise<boolean> {
  const { deployments } = context.client;
  return change(context, 'claim', ({ id, token }) =>
    token === undefined ? deployments.change(id, { expiresInSeconds: null }) : deployments.claim(id, { token }),
  );
}

/** Changes who may see the page of the project. */
export function changeAccess(context: Context, sharing: Sharing): Promise<boolean> {
  return change(context, 'access', ({ id, token }) =>
    context.client.deployments.change(id, { ...accessOf(sharing), token }),
  );
}

/** @returns whether the page was changed */
async function change(
  context: Context,
  busy: 'claim' | 'access',
  request: (site: PublishedSite) => Promise<DeploymentResource>,
): Promise<boolean> {
  const { project, store } = context;
  const { site } = project ?? {};
  if (!site) return false;
  store.dispatch({ type: 'busy', with: busy });
  const resource = await context.attempt(() => request(site));
  if (!resource) return false;
  store.dispatch({ type: 'site', resource });
  store.dispatch({ type: 'status', text: busy === 'claim' ? 'The page stays' : 'The access was changed' });
  return true;
}

/** Reads the page of a project that was opened: it can have ended since, or belong to somebody else. */
export async function revisit(context: Context): Promise<void> {
  const { site } = context.project ?? {};
  if (!site || siteEnd(site, Date.now()) !== undefined || needsKey(site, context.hasKey)) return;
  const { dispatch } = context.store;
  try {
    await refresh(context);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (['unauthorized', 'forbidden'].includes(error.code)) dispatch({ type: 'foreign' });
    if (error.code === 'gone') dispatch({ type: 'ended', end: siteEnd(site, Date.now() + SKEW_MS) ?? 'deleted' });
  }
}

/** Adds a domain to the page, or has its DNS records looked for at once. Returns whether the service took it. */
export function addDomain(context: Context, name: string): Promise<boolean> {
  return changeDomains(context, (id) => context.client.deployments.addDomain(id, name));
}

/** Removes a domain from the page. */
export function removeDomain(context: Context, name: string): Promise<boolean> {
  return changeDomains(context, (id) => context.client.deployments.removeDomain(id, name));
}

async function changeDomains(context: Context, send: (id: string) => Promise<DomainResource>): Promise<boolean> {
  const { project, store } = context;
  if (!project?.site) return false;
  const { id } = project.site;
  store.dispatch({ type: 'busy', with: 'domain' });
  const changed = await context.attempt(() => send(id));
  if (!changed) return false;
  const domains = withDomain(context.project?.site?.domains ?? [], changed);
  store.dispatch({ type: 'domains', id, domains });
  store.dispatch({ type: 'busy', with: undefined });
  store.dispatch({ type: 'status', text: `${changed.domain}: ${DOMAIN_TEXTS[changed.state]}` });
  return true;
}

/** Reads how far the domains of the page are. If that fails, the next time will do. */
export async function readDomains({ project, client, store }: Context, signal: AbortSignal): Promise<void> {
  if (!project?.site) return;
  const { id } = project.site;
  const resource = await client.deployments.get(id, { signal }).catch(() => undefined);
  if (resource && !signal.aborted) store.dispatch({ type: 'domains', id, domains: resource.domains });
}

/** Returns the page of a published project with a picture for links to it; undefined if it has one, or there is nothing to show. */
export function linkPicture({ files, site }: OpenProject) {
  if (!site || !['looking', 'looked'].includes(site.look?.state ?? '')) return undefined;
  // Those who get the link could not see it.
  if (site.access !== undefined && site.access !== 'public') return undefined;
  const path = entryOf([...files.keys()]);
  const html = files.get(path);
  if (typeof html !== 'string') return undefined;
  const changed = withLinkPicture(html, `${site.url.replace(/\/$/, '')}.png`);
  return changed && { path, ...changed };
}

/** Adds the line to the page and shows it in the editor, as a change that is not published yet. */
export function addLinkPicture({ project, store: { dispatch } }: Context): void {
  const changed = project && linkPicture(project);
  if (!changed) return;
  const { path, html, line } = changed;
  dispatch({ type: 'edited', path, content: html });
  dispatch({ type: 'selected', path, place: { line } });
  dispatch({ type: 'status', text: `Added the picture to ${path}. Deploy to publish it.` });
}
