import { randomUUID } from 'node:crypto';
import type { StackFacts } from '../../../cli/smoke-command.ts';
import type { DeployResponse } from '../../../lambda/contract/deploy.ts';
import { ApiClient, type ApiOptions, type Call } from './api-client.ts';
import { check, expectStatus } from './checks.ts';
import { Http, type Sent, type SmokeResponse } from './http.ts';
import { type SmokeSite, siteFiles } from './site.ts';

export const DEPLOY = '/api/v1/deploy';

export interface SessionOptions extends ApiOptions {
  readonly token?: string | undefined;
  /** A domain whose DNS records the operator can change. */
  readonly domain?: string | undefined;
  /** Facts about the stack from AWS. */
  readonly stack?: StackFacts | undefined;
  /** Whether to run steps that take minutes. */
  readonly slow?: boolean | undefined;
  /** Whether to roll a version of a function out and back. */
  readonly rollout?: boolean | undefined;
  /** Returns the local address of the next request; by default, the system chooses it. */
  readonly newAddress?: (() => string) | undefined;
}

/** Browsers are redirected to the origin of a page, programs get it under the base URL. */
export const NAVIGATION = { 'sec-fetch-mode': 'navigate' };

/** What the steps share: the connections, the rate limit, one deployment, and what is to be cleaned up. */
export class Session implements Disposable {
  readonly options: SessionOptions;
  readonly http: Http;
  readonly client: ApiClient;
  /** The last deploy with an Idempotency-Key, and its response. */
  repeatable: { readonly call: Call; readonly response: SmokeResponse } | undefined;
  readonly #projectId = `smoke-${randomUUID()}`;
  readonly #cleanUps: (() => Promise<unknown>)[] = [];
  #versions = 0;
  #site: SmokeSite | undefined;
  #token: string | undefined;

  constructor(options: SessionOptions) {
    this.options = options;
    this.http = new Http(options.newAddress);
    this.client = new ApiClient(this.http, options);
  }

  /** Calls the API, with the key unless another credential is given. */
  api(method: string, path: string, call?: Call): Promise<SmokeResponse> {
    return this.client.send(method, path, call);
  }

  /** Follows 303s of the API with the same credentials. */
  async follow(response: SmokeResponse, call: Call = {}): Promise<SmokeResponse> {
    let last = response;
    for (let hops = 0; last.status === 303 && hops < 10; hops++) last = await this.api('GET', this.pathOf(last), call);
    return last;
  }

  /** Returns the path of a Location. @throws Error unless it is on the base URL */
  pathOf({ request, headers: { location = '' } }: SmokeResponse): string {
    const { origin } = this.options.baseUrl;
    check(location.startsWith(`${origin}/`), `${request} has the Location "${location}", which is not under ${origin}`);
    return location.slice(origin.length);
  }

  /** Returns the credential of the deployment, unless it belongs to the key. */
  get ownership(): Record<string, string> {
    return this.#token === undefined ? {} : { 'x-deployment-token': this.#token };
  }

  /**
   * Deploys the next version to the session's deployment.
   * @param send sends the body; by default as plain JSON
   */
  async deploy(
    send: (body: string) => Promise<SmokeResponse> = (body) => this.api('POST', DEPLOY, this.deployCall(body)),
  ): Promise<SmokeSite> {
    const n = ++this.#versions;
    const before = this.#site;
    const response = await send(JSON.stringify({ projectId: this.#projectId, files: siteFiles(n) }));
    expectStatus(response, before ? 200 : 201);
    const { id, title } = response.json<DeployResponse>();
    const live = { n, id: String(response.headers.etag).replaceAll('"', '') };
    const url = before?.url ?? new URL(`/d/${id}/`, this.options.baseUrl);
    // Known before it is checked, so that it is deleted in any case.
    this.#site = { id, url, live, ...(before && { previous: before.live }) };
    this.#token ??= response.headers['x-deployment-token']?.toString();
    check(title === `Version ${n}`, `${response.request} deployed "${title}" instead of "Version ${n}"`);
    check(!before || id === before.id, `${response.request} deployed to ${id} instead of ${before?.id}`);
    if (!before) this.#site = { ...this.#site, url: await this.#target(url) };
    return this.#site;
  }

  deployCall(body: string | Buffer): Call {
    return { body, headers: { 'content-type': 'application/json', ...this.ownership } };
  }

  /** Returns the session's deployment; the first call creates it. */
  async site(): Promise<SmokeSite> {
    return this.#site ?? (await this.deploy());
  }

  /** Returns the session's deployment with at least two versions. */
  async siteOfTwo(): Promise<Required<SmokeSite>> {
    await this.site();
    const { previous, ...site } = this.#site?.previous ? this.#site : await this.deploy();
    check(previous !== undefined, 'The deployment has one version after two deploys');
    return { ...site, previous };
  }

  async visit(path: string, sent: Sent = {}): Promise<SmokeResponse> {
    return this.http.send(new URL(path, (await this.site()).url), sent);
  }

  /** Notes that the previous version is live again. */
  rolledBack(): void {
    if (this.#site?.previous) this.#site = { ...this.#site, live: this.#site.previous, previous: this.#site.live };
  }

  /** Returns the response to the deletion of the deployment, or undefined if there is none. */
  async delete(): Promise<SmokeResponse | undefined> {
    if (!this.#site) return undefined;
    const path = `/api/v1/deployments/${this.#site.id}`;
    const response = await this.api('DELETE', path, { headers: this.ownership });
    if (response.status < 300 || response.status === 410) this.#site = undefined;
    return response;
  }

  /** Registers what must be undone at the end, even after a failure. */
  cleanUp(undo: () => Promise<unknown>): void {
    this.#cleanUps.push(undo);
  }

  /** Undoes everything, the last first. Returns what could not be undone. */
  async end(): Promise<string[]> {
    const problems: string[] = [];
    for (const undo of this.#cleanUps.toReversed()) await undo().catch(({ message }: Error) => problems.push(message));
    await this.delete().catch(({ message }: Error) => problems.push(message));
    if (this.#site) problems.push(`The deployment ${this.#site.url.href} was not deleted`);
    return problems;
  }

  [Symbol.dispose](): void {
    this.http[Symbol.dispose]();
  }

  /** Returns the URL on the deployment's own origin, if it has one. */
  async #target(url: URL): Promise<URL> {
    const { status, headers } = await this.http.send(url, { headers: NAVIGATION });
    return status === 308 ? new URL(headers.location ?? '', url) : url;
  }
}

/** A deployment of a step alone, which is deleted at the end. */
export interface Published {
  readonly id: string;
  /** The path of its resource. */
  readonly path: string;
  readonly response: SmokeResponse;
  /** Its token, unless it belongs to the session's key. */
  readonly ownership: Readonly<Record<string, string>>;
}

/** @param fields of the request besides the files @param credential replaces that of the session */
export async function publish(session: Session, fields: object, credential?: string): Promise<Published> {
  const sent = credential === undefined ? {} : { credential };
  const response = await session.api('POST', DEPLOY, { json: { files: siteFiles(1), ...fields }, ...sent });
  expectStatus(response, 201);
  const { id } = response.json<DeployResponse>();
  const path = `/api/v1/deployments/${id}`;
  const token = response.headers['x-deployment-token']?.toString();
  const ownership = token === undefined ? {} : { 'x-deployment-token': token };
  session.cleanUp(async () => {
    expectStatus(await session.api('DELETE', path, { headers: ownership }), 200, 410);
  });
  return { id, path, response, ownership };
}
