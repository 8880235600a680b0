// Generated from lambda/contract by npm run client: do not edit.

/** Codes of the service's errors. */
export type ErrorCode =
  | 'build_failed'
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
  | 'closed'
  | 'busy'
  | 'budget_spent'
  | 'providers_failed'
  | 'unavailable'
  | 'generation_timed_out';

/** The code of an error by its status. @internal */
export const CODES: { readonly [status: number]: ErrorCode } = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  410: 'gone',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'idempotency_mismatch',
  429: 'rate_limited',
  451: 'taken_down',
  500: 'internal',
  502: 'deployment_backend_unreachable',
  503: 'unavailable',
  504: 'generation_timed_out',
};

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
  /** Only with `deploy`: the response of the deploy, whose page was loaded before this response, and when it expires. */
  readonly deployment?: GeneratedDeployment;
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
    /** Purpose of the attempt: files, corrections, or a comparison of the page as a browser shows it with the request. */
    readonly kind: 'write' | 'repair' | 'review';
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
      | 'over_budget'
      | 'failed'
      | 'interrupted';
    /** Human-readable description of what went wrong. */
    readonly reason?: string;
    /** Duration in milliseconds. */
    readonly ms?: number;
    /** Estimated tokens of output. */
    readonly tokens?: number;
    /** Tokens as the vendor counts and bills them. */
    readonly usage?: {
      /** All tokens of input, `cachedInput` and `cacheWrite` included. */
      readonly input: number;
      /** Input that the vendor read from its cache. */
      readonly cachedInput: number;
      /** Input that the vendor wrote to its cache. */
      readonly cacheWrite: number;
      /** All tokens of output, `reasoning` included. */
      readonly output: number;
      /** Output that is not part of the answer. */
      readonly reasoning: number;
      /** `reported` by the vendor; `reserved`, the most that the attempt could use, while it is running and if it was aborted or the vendor did not report; `estimated` at 4 characters per token, of a provider that is free. */
      readonly basis: 'reported' | 'reserved' | 'estimated';
    };
    /** What `usage` costs; absent if the price of the model is not known. */
    readonly cost?: {
      /** US dollars. */
      readonly usd: number;
    };
    /** Number of complete files. */
    readonly files?: number;
    /** Present if the changes were dropped, because the project had been better without them. */
    readonly dropped?: true;
    /** What a browser saw of the project after the attempt; absent if it did not look. */
    readonly look?: Look;
  }[];
  /** What the attempts cost; one that is running counts what it has reserved. Absent if it is not known, see `costUnknown`. */
  readonly cost?: {
    /** US dollars, for all attempts. */
    readonly usd: number;
    /** The part of it for attempts that corrected problems; absent without such attempts. */
    readonly repairsUsd?: number;
  };
  /** Why the cost is not known, as a sentence. Attempts with a known price have their cost. */
  readonly costUnknown?: string;
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
  /** What a browser saw of the project as it is, the last time that it looked; absent if there is no page. */
  readonly look?: Look;
  /** Only with `deploy`: the response of the deploy, whose page was loaded before this response, and when it expires. */
  readonly deployment?: GeneratedDeployment;
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
  /** Who may see the pages. In the response of a deploy only if the request has `access`. */
  readonly access?: 'public' | 'password' | 'link';
  /** The link of pages with `access: "link"`. A change of `access` ends it. */
  readonly link?: {
    /** The URL to send to people: it opens the pages in their browsers. */
    readonly url: string;
    /** Unix time in milliseconds until which it does. */
    readonly expiresAt: number;
  };
  /** Unix time in milliseconds until which edge locations may still have copies from before the last change of the settings, such as public pages that became private. After it there are none. */
  readonly copiesUntil?: number;
}

export interface GeneratedDeployment {
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
  /** Who may see the pages. In the response of a deploy only if the request has `access`. */
  readonly access?: 'public' | 'password' | 'link';
  /** The link of pages with `access: "link"`. A change of `access` ends it. */
  readonly link?: {
    /** The URL to send to people: it opens the pages in their browsers. */
    readonly url: string;
    /** Unix time in milliseconds until which it does. */
    readonly expiresAt: number;
  };
  /** Unix time in milliseconds until which edge locations may still have copies from before the last change of the settings, such as public pages that became private. After it there are none. */
  readonly copiesUntil?: number;
  /** Unix time in milliseconds from which the pages are a 410. Absent if the deployment stays. Each deploy by its owner renews it. */
  readonly expiresAt?: number;
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
  /** What may not work for visitors, and what to do: the first warnings of a build, or that the files are source, which browsers do not run. */
  readonly warning?: string;
  /** What was built, if the files are the source of a project. `fileCount` and `bytes` are those of the source. */
  readonly build?: BuildReport;
  /** What a browser saw of the version: it looks once, after the version became live. */
  readonly look: Look;
}

export interface DomainResource {
  /** The domain name, in lower case. Names in other scripts are in Punycode. */
  readonly domain: string;
  /** The address of the pages there, once the domain is `active`. */
  readonly url: string;
  /** `waiting_for_dns` until all `records` are found, `issuing` while the certificate is made and the domain is set up everywhere, `active` once it serves the pages. `failed` has a `reason`; the next `PUT` tries again. `removing` until the domain is gone. */
  readonly state: 'waiting_for_dns' | 'issuing' | 'active' | 'failed' | 'removing';
  /** Why the domain failed, or what it waits for. */
  readonly reason?: string;
  /** The DNS records to create, all of them. Keep them: the certificate is renewed with them. Empty where a name needs none. */
  readonly records: readonly {
    /** `ALIAS` for the apex of a zone, where DNS allows no CNAME record: an alias record, which some DNS providers call ANAME or flattened CNAME. */
    readonly type: 'ALIAS' | 'CNAME' | 'TXT';
    /** The full name of the record. */
    readonly name: string;
    /** Its value. */
    readonly value: string;
  }[];
  /** Unix time in milliseconds when the domain was added. */
  readonly addedAt: number;
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
  /** Who may see the pages. In the response of a deploy only if the request has `access`. */
  readonly access: 'public' | 'password' | 'link';
  /** The link of pages with `access: "link"`. A change of `access` ends it. */
  readonly link?: {
    /** The URL to send to people: it opens the pages in their browsers. */
    readonly url: string;
    /** Unix time in milliseconds until which it does. */
    readonly expiresAt: number;
  };
  /** Unix time in milliseconds until which edge locations may still have copies from before the last change of the settings, such as public pages that became private. After it there are none. */
  readonly copiesUntil?: number;
  /** The address that visitors see: the `active` custom domain that was added first, otherwise the site on its own origin, where `url` redirects to. `null` if it has neither. */
  readonly siteUrl: string | null;
  /** Id of the live version. */
  readonly version: string;
  /** Total size of the files in bytes. */
  readonly bytes: number;
  /** Unix time in milliseconds when the live version was deployed. */
  readonly deployedAt: number;
  /** What may not work for visitors, and what to do: the first warnings of a build, or that the files are source, which browsers do not run. */
  readonly warning?: string;
  /** What a browser saw of the live version. It looks after the response of the deploy. */
  readonly look: Look;
  /** Kind of credential the deployment belongs to; `anonymous` is its `X-Deployment-Token`. */
  readonly owner: 'key' | 'token' | 'anonymous';
  /** Unix time in milliseconds from which the pages are a 410. Absent if the deployment stays. Each deploy by its owner renews it. */
  readonly expiresAt?: number;
  /** Unix time in milliseconds when the owner claimed the deployment, which was anonymous before. */
  readonly claimedAt?: number;
  /** `taken_down` once the operator took the deployment down. */
  readonly status: 'live' | 'taken_down';
  /** Domains that were added to the deployment, the first one first. */
  readonly domains: readonly DomainResource[];
  /** Why the deployment is not public, or was not. Nearly all deployments have none. */
  readonly review?: {
    /** `held`: visitors get a 403 until the owner claims the deployment or deploys other files, or the operator releases it. `released`: the operator has looked at it. */
    readonly state: 'held' | 'released';
    /** How much the live version looks like pages that deceive their visitors. */
    readonly points: number;
    /** Those with most points first; at most 10. */
    readonly reasons: readonly {
      /** What the reason is about. */
      readonly kind:
        | 'fields'
        | 'receiver'
        | 'brand'
        | 'letters'
        | 'pressure'
        | 'code'
        | 'redirect'
        | 'download'
        | 'url';
      /** What was found, as a sentence. */
      readonly reason: string;
      /** The file. */
      readonly path: string;
      /** Its points. */
      readonly points: number;
    }[];
  };
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
  /** Unix time in milliseconds until which edge locations may still serve copies of some of its files; `deletedAt` if they have none. */
  readonly copiesUntil: number;
}

export interface LookProblem {
  /** `blank`: nothing is shown. `error`: an uncaught error. `console`: a logged error. `missing`: a file that does not exist. `left`: the page goes, or asks for something, elsewhere. `hung`: it does not respond, or a button does nothing. `wide`: it scrolls sideways at 390 px. `accessibility`: a serious rule of axe-core is violated. */
  readonly kind: 'blank' | 'error' | 'console' | 'missing' | 'left' | 'hung' | 'wide' | 'accessibility';
  /** What is wrong, as one sentence. */
  readonly message: string;
  /** File of the project, as far as it is known. */
  readonly path?: string;
  /** Line in the file, from 1. */
  readonly line?: number;
  /** Column in the line, from 1. */
  readonly column?: number;
  /** The width at which it was found; absent if at both. */
  readonly width?: 390 | 1280;
  /** Present if the page shows nothing, or fails while it loads. */
  readonly blocking?: true;
}

export interface Look {
  /** `skipped`: nobody looks, for the `reason`. `failed`: the browser could not look, which says nothing about the page. */
  readonly state: 'looking' | 'looked' | 'skipped' | 'failed';
  /** Why there is no look, as a sentence. */
  readonly reason?: string;
  /** What the browser found, at most 20; only once it has looked. */
  readonly problems?: readonly LookProblem[];
  /** URLs of the pictures of the page (PNG), by width. Those of private pages require the credential of the deployment. */
  readonly screenshots?: {
    /** URL of the picture of 390 px. */
    readonly 390?: string;
    /** URL of the picture of 1280 px. */
    readonly 1280?: string;
  };
}

export interface BuildProblem {
  /** One sentence without its place. */
  readonly message: string;
  /** Path of the file in the project. */
  readonly path?: string;
  /** Line, from 1. */
  readonly line?: number;
  /** Column, from 1, in UTF-16 code units. */
  readonly column?: number;
  /** The line of the source, shortened around the column. */
  readonly excerpt?: string;
}

export interface BuildReport {
  /** Number of built files. */
  readonly files: number;
  /** Total size of the built files in bytes. */
  readonly bytes: number;
  /** Versions of the packages that the project imports, by name. The next deploy reuses them. */
  readonly packages: { readonly [name: string]: string };
  /** What may not work in the page, such as a variable that is not set; one sentence each. */
  readonly warnings: readonly string[];
}

export interface BuildResponse {
  /** The built files, as a deploy of the project publishes them. */
  readonly files: readonly {
    /** Relative path with `/` as the separator. Paths that are not safe on every system are rejected. */
    readonly path: string;
    /** Text, or bytes in the given `encoding`. */
    readonly content: string;
    /** `base64` of a file that is not text in UTF-8. */
    readonly encoding?: 'base64';
  }[];
  /** Path of the entry HTML file. */
  readonly entry: string;
  /** Versions of the packages that the project imports, by name. The next deploy reuses them. */
  readonly packages: { readonly [name: string]: string };
  /** What may not work in the page, such as a variable that is not set; one sentence each. */
  readonly warnings: readonly string[];
  /** Total size of the built files in bytes. */
  readonly bytes: number;
}

export interface CreatedAsset {
  /** Id of the asset. */
  readonly asset_id: string;
  /** URL to `PUT` the bytes to, once, before `expires_at`. */
  readonly upload_url: string;
  /** Headers that the `PUT` must send, by name, besides `Content-Length`. */
  readonly upload_headers: { readonly [name: string]: string };
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

export interface ReportResponse {
  /** Id of the report. Reports of a page by the same caller in a UTC day are one, with one id. */
  readonly id: string;
  /** Id of the reported deployment. */
  readonly deploymentId: string;
}

export interface ProviderList {
  /** How `auto` orders the providers: by their names, or by what was measured of late. */
  readonly routing: 'order' | 'fastest' | 'cheapest';
  /** The providers, in the order in which `auto` tries them now. */
  readonly items: readonly {
    /** Name, for `model` of generate. */
    readonly name: 'provider-a' | 'provider-b' | 'provider-c' | 'provider-d';
    /** The provider and its model, as `<provider>/<variant>`. */
    readonly model: string;
    /** Unix time in milliseconds until which `auto` tries it last, because it was overloaded or did not answer; absent if it can be used. */
    readonly coolingUntil?: number;
    /** Decaying average of the last generations: share of its attempts that failed, from 0 to 1; absent if it has not been called. */
    readonly failures?: number;
    /** Decaying average of the last generations: milliseconds to its first text. */
    readonly firstTokenMs?: number;
    /** Decaying average of the last generations: milliseconds to its first complete file. */
    readonly firstFileMs?: number;
    /** Decaying average of the last generations: US dollars per generation; without one, of a usual generation at the price of the model; absent if that is not known. */
    readonly cost?: number;
  }[];
}

export interface Usage {
  /** Number of calls. */
  readonly calls: number;
  /** Number of calls by HTTP status. */
  readonly statuses: { readonly [name: string]: number };
  /** Estimated tokens of prompts and output, at 4 characters per token. */
  readonly tokens: number;
  /** Number of files generated or deployed. */
  readonly files: number;
  /** Size of those files in bytes. */
  readonly bytes: number;
  /** Cost of the calls of models. */
  readonly cost: {
    /** US dollars, as far as the prices of the models are known. */
    readonly usd: number;
    /** Number of generations that used a model without a known price: `usd` lacks its calls. */
    readonly unpriced: number;
  };
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
    readonly operations: { readonly [name: string]: Usage };
  }[];
}

export interface ViewsResponse {
  /** Whether the service counts views. */
  readonly counted: boolean;
  /** Why it does not. */
  readonly reason?: string;
  /** First day of the period, as `YYYY-MM-DD` in UTC. */
  readonly from: string;
  /** Last day, inclusive. */
  readonly to: string;
  /** Totals of the period. */
  readonly totals: {
    /** Pages that people opened. */
    readonly views: number;
    /** The sum of the days: who comes on two days counts twice, since nobody is recognized the next day. */
    readonly visitors: number;
    /** Pages that programs opened, by their user agents. They are in no other number. */
    readonly bots: number;
  };
  /** All days of the period, earliest first. */
  readonly days: readonly {
    /** `YYYY-MM-DD` in UTC. */
    readonly date: string;
    /** Pages that people opened. */
    readonly views: number;
    /** People, as far as their addresses and browsers differ. Exact up to 1,024 a day, then an estimate with a standard error of 3 to 4.5 %. */
    readonly visitors: number;
    /** Pages that programs opened, by their user agents. They are in no other number. */
    readonly bots: number;
  }[];
  /** The paths with most views, at most 50. */
  readonly paths: readonly {
    /** Path on the page, beginning with `/`, without a query. */
    readonly path: string;
    /** Number of views. */
    readonly views: number;
  }[];
  /** The sites that visitors came from, at most 50. Many browsers and apps name none. */
  readonly referrers: readonly {
    /** Host of the site, without `www.`. */
    readonly host: string;
    /** Number of views. */
    readonly views: number;
  }[];
  /** Views that the lists lack. A day counts 50 paths of pages, 25 other paths and 50 sites by name. */
  readonly other: {
    /** Views of all other paths. */
    readonly paths: number;
    /** Views that came from all other sites. */
    readonly referrers: number;
  };
  /** Number of views by HTTP status: 404 is the page for errors of the site. */
  readonly statuses: { readonly [name: string]: number };
}

export interface BuildRequest {
  /** The source, with the limits of deploy. Required unless `generationId` is sent. */
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
  /** Instead of `files`: builds the project of this generation. */
  readonly generationId?: string | undefined;
  /** Variables of the page, such as `{ "VITE_API": "https://…" }`. They are part of it, so they are not secret: at most 50 names that begin with `VITE_`, and 4 KB. */
  readonly env?: { readonly [name: string]: string } | undefined;
  /** With `true`, code of the project is not minified and has an inline source map. Default: `false`. */
  readonly preview?: boolean | undefined;
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

export interface ReportRequest {
  /** Address of the page as visitors see it. Required unless `deploymentId` is sent. */
  readonly url?: string | undefined;
  /** In place of `url`: the id of the deployment. */
  readonly deploymentId?: string | undefined;
  /** What is wrong with the page. */
  readonly reason: 'phishing' | 'malware' | 'spam' | 'copyright' | 'other';
  /** What the operator should know; at most 1,000 characters. */
  readonly details?: string | undefined;
  /** How the operator can reach the sender, such as an e-mail address. */
  readonly contact?: string | undefined;
}

export interface SettingsRequest {
  /** Who may see the pages: `public` for everyone, `password` for those who know `password`, `link` for those who have the link of the response. Private pages require a service with origins for sites. */
  readonly access?: 'public' | 'password' | 'link' | undefined;
  /** The password, with `access: "password"`; 8 to 128 characters. It is stored as a salted hash. */
  readonly password?: string | undefined;
  /** How long the link of `access: "link"` is valid. Default: a week. */
  readonly linkExpiresInSeconds?: number | undefined;
  /** When the deployment expires, from now on. `null` for as long as possible: for ever with an API key, otherwise as long as the service keeps anonymous deployments. */
  readonly expiresInSeconds?: number | null | undefined;
}

export interface UsageQuery {
  /** First day, `YYYY-MM-DD` in UTC. Default: 29 days before `to`. */
  readonly from?: string | undefined;
  /** Last day, inclusive. Default: today. */
  readonly to?: string | undefined;
}

export interface ViewsQuery {
  /** First day, `YYYY-MM-DD` in UTC. Default: 29 days before `to`. */
  readonly from?: string | undefined;
  /** Last day, inclusive. Default: today. */
  readonly to?: string | undefined;
}
