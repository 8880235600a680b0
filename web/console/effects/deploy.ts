import { ApiError, type DeployFile } from '../../../client/client.ts';
import { newKey } from '../../../client/files.ts';
import { needsKey, PUBLIC, sharingProblem, siteEnd } from '../state/site.ts';
import type { GalleryEntry, Sharing } from '../state/types.ts';
import type { Context } from './context.ts';
import { leave } from './generate.ts';

/** Deploys the files of the project. @param replace also replaces a version that this page has not seen */
export async function deploy(context: Context, { replace = false } = {}): Promise<void> {
  const { store } = context;
  store.dispatch({ type: 'tab', tab: 'publish' });
  leaveEnded(context);
  const { site, sharing = PUBLIC } = context.project ?? {};
  // The panel has its field.
  if (site && needsKey(site, context.hasKey))
    return store.dispatch({ type: 'status', text: 'Enter the API key of the page' });
  const problem = site ? undefined : sharingProblem(sharing);
  if (problem !== undefined) return store.dispatch({ type: 'failed', failure: { code: 'password', message: problem } });
  store.dispatch({ type: 'busy', with: 'deploy' });
  await context.attempt(async () => {
    await claimFirst(context);
    await send(context, replace);
  });
}

/** A page without an owner that is gone can not become that of the key: the project gets another one. */
function leaveEnded({ project, hasKey, store }: Context): void {
  const { site } = project ?? {};
  if (site?.token && hasKey && siteEnd(site, Date.now())) store.dispatch({ type: 'copied', projectId: newKey() });
}

/** A page without an owner becomes that of the key, with which it is deployed from now on. */
async function claimFirst({ project, client, hasKey, store }: Context): Promise<void> {
  const { id, token } = project?.site ?? {};
  if (id === undefined || token === undefined || !hasKey) return;
  store.dispatch({ type: 'site', resource: await client.deployments.claim(id, { token }) });
  store.dispatch({ type: 'busy', with: 'deploy' });
}

async function send(context: Context, replace: boolean): Promise<void> {
  const { project, client, store } = context;
  if (!project) return;
  const { files, projectId, site, conflict, sharing } = project;
  const sent: DeployFile[] = [...files].map(([path, content]) => ({ path, content }));
  const live = replace ? conflict?.version : site?.version;
  const ifMatch = site && siteEnd(site, Date.now()) === undefined ? live : undefined;
  try {
    // Files that the live version may not have are sent with their content at once.
    const known = site?.files && !conflict ? undefined : [];
    const deployed = await client.deploy(
      { files: sent, projectId, ...(sharing && accessOf(sharing)) },
      { token: site?.token, ifMatch, known },
    );
    store.dispatch({ type: 'deployed', deployed, files });
    await refresh(context);
  } catch (error) {
    if (error instanceof ApiError && error.problems.length > 0) {
      // The panel of the preview shows them.
      store.dispatch({ type: 'buildFailed', of: files, problems: error.problems });
      store.dispatch({ type: 'tab', tab: 'preview' });
      return store.dispatch({ type: 'busy', with: undefined });
    }
    if (!(error instanceof ApiError && error.code === 'precondition_failed' && site)) throw error;
    const resource = await client.deployments.get(site.id, { token: site.token });
    store.dispatch({ type: 'conflict', live: resource.versions.find((version) => version.live) });
  }
}

/** Returns a choice as the API takes it. */
export function accessOf({ access, password, linkSeconds }: Sharing) {
  return {
    access,
    ...(access === 'password' && { password }),
    ...(access === 'link' && { linkExpiresInSeconds: linkSeconds }),
  };
}

/** Reads the versions of the project's deployment. */
export async function refresh({ project, client, store }: Context): Promise<void> {
  if (!project?.site) return;
  const { id, token } = project.site;
  store.dispatch({ type: 'site', resource: await client.deployments.get(id, { token }) });
}

/** Makes an earlier version live. */
export async function rollback(context: Context, version: string): Promise<void> {
  const { project, client, store } = context;
  if (!project?.site) return;
  const { id, token, version: ifMatch } = project.site;
  store.dispatch({ type: 'busy', with: 'rollback' });
  await context.attempt(async () => {
    try {
      const resource = await client.deployments.rollback(id, { version, token, ifMatch });
      store.dispatch({ type: 'site', resource });
    } catch (error) {
      // Shows what is live, so that the next attempt is about that.
      if (error instanceof ApiError && error.code === 'precondition_failed') await refresh(context);
      throw error;
    }
  });
}

/** Deletes the deployment of the project. */
export async function remove(context: Context): Promise<void> {
  const { project, client, store } = context;
  if (!project?.site) return;
  const { id, token } = project.site;
  store.dispatch({ type: 'busy', with: 'delete' });
  await context.attempt(async () => {
    await client.deployments.delete(id, { token });
    store.dispatch({ type: 'ended', end: 'deleted' });
  });
}

/** Forgets a project. @param deletes also deletes its page */
export async function forget(context: Context, { projectId, site }: GalleryEntry, deletes: boolean): Promise<void> {
  await context.attempt(async () => {
    if (site && deletes) await context.client.deployments.delete(site.id, { token: site.token });
    if (context.project?.projectId === projectId) leave();
    context.store.dispatch({ type: 'forgotten', projectId });
  });
}
