import { type Deployed, type DeployOptions, type DeployRequest, deploy } from './deploy.ts';
import { newKey } from './files.ts';
import { Generation } from './generation.ts';
import { type CallOptions, type ClientOptions, Http } from './http.ts';
import { Assets, Deployments, Generations } from './resources.ts';
import type { GenerateRequest, UsageQuery, UsageResponse } from './types.ts';

export type { Deployed, DeploymentOptions, DeployOptions, DeployRequest } from './deploy.ts';
export { ApiError, type ClientErrorCode } from './error.ts';
export { type DeployFile, hashes } from './files.ts';
export type { Generation, GenerationEvent, Project } from './generation.ts';
export type { CallOptions, ClientOptions } from './http.ts';
export type {
  Assets,
  Deployments,
  Generations,
  ListedAsset,
  ListedDeployment,
  ListedGeneration,
  ListOptions,
  Page,
  UploadOptions,
} from './resources.ts';
export type * from './types.ts';

export interface GenerateOptions extends CallOptions {
  /** Default: a random key. The same key joins an earlier generation, or restarts it if it failed. */
  readonly idempotencyKey?: string | undefined;
}

/** A client of the API, for Node 20 or newer and browsers. */
export class Client {
  readonly generations: Generations;
  readonly deployments: Deployments;
  readonly assets: Assets;
  readonly #http: Http;
  readonly #remembered = new Map<string, readonly string[]>();

  constructor(options: ClientOptions) {
    this.#http = new Http(options);
    this.generations = new Generations(this.#http);
    this.deployments = new Deployments(this.#http);
    this.assets = new Assets(this.#http);
  }

  /** Generates a project from a prompt. Await it for the project, or iterate over it for its events. */
  generate(
    request: GenerateRequest,
    { idempotencyKey = newKey(), signal }: GenerateOptions = {},
  ): Generation {
    const headers = { 'idempotency-key': idempotencyKey };
    const start = { method: 'POST', path: '/api/v1/generate', body: request, headers } as const;
    return new Generation(this.#http, { start }, { signal });
  }

  /**
   * Publishes files at a URL. A further deploy with the same projectId sends only files that changed since.
   * @throws ApiError
   */
  deploy(request: DeployRequest, options: DeployOptions = {}): Promise<Deployed> {
    return deploy(this.#http, this.#remembered, request, options);
  }

  /** Returns the usage of the key or token, by day and operation. */
  async usage({ from, to, signal }: UsageQuery & CallOptions = {}): Promise<UsageResponse> {
    const call = { path: '/api/v1/usage', query: { from, to }, signal };
    return (await this.#http.request<UsageResponse>(call)).body;
  }
}
