import { ASSETS, Assets } from './assets.ts';
import { Data } from './data.ts';
import {
  type BuildOptions,
  build,
  type Deployed,
  type DeploymentOptions,
  type DeployOptions,
  type DeployRequest,
  deploy,
  managing,
} from './deploy.ts';
import { newKey } from './files.ts';
import { Generation, type ScreenshotOptions, screenshot } from './generation.ts';
import { type CallOptions, type ClientOptions, Http } from './http.ts';
import { Deployments, Generations } from './resources.ts';
import type {
  BuildResponse,
  GenerateRequest,
  ProviderList,
  ReportRequest,
  ReportResponse,
  UsageQuery,
  UsageResponse,
} from './types.ts';

export type * from './assets.ts';
export type * from './data.ts';
export type * from './deploy.ts';
export type { BuildOptions } from './deploy.ts';
export { ApiError } from './error.ts';
export { type DeployFile, hashes } from './files.ts';
export type {
  Generation,
  GenerationEvent,
  Project,
  RetrievedGeneration,
  ScreenshotOptions,
} from './generation.ts';
export type { CallOptions, ClientOptions } from './http.ts';
export type * from './resources.ts';
export type * from './types.ts';

/** `token` and `ifMatch` are those of the deployment to `deploy` to, or the token that of the one in `from`. */
export interface GenerateOptions extends DeploymentOptions {
  /** Default: a random one. The same key joins an earlier generation, or restarts it if it failed. */
  readonly idempotencyKey?: string | undefined;
}

/** A client of the API, for browsers and Node 20 or newer. Its calls reject with an `ApiError`. */
export class Client {
  readonly generations: Generations;
  readonly deployments: Deployments;
  readonly assets: Assets;
  /** What visitors of sites share. */
  readonly data: Data;
  readonly #http: Http;
  readonly #remembered = new Map<string, readonly string[]>();

  constructor(options: ClientOptions) {
    this.#http = new Http(options);
    this.generations = new Generations(this.#http, '/api/v1/generations');
    this.deployments = new Deployments(this.#http, '/api/v1/deployments');
    this.assets = new Assets(this.#http, ASSETS);
    this.data = new Data(this.#http);
  }

  /** Generates a project from a prompt: await it, or iterate over its events. */
  generate(body: GenerateRequest, { idempotencyKey = newKey(), signal, ...options }: GenerateOptions = {}): Generation {
    const headers = { ...managing(options), 'idempotency-key': idempotencyKey };
    const call = { method: 'POST', path: '/api/v1/generate', body, headers } as const;
    return new Generation(this.#http, { call }, signal);
  }

  /** Returns what a browser showed of a generated project, as PNG. @throws ApiError `not_found` if there is no picture */
  screenshot(generationId: string, options: ScreenshotOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return screenshot(this.#http, generationId, options);
  }

  /** Publishes files at a URL. The next deploy with the same projectId sends only the files that have changed. */
  deploy(request: DeployRequest, options: DeployOptions = {}): Promise<Deployed> {
    return deploy(this.#http, this.#remembered, request, options);
  }

  /** Builds the source of a project as `deploy` does, without publishing it. @throws ApiError whose `problems` say what is wrong */
  build(options: BuildOptions, { signal }: CallOptions = {}): Promise<BuildResponse> {
    return build(this.#http, options, signal);
  }

  /** Returns the providers in the order in which `auto` tries them, and how they performed of late. */
  providers({ signal }: CallOptions = {}): Promise<ProviderList> {
    return this.#http.json({ path: '/api/v1/providers', signal });
  }

  /**
   * Reports a deployed page to the operator of the service, by its `url` or `deploymentId`. Reports of a page by the same caller in a
   * day are one.
   */
  report(report: ReportRequest, { signal }: CallOptions = {}): Promise<ReportResponse> {
    return this.#http.json({ method: 'POST', path: '/api/v1/reports', body: report, signal });
  }

  /** Returns the usage of the key or token by day and operation. */
  usage({ from, to, signal }: UsageQuery & CallOptions = {}): Promise<UsageResponse> {
    return this.#http.json({ path: '/api/v1/usage', query: { from, to }, signal });
  }
}
