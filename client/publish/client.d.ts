// biome-ignore-all lint: generated
// Generated from client/ by npm run client: do not edit.

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
  /** Publishes files at a URL. The next deploy with the same projectId sends only the files that have changed. */
  deploy(request: DeployRequest, options?: DeployOptions): Promise<Deployed>;
  /** Returns the usage of the key or token by day and operation. */
  usage({ from, to, signal }?: UsageQuery & CallOptions): Promise<UsageResponse>;
}
export type DeployRequest = {
  /** Deploys with the same projectId share one URL. */
  readonly projectId?: string | undefined;
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
export interface DeploymentOptions extends CallOptions {
  /** The `token` of the first deploy. It manages a deployment that was made without a key. */
  readonly token?: string | undefined;
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
  /** What visitors see and what to do, if the files seem to be a project that was not built. */
  readonly warning?: string;
  /** The site on its own origin; null if the service has no origins for sites. */
  readonly siteUrl: string | null;
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
  /** A change deleted a file. */
  readonly deleted: {
    readonly path: string;
  };
  readonly done: GenerateResponse;
}
type Starter = Pick<GenerationResource, 'matched'>;
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
  Pick<RetrievedGeneration, 'id' | 'status' | 'matched' | 'problems' | 'token'>;
/**
 * A generation: await it for its project, iterate over it for its events, or both. It starts when it is first used, and each
 * iteration begins with the first event. A lost connection is resumed after the last event. When the loop ends, the
 * connection is closed, but the generation itself goes on: `client.generations.cancel` ends it.
 */
export declare class Generation implements PromiseLike<Project>, AsyncIterable<GenerationEvent> {
  #private;
  /** The id of the generation, once the service has created it. */
  get id(): Promise<string>;
  readonly then: Promise<Project>['then'];
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
export type ListedDeployment = Omit<DeploymentResource, 'versions'>;
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
export declare class Deployments extends Resources<ListedDeployment> {
  get(id: string, { signal, token }?: DeploymentOptions): Promise<DeploymentResource>;
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
}
/** Codes of the service's errors. */
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'unknown_files'
  | 'conflict'
  | 'gone'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_mismatch'
  | 'rate_limited'
  | 'taken_down'
  | 'internal'
  | 'deployment_backend_unreachable'
  | 'providers_failed'
  | 'unavailable'
  | 'generation_timed_out';
export interface GeneratedFile {
  /** Path within the project. */
  readonly path: string;
  /** Content of the file. */
  readonly content: string;
  /** Language identifier as in editors, such as `typescript`; `plaintext` if unknown. */
  readonly language: string;
  /** For a file that is not text, such as an image of `assets`: `content` is base64. */
  readonly encoding?: 'base64';
}
export interface GenerateResponse {
  /** Generated files. */
  readonly files: readonly GeneratedFile[];
  /** Estimated tokens of prompt and output, at 4 characters per token. */
  readonly tokensUsed: number;
  /** Milliseconds from the arrival of the request to the end of the generation. */
  readonly duration: number;
  /** Provider that was used, as `<provider>/<variant>`, such as `provider-a/blueprint`. It can differ from the requested `model`. */
  readonly model: string;
  /** Number of `files`. */
  readonly fileCount: number;
  /** The prompt, truncated to 200 characters. */
  readonly prompt: string;
  /** Only with `deploy`: the response of the deploy, whose page was loaded before this response. */
  readonly deployment?: DeployResponse;
  /** Only with `deploy`: why the project is not deployed. It can be deployed with `generationId`. */
  readonly deploymentError?: {
    /** Status that the deploy by itself would have had. */
    readonly status: number;
    /** Human-readable message: the problem, and how to fix it. */
    readonly error: string;
  };
}
export interface GenerationResource {
  /** Id of the generation. */
  readonly id: string;
  /** A generation is `incomplete` when files are missing because the time of its `duration` was over or no provider was left to continue. `problems` lists what is missing. */
  readonly status:
    | 'queued'
    | 'running'
    | 'deploying'
    | 'succeeded'
    | 'incomplete'
    | 'failed'
    | 'timed_out'
    | 'canceled';
  /** The prompt, truncated to 200 characters. */
  readonly prompt: string;
  /** Requested model. */
  readonly model: 'auto' | 'provider-a' | 'provider-b' | 'provider-c' | 'provider-d';
  /** Requested duration. */
  readonly duration: 'auto' | '5min' | '10min';
  /** The generation or deployment whose project this one changed: its parent. */
  readonly from?: string;
  /** Unix time in milliseconds when the request arrived. */
  readonly createdAt: number;
  /** Unix time in milliseconds when the generation ended. */
  readonly finishedAt?: number;
  /** Calls of providers, in the order of their beginnings. */
  readonly attempts: readonly {
    /** The provider. */
    readonly provider: 'provider-a' | 'provider-b' | 'provider-c' | 'provider-d';
    /** The provider and its model, as `<provider>/<variant>`, such as `provider-a/blueprint`. */
    readonly model: string;
    /** Purpose of the attempt: files, or corrections. */
    readonly kind: 'write' | 'repair';
    /** Group of the plan. Each is written by an attempt of its own, several at the same time. */
    readonly group?: number;
    /** Unix time in milliseconds when the attempt began. */
    readonly startedAt: number;
    /** How the attempt ended; absent while it is running. */
    readonly outcome?:
      | 'succeeded'
      | 'cut_off'
      | 'timed_out'
      | 'silent'
      | 'overloaded'
      | 'credentials'
      | 'refused'
      | 'unusable'
      | 'failed'
      | 'interrupted';
    /** Human-readable description of what went wrong. */
    readonly reason?: string;
    /** Duration in milliseconds. */
    readonly ms?: number;
    /** Estimated tokens of output. */
    readonly tokens?: number;
    /** Number of complete files. */
    readonly files?: number;
  }[];
  /** The starter project that the embedded provider chose, such as `timer`, or null if none fits the prompt. Absent if a model wrote the project. */
  readonly matched?: string | null;
  /** Planned files; absent for a project that is written without a plan. */
  readonly plan?: readonly {
    /** Path within the project. */
    readonly path: string;
    /** What other files need to know of it. */
    readonly purpose: string;
    /** Group of the plan. Each is written by an attempt of its own, several at the same time. */
    readonly group?: number;
  }[];
  /** Files that are being written, as of the last seconds; absent unless the generation is running. */
  readonly writing?: readonly {
    /** Path within the project. */
    readonly path: string;
    /** Number of characters so far. */
    readonly characters: number;
    /** Number of the attempt that writes it, from 1. */
    readonly attempt: number;
  }[];
  /** Complete files so far; once the change of a project is over, all its files. The result and the events have their contents. */
  readonly files: readonly {
    /** Path within the project. */
    readonly path: string;
    /** Language identifier as in editors, such as `typescript`; `plaintext` if unknown. */
    readonly language: string;
    /** Size in bytes. */
    readonly bytes: number;
  }[];
  /** How the project differs from the one that was changed, once the change is over. */
  readonly changes?: readonly {
    /** Path of the file; of a renamed one, the new path. */
    readonly path: string;
    /** What happened to the file. */
    readonly change: 'added' | 'changed' | 'deleted' | 'renamed';
    /** Path before a rename. */
    readonly from?: string;
    /** Unified diff; absent for a rename, for files that are empty or not text, and beyond 1 MB of diffs. */
    readonly diff?: string;
  }[];
  /** Known defects of the project, one sentence each. */
  readonly problems?: readonly string[];
  /** Only with `deploy`: the response of the deploy, whose page was loaded before this response. */
  readonly deployment?: DeployResponse;
  /** Only with `deploy`: why the project is not deployed. It can be deployed with `generationId`. */
  readonly deploymentError?: {
    /** Status that the deploy by itself would have had. */
    readonly status: number;
    /** Human-readable message: the problem, and how to fix it. */
    readonly error: string;
  };
}
export interface DeployResponse {
  /** Id of the deployment. */
  readonly id: string;
  /** Public URL of the deployment. */
  readonly url: string;
  /** Path of the entry HTML file; an empty string if there is none. */
  readonly entry: string;
  /** Number of files stored. */
  readonly fileCount: number;
  /** Text of the first `<title>` tag; null if there is none. */
  readonly title: string | null;
  /** Unix time in milliseconds of the first deploy. Later deploys do not change it. */
  readonly createdAt: number;
}
export interface VersionResource {
  /** Id of the version: `ETag` without its quotes. */
  readonly version: string;
  /** Whether this version is the one that visitors see. */
  readonly live: boolean;
  /** Path of the entry HTML file; an empty string if there is none. */
  readonly entry: string;
  /** Number of files stored. */
  readonly fileCount: number;
  /** Text of the first `<title>` tag; null if there is none. */
  readonly title: string | null;
  /** Total size of the files in bytes. */
  readonly bytes: number;
  /** Unix time in milliseconds when the version was deployed. */
  readonly deployedAt: number;
  /** What visitors see and what to do, if the files seem to be a project that was not built. */
  readonly warning?: string;
}
export interface DeploymentResource {
  /** Id of the deployment. */
  readonly id: string;
  /** Public URL of the deployment. */
  readonly url: string;
  /** Path of the entry HTML file; an empty string if there is none. */
  readonly entry: string;
  /** Number of files stored. */
  readonly fileCount: number;
  /** Text of the first `<title>` tag; null if there is none. */
  readonly title: string | null;
  /** Unix time in milliseconds of the first deploy. Later deploys do not change it. */
  readonly createdAt: number;
  /** The site on its own origin, where `url` redirects to; `null` if the service has no origins for sites. */
  readonly siteUrl: string | null;
  /** Id of the live version. */
  readonly version: string;
  /** Total size of the files in bytes. */
  readonly bytes: number;
  /** Unix time in milliseconds when the live version was deployed. */
  readonly deployedAt: number;
  /** What visitors see and what to do, if the files seem to be a project that was not built. */
  readonly warning?: string;
  /** Kind of credential the deployment belongs to; `anonymous` is its `X-Deployment-Token`. */
  readonly owner: 'key' | 'token' | 'anonymous';
  /** `taken_down` once the operator took the deployment down. */
  readonly status: 'live' | 'taken_down';
  /** Versions, newest first; at most 10. */
  readonly versions: readonly VersionResource[];
}
export interface DeletedDeployment {
  /** Id of the deployment. */
  readonly id: string;
  /** Always `deleted`. */
  readonly status: 'deleted';
  /** Unix time in milliseconds. Its pages return 410 since then. */
  readonly deletedAt: number;
  /** Unix time in milliseconds until which edge locations may still serve copies of some of its files. */
  readonly copiesUntil: number;
}
export interface CreatedAsset {
  /** Id of the asset. */
  readonly asset_id: string;
  /** URL to `PUT` the bytes to, once, before `expires_at`. */
  readonly upload_url: string;
  /** Headers that the `PUT` must send, by name, besides `Content-Length`. */
  readonly upload_headers: {
    readonly [name: string]: string;
  };
  /** Unix time in milliseconds when `upload_url` expires. */
  readonly expires_at: number;
}
export interface ShownAsset {
  /** Id of the asset. */
  readonly asset_id: string;
  /** `pending` until a `PATCH` marks the asset as uploaded. */
  readonly state: 'pending' | 'uploaded';
  /** Known attributes of the asset. */
  readonly attributes: {
    /** Name of the asset. */
    readonly name?: string;
    /** Media type; once uploaded, that of the upload. */
    readonly type?: string;
    /** Size in bytes; once uploaded, that of the upload. */
    readonly size?: number;
  };
  /** Kind of entity, such as `USER_AVATAR`. */
  readonly entity_type?: string;
  /** Unix time in milliseconds when the asset was created. */
  readonly created_at: number;
  /** Unix time in milliseconds of the last change. */
  readonly updated_at: number;
  /** URL to `GET` the bytes of an uploaded asset from, before `expires_at`. */
  readonly download_url?: string;
  /** Unix time in milliseconds when `download_url` expires. */
  readonly expires_at?: number;
}
export interface Usage {
  /** Number of calls. */
  readonly calls: number;
  /** Number of calls by HTTP status. */
  readonly statuses: {
    readonly [name: string]: number;
  };
  /** Estimated tokens of prompts and output, at 4 characters per token. */
  readonly tokens: number;
  /** Number of files generated or deployed. */
  readonly files: number;
  /** Size of those files in bytes. */
  readonly bytes: number;
  /** Total duration of the calls in milliseconds. */
  readonly ms: number;
}
export interface UsageResponse {
  /** First day of the period, as `YYYY-MM-DD` in UTC. */
  readonly from: string;
  /** Last day, inclusive. */
  readonly to: string;
  /** Totals of the period. */
  readonly totals: Usage;
  /** Days with usage, earliest first. */
  readonly days: readonly {
    /** `YYYY-MM-DD` in UTC. */
    readonly day: string;
    /** Usage by operation, each with the fields of `totals`. Operations are named as in the links of this reference, such as `getUsage`. */
    readonly operations: {
      readonly [name: string]: Usage;
    };
  }[];
}
export interface GenerateRequest {
  /** What to build, in natural language; at most 10,000 characters. */
  readonly prompt: string;
  /** Provider to try first. If it fails, the others are tried. */
  readonly model?: 'auto' | 'provider-a' | 'provider-b' | 'provider-c' | 'provider-d' | undefined;
  /** Longer durations produce more files. */
  readonly duration?: 'auto' | '5min' | '10min' | undefined;
  /** Id of a generation or deployment of the caller: `prompt` then describes a change of its project, and the response is the whole changed project. */
  readonly from?: string | undefined;
  /** The project to change, in place of `from`; with the limits of deploy. */
  readonly files?:
    | readonly {
        /** Relative path with `/` as the separator. Paths that are not safe on every system are rejected. */
        readonly path: string;
        /** Text, or bytes in the given `encoding`; at most 1 MB once decoded. */
        readonly content: string;
        /** `base64` (RFC 4648, section 4) for images, fonts and text that is not UTF-8. Default: `utf-8`. */
        readonly encoding?: 'utf-8' | 'base64' | undefined;
      }[]
    | undefined;
  /** Paths that must not change. `*` stands for any characters but `/`, `**` also for `/`; a folder stands for everything in it. */
  readonly locked?: readonly string[] | undefined;
  /** Deploys the project once it is complete, at the URL of `projectId` or at a new one: the response then has `deployment` or `deploymentError`. */
  readonly deploy?:
    | boolean
    | {
        /** Deploys with the same projectId share one URL. Without an API key, all callers share one namespace: use a random value, because anyone who knows it can overwrite the deployment until a deploy sends `X-Deployment-Token`. */
        readonly projectId?: string | undefined;
      }
    | undefined;
  /** Ids of the caller's uploaded images, for a credential with the scope `assets:write`: PNG, JPEG, GIF, WebP, AVIF or SVG of at most 1 MB. They are shown to models that accept images, and are files of the project, in `assets/`. */
  readonly assets?: readonly string[] | undefined;
  /** Receives a notification once the generation has ended. Requires an API key. */
  readonly webhook?:
    | {
        /** URL to `POST` to: https, at a public address, at most 2,048 characters. */
        readonly url: string;
      }
    | undefined;
}
export interface UsageQuery {
  /** First day, `YYYY-MM-DD` in UTC. Default: 29 days before `to`. */
  readonly from?: string | undefined;
  /** Last day, inclusive. Default: today. */
  readonly to?: string | undefined;
}

export {};
