import type { DeploymentResource, DeployResponse } from '../contract/deploy.ts';
import { OWN_CALL_HEADER } from '../sites/edge.ts';
import type { CanarySettings } from './settings.ts';

/** A response with its complete body. */
export interface Received {
  /** Describes the request in messages, such as `GET /api/v1/providers`. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const SECONDS = 20;

/** Sends requests to the public URL of the service, as its users do. */
export class Service {
  readonly #baseUrl: string;
  readonly #userAgent: string;

  /** @param userAgent identifies the canary to the service */
  constructor(baseUrl: string, userAgent: string) {
    this.#baseUrl = baseUrl;
    this.#userAgent = userAgent;
  }

  /**
   * Calls the API, and follows redirects.
   * @param seconds the timeout of the complete response
   * @throws Error if there is no complete response
   */
  api(key: string, method: 'GET' | 'POST', path: string, body?: object, seconds = SECONDS): Promise<Received> {
    const json = body && { body: JSON.stringify(body) };
    const headers = { authorization: `Bearer ${key}`, ...(json && { 'content-type': 'application/json' }) };
    return this.#send(new URL(path, this.#baseUrl), { method, ...json, headers }, seconds);
  }

  /** Loads a file of a deployed page. The key is never sent there. */
  visit(url: URL): Promise<Received> {
    // Not counted as a view of the page.
    const headers = { [OWN_CALL_HEADER]: 'none' };
    return this.#send(url, { method: 'GET', headers, redirect: 'manual' }, SECONDS);
  }

  async #send(url: URL, init: RequestInit & { method: string }, seconds: number): Promise<Received> {
    const headers = { ...(init.headers as Record<string, string>), 'user-agent': this.#userAgent };
    const signal = AbortSignal.timeout(seconds * 1_000);
    const response = await fetch(url, { ...init, headers, signal });
    const text = await response.text();
    const request = `${init.method} ${url.pathname}`;
    return { request, status: response.status, headers: response.headers, text };
  }
}

/** A step whose result differs from the expected one. */
export class Unexpected extends Error {
  override readonly name = 'Unexpected';
  readonly expected: string;
  readonly found: string;
  /** The id of the request in the logs of the API, or otherwise of the edge. */
  readonly request: string | undefined;

  constructor(expected: string, found: string, { headers }: Partial<Pick<Received, 'headers'>> = {}) {
    super(`expected ${expected}, found ${found}`);
    this.expected = expected;
    this.found = found;
    this.request = headers?.get('x-request-id') ?? headers?.get('x-amz-cf-id') ?? undefined;
  }
}

/** How much of a body a log line contains. */
const SHOWN_CHARACTERS = 300;

const short = (text: string): string => text.slice(0, SHOWN_CHARACTERS);

/** @throws Unexpected for another status */
function expectStatus(received: Received, ...expected: readonly number[]): void {
  if (expected.includes(received.status)) return;
  const { request, status, text } = received;
  throw new Unexpected(`${request} to return ${expected.join(' or ')}`, `${status}: ${short(text)}`, received);
}

/** The canary's key has one deployment, whose versions have one file with the same name. It is not HTML, so no browser looks at it. */
const PROJECT = 'canary';
const FILE = 'canary.txt';

/** Less than the timeout of the function. */
const GENERATE_SECONDS = 180;

/** The values that the steps of a run share. */
export interface Steps {
  readonly service: Service;
  readonly key: string;
  readonly settings: CanarySettings;
  /** The time of this run in Unix milliseconds, which is the content that it deploys. */
  readonly now: number;
}

/** The deployment of the canary. */
interface Page {
  readonly id: string;
  /** The URLs at which visitors reach its file. */
  readonly urls: readonly URL[];
  /** The version that this run deployed; undefined if it did not deploy. */
  readonly version?: string;
}

/** Calls the API function of generations, which the deploy does not use. */
export async function readApi({ service, key }: Steps): Promise<void> {
  expectStatus(await service.api(key, 'GET', '/api/v1/providers'), 200);
}

export async function deploy({ service, key, now }: Steps): Promise<Page> {
  const files = [{ path: FILE, content: String(now) }];
  const deployed = await service.api(key, 'POST', '/api/v1/deploy', { projectId: PROJECT, files });
  expectStatus(deployed, 200, 201);
  const { id, url } = JSON.parse(deployed.text) as DeployResponse;
  const site = /<([^>]+)>; rel="canonical"/.exec(deployed.headers.get('link') ?? '')?.[1];
  const version = deployed.headers.get('etag')?.replaceAll('"', '') ?? '';
  return { id, urls: urlsOf(url, site), version };
}

/** Returns the deployment of an earlier run, or undefined if there is none. */
export async function findPage({ service, key }: Steps): Promise<Page | undefined> {
  const listed = await service.api(key, 'GET', '/api/v1/deployments?limit=1');
  expectStatus(listed, 200);
  const [found] = (JSON.parse(listed.text) as { items: DeploymentResource[] }).items;
  return found && { id: found.id, urls: urlsOf(found.url, found.siteUrl ?? undefined) };
}

/** Checks that the deployed version is live. */
export async function readBack({ service, key }: Steps, { id, version }: Page): Promise<void> {
  const read = await service.api(key, 'GET', `/api/v1/deployments/${id}`);
  expectStatus(read, 200);
  const live = (JSON.parse(read.text) as DeploymentResource).version;
  if (live !== version) throw new Unexpected(`version ${version} to be live`, live, read);
}

/** Loads the file at each of its URLs, and checks its time if this run has deployed. */
export async function visit({ service, now, settings }: Steps, { urls, version }: Page): Promise<void> {
  for (const url of urls) {
    const file = await service.visit(url);
    expectStatus(file, 200);
    if (version !== undefined) expectFresh(file, url, now - settings.staleMs);
  }
}

/** Accepts the file of a later run too: EventBridge may deliver an event twice. */
function expectFresh(file: Received, url: URL, oldest: number): void {
  if (Number(file.text) >= oldest) return;
  const cache = file.headers.get('x-cache') ?? 'no X-Cache';
  throw new Unexpected(`${url.href} to have ${oldest} or later`, `${short(file.text)} (${cache})`, file);
}

/** Generates a project with a provider, and waits for it. */
export async function generate({ service, key }: Steps, model: string): Promise<void> {
  const body = { prompt: 'A page that says hello', model };
  const made = await service.api(key, 'POST', '/api/v1/generate', body, GENERATE_SECONDS);
  expectStatus(made, 200);
  const { files = [] } = JSON.parse(made.text) as { files?: unknown[] };
  if (files.length === 0) throw new Unexpected('a project with files', short(made.text), made);
}

/** @param site the URL on the deployment's own origin, if it has one */
function urlsOf(url: string, site: string | undefined): URL[] {
  const roots = [`${url}/`, ...(site === undefined ? [] : [site])];
  return roots.map((root) => new URL(FILE, root));
}
