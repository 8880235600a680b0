import { DEPLOYMENT_ID } from './deployment-id.ts';

/**
 * Returns the id of a deployment in the address of one of its pages, or in an id; undefined if it has none. On its own origin, the
 * host names the deployment: the site chooses the path, which could imitate that of another deployment.
 * @param address as a person pastes it, with or without its scheme
 * @param baseUrl of the service, which other names may lead to as well
 */
export function deploymentIdIn(address: string, baseUrl: string): string | undefined {
  if (DEPLOYMENT_ID.test(address.trim())) return address.trim();
  const url = pastedUrl(address);
  if (!url) return undefined;
  const [label = ''] = url.host.split('.');
  if (url.host !== new URL(baseUrl).host && DEPLOYMENT_ID.test(label)) return label;
  const [, id = ''] = /^\/d\/([^/.]+)/.exec(url.pathname) ?? [];
  return DEPLOYMENT_ID.test(id) ? id : undefined;
}

/** Parses a URL as a person pastes it, with or without its scheme. Returns null if it is invalid. */
export function pastedUrl(address: string): URL | null {
  const parsed = URL.parse(address.trim());
  // `localhost:3000/d/…` is a valid URL with the scheme `localhost`.
  return parsed?.host ? parsed : URL.parse(`https://${address.trim()}`);
}
