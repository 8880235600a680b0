import { type BuildProblem, problemLine } from '../../contract/builds.ts';
import { ApiError } from '../../contract/errors.ts';
import { log } from '../../platform/log.ts';
import { unpackSite } from '../../sites/archive.ts';
import type { BuildInput } from '../../sites/source/build-input.ts';
import { projectKind } from '../../sites/source/kind.ts';
import { isEnvFile, readVariables } from '../../sites/source/variables.ts';
import type { Builder } from '../../stored/builds/builder.ts';
import { buildTenant } from '../../stored/generations.ts';
import type { ProjectContents } from '../../stored/projects/project-contents.ts';
import type { Generation } from '../generation.ts';

/** What a deploy would make of a project. */
export interface BuildCheck {
  /** Why it cannot be built, one sentence each with its place; undefined if it was not built. */
  readonly unbuilt?: readonly string[];
  /** The files that visitors would get; undefined if that is not known. */
  readonly site?: ReadonlyMap<string, Uint8Array>;
}

/**
 * Builds the project of a generation if it is source, as its deploy would: the result is stored, so that the deploy need not
 * build it again. Builds nothing of other projects, which browsers run as they are. That builds are unavailable is no problem of the project.
 */
export async function checkBuild(
  generation: Pick<Generation, 'id' | 'owner'>,
  project: ProjectContents,
  builder: Builder,
): Promise<BuildCheck> {
  const { kind } = projectKind(project);
  if (kind === 'refused') return {};
  if (kind === 'site')
    return { site: new Map(Array.from(project, ([path, content]) => [path, Buffer.from(content)])) };
  try {
    const { archive } = await builder.build(buildTenant(generation), inputOf(project));
    return { unbuilt: [], site: unpackSite(archive) };
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { unbuilt: sentencesOf(error) };
    log.error('project not built', { generation: generation.id, error });
    return {};
  }
}

/** Returns the input of the build that a first deploy of the project makes. */
function inputOf(project: ProjectContents): BuildInput {
  const files = new Map<string, Uint8Array>();
  const envFiles = new Map<string, Uint8Array>();
  for (const [path, content] of project) (isEnvFile(path) ? envFiles : files).set(path, Buffer.from(content));
  const env = Object.fromEntries(readVariables(envFiles, {}));
  return { files, env, preview: false, chosen: {} };
}

function sentencesOf({ message, body }: ApiError): string[] {
  const { problems = [] } = body as { readonly problems?: readonly BuildProblem[] };
  return problems.length === 0 ? [message] : problems.map(problemLine);
}
