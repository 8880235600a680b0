import { type BuildProblem, problemLine } from '../../contract/builds.ts';
import { ApiError } from '../../contract/errors.ts';
import { log } from '../../platform/log.ts';
import { projectKind } from '../../sites/source/kind.ts';
import type { Builder } from '../../stored/builder.ts';
import { buildTenant } from '../../stored/generations.ts';
import type { ProjectContents } from '../../stored/project-contents.ts';
import type { Generation } from '../generation.ts';

/**
 * Builds the project of a generation if it is source, as its deploy would: the result is stored, so that the deploy need not
 * build it again. Calls nothing for other projects.
 * @returns why it cannot be built, one sentence each with its place; undefined if it was not built: browsers run it as it is, or
 *   builds are unavailable, which is no problem of the project
 */
export async function problemsOfBuild(
  generation: Pick<Generation, 'id' | 'owner'>,
  project: ProjectContents,
  builder: Builder,
): Promise<string[] | undefined> {
  if (projectKind(project).kind !== 'source') return undefined;
  const files = new Map(Array.from(project, ([path, content]) => [path, Buffer.from(content)]));
  try {
    await builder.build(buildTenant(generation), { files, env: {}, preview: false, chosen: {} });
    return [];
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return sentencesOf(error);
    log.error('project not built', { generation: generation.id, error });
    return undefined;
  }
}

function sentencesOf({ message, body }: ApiError): string[] {
  const { problems = [] } = body as { readonly problems?: readonly BuildProblem[] };
  return problems.length === 0 ? [message] : problems.map(problemLine);
}
