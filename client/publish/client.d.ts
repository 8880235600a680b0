// biome-ignore-all lint: generated
// Generated from client/ by npm run client: do not edit.

import type {
  BuildProblem,
  BuildReport,
  BuildRequest,
  BuildResponse,
  CreatedAsset,
  DeletedDeployment,
  DeploymentResource,
  DeployResponse,
  DomainResource,
  ErrorCode,
  GeneratedDeployment,
  GeneratedFile,
  GenerateRequest,
  GenerateResponse,
  GenerationResource,
  Look,
  LookProblem,
  ProviderList,
  ReportRequest,
  ReportResponse,
  SettingsRequest,
  ShownAsset,
  Usage,
  UsageQuery,
  UsageResponse,
  VersionResource,
  ViewsQuery,
  ViewsResponse,
} from '../types.ts';

export type * from '../types.ts';
export type ListedAsset = Omit<ShownAsset, 'download_url' | 'expires_at'>;
export interface UploadOptions extends CallOptions {
  /** Default: the name of a `File`. */
  readonly name?: string | undefined;
  /** Media type. Default: that of a `Blob`. */
  readonly type?: string | undefined;
  /** Upper-case identifier such as `USER_AVATAR`. */
  readonly entityType?: string | undefined;
}
/** User assets. They need a credential with the scope `assets:write`. */
export declare class Assets extends Resources<ListedAsset> {
  #private;
  /**
   * Creates an asset, uploads its bytes, marks it as uploaded, and returns it. If it fails, or is retried because the first
   * response was lost, a pending asset may be left, which the service deletes after a day.
   */
  upload(content: Uint8Array | Blob, options?: UploadOptions): Promise<ShownAsset>;
  /** Returns an asset; once it is uploaded, with a `download_url`. */
  get(id: string, { signal }?: CallOptions): Promise<ShownAsset>;
  delete(id: string, { signal }?: CallOptions): Promise<void>;
}
export interface BuildOptions extends Omit<BuildRequest, 'files'> {
  /** The source; or `generationId`. */
  readonly files?: readonly DeployFile[] | undefined;
}
/** `token` and `ifMatch` are those of the deployment to `deploy` to, or the token that of the one in `from`. */
export interface GenerateOptions extends DeploymentOptions {
  /** Default: a random one. The same key joins an earlier generation, or restarts it if it failed. */
  readonly idempotencyKey?: string | undefined;
}
/** A client of the API, for browsers and Node 20 or newer. Its calls reject with an `ApiError`. */
export declare class Client {
  #private;
  readonly generations: Generations;
  readonly deployments: Deployments;
  readonly assets: Assets;
  constructor(options: ClientOptions);
  /** Generates a project from a prompt: await it, or iterate over its events. */
  generate(body: GenerateRequest, { idempotencyKey, signal, ...options }?: GenerateOptions): Generation;
  /** Returns what a browser showed of a generated project, as PNG. @throws ApiError `not_found` if there is no picture */
  screenshot(generationId: string, options?: ScreenshotOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** Publishes files at a URL. The next deploy with the same projectId sends only the files that have changed. */
  deploy(request: DeployRequest, options?: DeployOptions): Promise<Deployed>;
  /** Builds the source of a project as `deploy` does, without publishing it. @throws ApiError whose `problems` say what is wrong */
  build(options: BuildOptions, { signal }?: CallOptions): Promise<BuildResponse>;
  /** Returns the providers in the order in which `auto` tries them, and how they performed of late. */
  providers({ signal }?: CallOptions): Promise<ProviderList>;
  /**
   * Reports a deployed page to the operator of the service, by its `url` or `deploymentId`. Reports of a page by the same caller in a
   * day are one.
   */
  report(report: ReportRequest, { signal }?: CallOptions): Promise<ReportResponse>;
  /** Returns the usage of the key or token by day and operation. */
  usage({ from, to, signal }?: UsageQuery & CallOptions): Promise<UsageResponse>;
}
export type DeployRequest = SettingsRequest & {
  /** Deploys with the same projectId share one URL. */
  readonly projectId?: string | undefined;
  /** With `false`, the source of a project is published as it is, not built. Default: `true`. */
  readonly build?: boolean | undefined;
  /** Values of `import.meta.env` by name, such as `VITE_API`. They become part of the page. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Receives a notification of the deploy. Requires an API key. */
  readonly webhook?:
    | {
        readonly url: string;
      }
    | undefined;
} & (
    | {
        /** 1 to 200 files; those of a project, for example. */
        readonly files: readonly DeployFile[];
      }
    | {
        /** The project of this generation. */
        readonly generationId: string;
      }
  );
export interface TokenOptions extends CallOptions {
  /** The `token` of the first deploy. It manages a deployment that was made without a key. */
  readonly token?: string | undefined;
}
export interface DeploymentOptions extends TokenOptions {
  /** The version that must be live; otherwise the call fails with `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}
export interface DeployOptions extends DeploymentOptions {
  /** Default: a random one. The same key makes a repeated call return the first result. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Hashes of files that the live version seems to have. They are sent without content, unless the service asks for it.
   * Default: those of this client's last deploy with the same projectId.
   */
  readonly known?: Iterable<string> | undefined;
}
export type Deployed = DeployResponse & {
  /** Id of the new version. */
  readonly version: string;
  /** Manages the deployment. Only for the deploy that created it without a key, and for those that send it. */
  readonly token?: string;
  /** What may not work for visitors, and what to do: the first warnings of a build, or that the files are source, which browsers do not run. */
  readonly warning?: string;
  /** The site on its own origin; null if the service has no origins for sites. */
  readonly siteUrl: string | null;
  /** Unix time in milliseconds from which the pages are a 410. Absent if the deployment stays. */
  readonly expiresAt?: number;
  /** Where a key and `token` claim the deployment, as `deployments.claim` does. Only with `token`. */
  readonly claimUrl?: string;
  /** Whether the deployment is new. */
  readonly created: boolean;
};
/** Every failure of a call, except an abort, which rejects with the reason of the signal. */
export declare class ApiError extends Error {
  readonly name = 'ApiError';
  /** HTTP status; 0 if no complete response arrived. */
  readonly status: number;
  /** A code of the service; `network` for status 0; `invalid_response` if something else answered in its place. */
  readonly code: ErrorCode | 'network' | 'invalid_response';
  /** The JSON of the response, or its text. */
  readonly body: unknown;
  /** `X-Request-Id`, which identifies the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** Seconds of `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** What is wrong with the source of a project that cannot be built; otherwise empty. */
  readonly problems: readonly BuildProblem[];
  /** Number of attempts since the last progress. */
  attempts: number;
}
/** A file to deploy. Bytes that are UTF-8 are sent as text, others in base64. */
export interface DeployFile {
  /** Relative, with `/` as the separator. */
  readonly path: string;
  readonly content: string | Uint8Array;
  /** Encoding of `content`, if that is a string: `base64` for a file that is not text. Default: `utf-8`. */
  readonly encoding?: 'utf-8' | 'base64' | undefined;
}
/** Returns the SHA-256 of each file's bytes, in lower-case hexadecimal digits. */
export declare function hashes(files: readonly DeployFile[]): Promise<string[]>;
interface EventData {
  readonly queued: {
    readonly at: number;
  };
  /** An attempt that began or, with `outcome`, ended. */
  readonly attempt: {
    readonly attempt: number;
  } & GenerationResource['attempts'][number] &
    Starter;
  /** The files that are being written, as of the last seconds. It can be missed, and is not sent again. */
  readonly writing: {
    readonly files: NonNullable<GenerationResource['writing']>;
  };
  readonly plan: {
    readonly files: NonNullable<GenerationResource['plan']>;
  };
  readonly file: GenerateResponse['files'][number] & GenerationResource['files'][number];
  /** A browser looks at the project as the attempt left it, or has looked. The URLs of `screenshots` are relative to the base URL. */
  readonly look: {
    readonly attempt: number;
  } & Look;
  /** A change deleted a file. */
  readonly deleted: {
    readonly path: string;
  };
  readonly done: GenerateResponse & Cost;
}
type Starter = Pick<GenerationResource, 'matched'>;
type Cost = Pick<GenerationResource, 'cost' | 'costUnknown'>;
/**
 * Something that happened in a generation. Ids count from 1. `writing` is not logged by the service: it has the id of the event
 * before it, so that a stream can be resumed after any event.
 */
export type GenerationEvent = {
  [Type in keyof EventData]: {
    readonly id: number;
    readonly type: Type;
    readonly data: EventData[Type];
  };
}[keyof EventData];
/** A generation, with the token of a deployment that it created without a key. */
export type RetrievedGeneration = GenerationResource & {
  /** Manages `deployment`. */
  readonly token?: string;
};
/** A generated project, and how its generation ended. */
export type Project = GenerateResponse &
  Pick<
    RetrievedGeneration,
    'id' | 'status' | 'cost' | 'costUnknown' | 'matched' | 'problems' | 'look' | 'token'
  >;
export interface ScreenshotOptions extends CallOptions {
  /** Width of the browser in CSS pixels. Default: 1280. */
  readonly width?: 390 | 1280 | undefined;
  /** Number of the attempt, as in `look` events. Default: the last one whose files the project has. */
  readonly attempt?: number | undefined;
}
/**
 * A generation: await it for its project, iterate over it for its events, or both. It starts when it is first used, and each
 * iteration begins with the first event. A lost connection is resumed after the last event. When the loop ends, the
 * connection is closed, but the generation itself goes on: `client.generations.cancel` ends it.
 */
export declare class Generation implements Promise<Project>, AsyncIterable<GenerationEvent> {
  #private;
  readonly [Symbol.toStringTag] = 'Generation';
  /** The id of the generation, once the service has created it. */
  get id(): Promise<string>;
  readonly then: Promise<Project>['then'];
  readonly catch: Promise<Project>['catch'];
  readonly finally: Promise<Project>['finally'];
  /** @throws ApiError if the generation fails, or too many connections in a row bring nothing */
  [Symbol.asyncIterator](): AsyncGenerator<GenerationEvent, void, undefined>;
}
export interface ClientOptions {
  /** Address of the service, such as `https://ptp.example.com`. */
  readonly baseUrl: string | URL;
  /** API key, `ptp_…`. */
  readonly key?: string | undefined;
  /** OAuth access token, in place of a key. */
  readonly token?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Called before each retry, with the error and the delay in milliseconds. */
  readonly onRetry?: ((error: ApiError, waitMs: number) => void) | undefined;
  /** Waits before a retry. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Additional headers of every request to the service. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly userAgent?: string | undefined;
  /** After so many milliseconds without a byte, an event stream counts as lost. Default: 60,000. The service sends every 15 s. */
  readonly silenceMs?: number | undefined;
}
export interface CallOptions {
  /** Aborts the call, its retries and its waits. */
  readonly signal?: AbortSignal | undefined;
}
/** A page of a list, newest first. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** `cursor` of the next page; null on the last one. */
  readonly nextCursor: string | null;
}
export interface ListOptions extends CallOptions {
  /** Items per page, 1 to 100. Default: 20. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}
export type ListedGeneration = Omit<
  GenerationResource,
  'attempts' | 'plan' | 'files' | 'changes' | 'problems'
> & {
  readonly fileCount: number;
};
export type ListedDeployment = Omit<DeploymentResource, 'versions' | 'look' | 'domains'>;
/** Resources of one kind. The lists have those of the key or token. */
export declare class Resources<Item> {
  #private;
  list({ limit, cursor, signal }?: ListOptions): Promise<Page<Item>>;
  /** Yields all items, and requests each page when it is needed. */
  all(options?: ListOptions): AsyncGenerator<Item, void, undefined>;
}
export declare class Generations extends Resources<ListedGeneration> {
  get(id: string, { signal }?: CallOptions): Promise<RetrievedGeneration>;
  /** Waits for a generation. @throws ApiError if it fails */
  result(id: string, { signal }?: CallOptions): Promise<Project>;
  /** Cancels a generation. @throws ApiError `conflict` if it is over */
  cancel(id: string, { signal }?: CallOptions): Promise<GenerationResource>;
  /** Iterates over the events of a generation, beginning after `lastEventId`. @throws ApiError if it fails */
  events(
    id: string,
    {
      lastEventId,
      signal,
    }?: CallOptions & {
      readonly lastEventId?: number | undefined;
    },
  ): AsyncGenerator<GenerationEvent, void, undefined>;
}
export interface DeploymentScreenshotOptions extends TokenOptions {
  /** Width of the browser in CSS pixels. Default: 1280. */
  readonly width?: 390 | 1280 | undefined;
  /** One of the deployment's `versions`. Default: the live one. */
  readonly version?: string | undefined;
}
export declare class Deployments extends Resources<ListedDeployment> {
  get(id: string, { signal, token }?: DeploymentOptions): Promise<DeploymentResource>;
  /** Changes who may see a deployment, or when it expires. */
  change(id: string, { token, signal, ...body }: TokenOptions & SettingsRequest): Promise<DeploymentResource>;
  /** Moves an anonymous deployment to the key or token of the client, where it stays. @param options its deployment token */
  claim(id: string, { token, signal }?: TokenOptions): Promise<DeploymentResource>;
  /** Returns the files of the live version as a zip, those of private pages too. */
  archive(id: string, { token, signal }?: TokenOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns what a browser showed of a version, as PNG. @throws ApiError `not_found` if there is no picture */
  screenshot(
    id: string,
    { width, version, token, signal }?: DeploymentScreenshotOptions,
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns who opened the pages of a deployment, by day. */
  views(id: string, { from, to, signal, token }?: ViewsQuery & DeploymentOptions): Promise<ViewsResponse>;
  /** Makes one of the versions live. */
  rollback(
    id: string,
    {
      version,
      signal,
      ...options
    }: DeploymentOptions & {
      readonly version: string;
    },
  ): Promise<DeploymentResource>;
  delete(id: string, { signal, ...options }?: DeploymentOptions): Promise<DeletedDeployment>;
  /**
   * Adds a domain of yours, or has its DNS records looked for at once. It serves the pages when its `state` is `active`. Requires
   * the key or token that the deployment belongs to.
   */
  addDomain(id: string, domain: string, { signal }?: CallOptions): Promise<DomainResource>;
  /** Removes a domain, which takes some minutes. */
  removeDomain(id: string, domain: string, { signal }?: CallOptions): Promise<DomainResource>;
}
