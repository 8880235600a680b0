import { type DeployFile, packJson, withContent } from './files.ts';
import type { Http } from './http.ts';
import type { BuildRequest, BuildResponse } from './types.ts';

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
