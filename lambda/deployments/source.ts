import type { BuildVariables } from '../contract/builds.ts';
import { ApiError } from '../contract/errors.ts';
import { entryOf } from '../sites/entry.ts';
import type { SiteFile } from '../sites/site-file.ts';
import { projectKind } from '../sites/source/kind.ts';
import { isEnvFile, readVariables } from '../sites/source/variables.ts';

/** The source of a project. */
export interface Source {
  /** Without `.env` files. */
  readonly files: readonly SiteFile[];
  /** The variables in its `.env` files; undefined without such files. */
  readonly variables: BuildVariables | undefined;
}

/**
 * Returns the source that files are, or undefined if browsers can run them as they are.
 * @throws ApiError build_failed for a project that this service does not build, and for too many variables
 */
export function sourceOf(site: readonly SiteFile[]): Source | undefined {
  const project = projectKind(new Map(site.map(({ path, content }) => [path, content])));
  if (project.kind === 'site') return undefined;
  if (project.kind === 'refused') throw buildFailed(project.reason);
  const page = project.component ?? entryOf(project.pages);
  const envFiles = site.filter(({ path }) => isEnvFile(path));
  return {
    files: site.filter((file) => !envFiles.includes(file)),
    variables: readVariables(envFiles, page),
  };
}

function buildFailed(message: string): ApiError {
  return new ApiError('build_failed', message, { body: { problems: [{ message }] } });
}
