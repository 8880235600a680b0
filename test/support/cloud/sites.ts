import { randomUUID } from 'node:crypto';
import { SITE_DOMAIN, visitorOf } from '../private-pages.ts';
import { newCaller, type Sent, type TestResponse } from './client.ts';
import { cloud } from './cloud.ts';

/** The files of a site by path; bytes are sent as base64. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** Returns files as a deploy sends them. */
export const filesOf = (files: Files) =>
  Object.entries(files).map(([path, content]) =>
    Buffer.isBuffer(content) ? { path, content: content.toString('base64'), encoding: 'base64' } : { path, content },
  );

/** Returns the credential that a response to an anonymous deploy has. */
export const tokenOf = ({ headers }: Pick<TestResponse, 'headers'>): Record<string, string> =>
  headers['x-deployment-token'] === undefined ? {} : { 'x-deployment-token': String(headers['x-deployment-token']) };

/** Returns the version that a response to a deploy names. */
export const versionOf = ({ headers }: Pick<TestResponse, 'headers'>): string => JSON.parse(String(headers.etag));

/** Visits a file with a hashed name until the edge serves it from its cache: not after a visit that found storage slow. */
export async function untilCached(visit: () => Promise<TestResponse>): Promise<void> {
  while ((await visit()).headers['x-cache'] !== 'Hit from cloudfront');
}

/** A project id that no other test uses. */
export const newProject = () => `project-${randomUUID()}`;

/** Returns the base URL of a deployment's own origin. */
export const originOf = (label: string, baseUrl = cloud().baseUrl) =>
  `http://${label}.${SITE_DOMAIN}:${new URL(baseUrl).port}`;

/**
 * Deploys files from a caller of their own.
 * @param more other fields of the request
 * @param headers of the request
 */
export async function deploySite(
  files: Files = { 'index.html': '<title>A page</title>' },
  more: object = {},
  headers: Record<string, string> = {},
) {
  const response = await newCaller().post('/api/v1/deploy', { files: filesOf(files), ...more }, headers);
  const id: string = response.json.id;
  const path = `/api/v1/deployments/${id}`;
  const credentials = { ...headers, ...tokenOf(response) };
  /** Calls an operation of the deployment as its owner. */
  const call = (method: string, rest = '', body?: unknown, more: Record<string, string> = {}) =>
    newCaller().send(path + rest, {
      method,
      headers: { ...credentials, ...more },
      ...(body === undefined ? {} : { body }),
    });
  return {
    id,
    path,
    response,
    url: response.json.url as string,
    token: tokenOf(response),
    call,
    /** Asks for a path on the origin of the deployment. */
    visit: visitorOf(id, cloud().baseUrl),
    /** Asks for a path under the base URL, as programs do. */
    under: (rest: string, sent: Sent = {}) => newCaller().send(`/d/${id}${rest}`, sent),
  };
}
