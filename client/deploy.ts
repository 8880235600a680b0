import { ApiError } from './error.ts';
import { canHash, type DeployFile, hashes, newKey, packed, withContent } from './files.ts';
import type { CallOptions, Http } from './http.ts';
import type { DeployResponse } from './types.ts';

export interface DeployRequest {
  /** 1 to 200 files, or those of a generated project. */
  readonly files: readonly DeployFile[];
  /** Deploys with the same projectId share one URL. */
  readonly projectId?: string | undefined;
}

/** Options of calls about one deployment. */
export interface DeploymentOptions extends CallOptions {
  /** The `token` of the first deploy, which manages a deployment that was made without a key. */
  readonly token?: string | undefined;
  /** The version that must be live, or the call fails with `precondition_failed` (412). */
  readonly ifMatch?: string | undefined;
}

export interface DeployOptions extends DeploymentOptions {
  /** Default: a random key. The same key makes a repeated call return the first result. */
  readonly idempotencyKey?: string | undefined;
  /**
   * SHA-256 of files that the deployment seems to have, in hexadecimal digits: their content is sent only if the service
   * asks for it. Default: the files of this client's last deploy with the same projectId.
   */
  readonly known?: Iterable<string> | undefined;
}

export type Deployed = DeployResponse & {
  /** Id of the new version. */
  readonly version: string;
  /** Manages the deployment; only from the deploy that created it without a key, and from those that sent it. */
  readonly token?: string;
  /** What visitors see and what to do, if the files seem to be a project that was not built. */
  readonly warning?: string;
  /** The site on its own origin; null if the service has no origins for sites. */
  readonly siteUrl: string | null;
  /** Whether the deployment is new. */
  readonly created: boolean;
};

/**
 * Deploys files. A large body is answered with a redirect to the operation that deploys it, which `fetch` follows as a GET
 * with the same headers. A retry sends the body again; its idempotency key makes that one deploy.
 * @param remembered hashes of the files of the last deploy by projectId; updated
 */
export async function deploy(
  http: Http,
  remembered: Map<string, readonly string[]>,
  { files, projectId }: DeployRequest,
  { token, ifMatch, idempotencyKey = newKey(), signal, known }: DeployOptions,
): Promise<Deployed> {
  const digests = projectId !== undefined && canHash() ? await hashes(files) : [];
  const omitted = new Set(projectId === undefined ? [] : (known ?? remembered.get(projectId)));
  for (;;) {
    const sent = files.map((file, i) => {
      const sha256 = digests[i];
      return sha256 !== undefined && omitted.has(sha256) ? { path: file.path, sha256 } : withContent(file);
    });
    const { body, headers } = await packed({ files: sent, projectId });
    const conditions = { ...managing({ token, ifMatch }), 'idempotency-key': idempotencyKey };
    try {
      const path = '/api/v1/deploy';
      const call = { method: 'POST', path, body, headers: { ...headers, ...conditions }, signal } as const;
      const answer = await http.request<DeployResponse>(call);
      if (projectId !== undefined) remembered.set(projectId, digests);
      return deployed(answer.body, answer.status, answer.headers);
    } catch (error) {
      // Ends at the latest when every content is sent.
      if (unknownOf(error).filter((hash) => omitted.delete(hash)).length === 0) throw error;
    }
  }
}

/** Returns the headers of a call about a deployment. */
export function managing({ token, ifMatch }: DeploymentOptions): Record<string, string | undefined> {
  return {
    'x-deployment-token': token,
    'if-match': ifMatch === undefined || ifMatch === '*' ? ifMatch : `"${ifMatch}"`,
  };
}

/** Returns the hashes that the service asks the content of. */
function unknownOf(error: unknown): string[] {
  if (!(error instanceof ApiError && error.status === 409)) return [];
  const { unknown } = Object(error.body) as { unknown?: unknown };
  return Array.isArray(unknown) ? unknown.map(String) : [];
}

function deployed(response: DeployResponse, status: number, headers: Headers): Deployed {
  const token = headers.get('X-Deployment-Token');
  const warning = headers.get('X-Deployment-Warning');
  const [, siteUrl = null] = /<([^>]*)>; rel="canonical"/.exec(headers.get('Link') ?? '') ?? [];
  return {
    ...response,
    // Weak after compression on the way.
    version: (headers.get('ETag') ?? '').replace(/^(?:W\/)?"(.*)"$/, '$1'),
    ...(token === null ? {} : { token }),
    ...(warning === null ? {} : { warning }),
    siteUrl,
    created: status === 201,
  };
}
