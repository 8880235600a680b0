import { ApiError, type DeployFile } from '../../../client/client.ts';
import type { GalleryEntry } from '../state/types.ts';
import type { Context } from './context.ts';

/** Deploys the files of the project. @param replace also replaces a version that this page has not seen */
export async function deploy(context: Context, { replace = false } = {}): Promise<void> {
  const { project, client, store } = context;
  if (!project) return;
  const { files, projectId, site, conflict } = project;
  store.dispatch({ type: 'tab', tab: 'publish' });
  store.dispatch({ type: 'busy', with: 'deploy' });
  const sent: DeployFile[] = [...files].map(([path, content]) => ({ path, content }));
  const live = replace ? conflict?.version : site?.version;
  const ifMatch = site?.isDeleted ? undefined : live;
  await context.attempt(async () => {
    try {
      // Files that the live version may not have are sent with their content at once.
      const known = site?.files && !conflict ? undefined : [];
      const deployed = await client.deploy(
        { files: sent, projectId },
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
      const live = await client.deployments.get(site.id, { token: site.token });
      store.dispatch({ type: 'conflict', live: live.versions.find((version) => version.live) });
    }
  });
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
    store.dispatch({ type: 'deleted' });
  });
}

/** Deletes what an entry of the gallery has deployed, and the entry. */
export async function forget(context: Context, { projectId, site }: GalleryEntry): Promise<void> {
  await context.attempt(async () => {
    if (site) await context.client.deployments.delete(site.id, { token: site.token });
    context.store.dispatch({ type: 'forgotten', projectId });
  });
}
