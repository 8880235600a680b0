import { ApiError } from './error.ts';
import { canHash, type DeployFile, hashes, newKey, packJson, withContent } from './files.ts';
import type { CallOptions, Http } from './http.ts';
import type { BuildRequest, BuildResponse, DeployResponse, SettingsRequest } from './types.ts';

export type DeployRequest = SettingsRequest & {
  /** Deploys with the same projectId share one URL. */
  readonly projectId?: string | undefined;
  /** With `false`, the source of a project is published as it is, not built. Default: `true`. */
  readonly build?: boolean | undefined;
  /** Values of `import.meta.env` by name, such as `VITE_API`. They become part of the page. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Receives a notification of the deploy. Requires an API key. */
  readonly webhook?: { readonly url: string } | undefined;
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
  /** What may not work for visitors, and what to do: files that are not published, the first warnings of a build, or that the files are source, which browsers do not run. */
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

/**
 * Deploys files, or the project of a generation. The response to a large body is a 303, which `fetch` follows with a GET and
 * the same credentials. A retry sends the body again, and the idempotency key makes it the same deploy.
 * @param remembered hashes of the last deploys, by projectId
 * @internal
 */
export async function deploy(
  http: Http,
  remembered: Map<string, readonly string[]>,
  request: DeployRequest,
  { known, idempotencyKey = newKey(), signal, ...options }: DeployOptions,
): Promise<Deployed> {
  const { projectId } = request;
  const files = 'files' in request ? request.files : [];
  const digests = projectId !== undefined && canHash() ? await hashes(files) : [];
  const omitted = new Set(projectId === undefined ? [] : (known ?? remembered.get(projectId)));
  for (;;) {
    const sent = files.map((file, i) => {
      const sha256 = digests[i];
      return sha256 !== undefined && omitted.has(sha256) ? { path: file.path, sha256 } : withContent(file);
    });
    const { body, headers } = await packJson({
      ...('files' in request ? { files: sent } : { generationId: request.generationId }),
      ...settingsOf(request),
    });
    try {
      const response = await http.request<DeployResponse>({
        method: 'POST',
        path: '/api/v1/deploy',
        body,
        headers: { ...headers, ...managing(options), 'idempotency-key': idempotencyKey },
        signal,
      });
      if (projectId !== undefined) remembered.set(projectId, digests);
      return deployResult(response.body, response.status, response.headers);
    } catch (error) {
      // Each round sends more contents, so there is a last one.
      if (unknownOf(error).filter((hash) => omitted.delete(hash)).length === 0) throw error;
    }
  }
}

/** Returns what a deploy says besides its files. A project that is passed on has other fields, which are not sent. */
function settingsOf({ projectId, build, env, webhook, expiresInSeconds, ...rest }: DeployRequest) {
  const { access, password, linkExpiresInSeconds } = rest;
  return { projectId, build, env, webhook, expiresInSeconds, access, password, linkExpiresInSeconds };
}

/** Returns the headers of a call about a deployment. @internal */
export function managing({ token, ifMatch }: DeploymentOptions): Record<string, string | undefined> {
  const tag = ifMatch === undefined || ifMatch === '*' ? ifMatch : `"${ifMatch}"`;
  return { 'x-deployment-token': token, 'if-match': tag };
}

/** Returns the hashes whose content the service asks for. */
function unknownOf(error: unknown): string[] {
  if (!(error instanceof ApiError && error.status === 409)) return [];
  const { unknown } = Object(error.body) as { unknown?: unknown };
  return Array.isArray(unknown) ? unknown.map(String) : [];
}

function deployResult(response: DeployResponse, status: number, headers: Headers): Deployed {
  const token = headers.get('X-Deployment-Token');
  const warning = headers.get('X-Deployment-Warning');
  const expires = headers.get('X-Deployment-Expires');
  const claimUrl = linkOf(headers, 'claim');
  return {
    ...response,
    // It is a weak tag if the response was compressed on the way.
    version: (headers.get('ETag') ?? '').replace(/^(?:W\/)?"(.*)"$/, '$1'),
    ...(token === null ? {} : { token }),
    ...(warning === null ? {} : { warning }),
    ...(expires === null ? {} : { expiresAt: Number(expires) }),
    ...(claimUrl === undefined ? {} : { claimUrl }),
    siteUrl: linkOf(headers, 'canonical') ?? null,
    created: status === 201,
  };
}

/** Returns the URL with a relation in the `Link` header. */
function linkOf(headers: Headers, relation: string): string | undefined {
  return new RegExp(`<([^>]*)>; rel="${relation}"`).exec(headers.get('Link') ?? '')?.[1];
}

export interface BuildOptions extends Omit<BuildRequest, 'files'> {
  /** The source; or `generationId`. */
  readonly files?: readonly DeployFile[] | undefined;
}

/** Builds a project. @internal */
export async function build(
  http: Http,
  { files, ...rest }: BuildOptions,
  signal: AbortSignal | undefined,
): Promise<BuildResponse> {
  const { body, headers } = await packJson({ ...rest, files: files?.map(withContent) });
  return http.json({ method: 'POST', path: '/api/v1/builds', body, headers, signal });
}
