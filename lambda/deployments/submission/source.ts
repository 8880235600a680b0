import type { BuildVariables } from '../../contract/builds.ts';
import { ApiError } from '../../contract/errors.ts';
import type { SiteFile } from '../../sites/site-file.ts';
import { projectKind } from '../../sites/source/kind.ts';
import { isEnvFile, readVariables, variablesProblem } from '../../sites/source/variables.ts';

/** The source of a project. */
export interface Source {
  /** Without `.env` files. */
  readonly files: readonly SiteFile[];
  /** Variables of the request and of `.env` files; undefined if it has neither. */
  readonly variables: BuildVariables | undefined;
}

/**
 * Returns the source that files are, or undefined if browsers can run them as they are.
 * @param env variables of the request, which take precedence over those of `.env` files
 * @throws ApiError build_failed for a project that this service does not build, and for too many variables
 */
export function sourceOf(site: readonly SiteFile[], env: BuildVariables | undefined): Source | undefined {
  const project = projectKind(new Map(site.map(({ path, content }) => [path, content])));
  if (project.kind === 'site') return undefined;
  if (project.kind === 'refused') throw buildFailed(project.reason);
  const envFiles = new Map<string, Uint8Array>();
  for (const { path, content } of site) if (isEnvFile(path)) envFiles.set(path, Buffer.from(content));
  const isSent = envFiles.size > 0 || env !== undefined;
  const variables = readVariables(envFiles, env ?? {});
  const problem = variablesProblem(variables);
  if (problem !== undefined) throw buildFailed(problem);
  return {
    files: site.filter(({ path }) => !envFiles.has(path)),
    variables: isSent ? Object.fromEntries(variables) : undefined,
  };
}

function buildFailed(message: string): ApiError {
  return new ApiError('build_failed', message, { body: { problems: [{ message }] } });
}
