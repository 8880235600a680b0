import type { DomainResource } from '../../../client/client.ts';
import { DOMAIN_TEXTS, withDomain } from '../state/domains.ts';
import type { Context } from './context.ts';

/** Adds a domain to the page, or has its DNS records looked for at once. Returns whether the service took it. */
export function addDomain(context: Context, name: string): Promise<boolean> {
  return change(context, (id) => context.client.deployments.addDomain(id, name));
}

/** Removes a domain from the page. */
export function removeDomain(context: Context, name: string): Promise<boolean> {
  return change(context, (id) => context.client.deployments.removeDomain(id, name));
}

async function change(context: Context, send: (id: string) => Promise<DomainResource>): Promise<boolean> {
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
