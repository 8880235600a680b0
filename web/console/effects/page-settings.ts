import { ApiError, type DeploymentResource } from '../../../client/client.ts';
import { needsKey, siteEnd } from '../state/site.ts';
import type { PublishedSite, Sharing } from '../state/types.ts';
import type { Context } from './context.ts';
import { accessOf, refresh } from './deploy.ts';

/** Clocks of browsers are wrong by minutes. */
const SKEW_MS = 600_000;

/** Keeps the page of the project: makes it that of the API key, or removes the end that its owner chose. */
export function keepPage(context: Context): Promise<boolean> {
  const { deployments } = context.client;
  return change(context, 'claim', ({ id, token }) =>
    token === undefined
      ? deployments.change(id, { expiresInSeconds: null })
      : deployments.claim(id, { token }),
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
    if (error.code === 'gone')
      dispatch({ type: 'ended', end: siteEnd(site, Date.now() + SKEW_MS) ?? 'deleted' });
  }
}
