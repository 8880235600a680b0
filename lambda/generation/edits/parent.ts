import { ApiError } from '../../contract/errors.ts';
import type { GenerateRequest, OriginalRequest } from '../../contract/generate.ts';
import type { ApiRequest } from '../../http/request.ts';
import { acceptFiles, type SiteFile } from '../../sites/accept-files.ts';
import { requireProject, siteFiles } from '../../stored/projects/project-contents.ts';
import type { FileContents } from '../../stored/projects/project-file-store.ts';
import type { Generation } from '../generation.ts';

export interface ParentPorts {
  readonly files: FileContents;
  /** Returns a generation if the caller may see it. */
  readonly generation: (id: string, request: ApiRequest) => Promise<Generation | undefined>;
  /** Returns the files of the live version of a deployment if the caller owns it. */
  readonly deployment: (id: string, request: ApiRequest) => Promise<readonly SiteFile[] | undefined>;
}

/** The project that a request asks to change. */
export interface Parent {
  readonly files: readonly SiteFile[];
  /** What it was generated from first, if that is known. */
  readonly origin?: OriginalRequest | undefined;
}

/**
 * Returns the files that a request asks to change: those of `from`, or its own; undefined if it starts from nothing.
 * @throws ApiError not_found if the caller may not read `from`, conflict if it has no project, and the errors of deploy
 *   for the request's own files
 */
export async function parentProject(
  { from, files }: Pick<GenerateRequest, 'from' | 'files'>,
  request: ApiRequest,
  ports: ParentPorts,
): Promise<Parent | undefined> {
  if (files !== undefined) return { files: acceptFiles(files) };
  if (from === undefined) return undefined;
  const generation = await ports.generation(from, request);
  if (generation) {
    requireProject(generation);
    return { files: await siteFiles(generation, ports.files), origin: originOf(generation) };
  }
  const deployed = await ports.deployment(from, request);
  if (deployed) return { files: deployed };
  throw new ApiError(
    'not_found',
    'from is not the id of a generation or deployment that you may read. Generations are kept for 24 hours; a deployment needs the key or X-Deployment-Token that manages it',
  );
}

function originOf({ base, origin, prompt, duration }: Generation): OriginalRequest | undefined {
  return base === undefined ? { prompt, duration } : origin;
}
