import { ApiError } from '../contract/errors.ts';
import { boundedProblems, boundedText } from '../platform/bounded.ts';
import { projectDeploymentId } from '../stored/deployment-id.ts';
import { buildTenant, type DeployOutcome } from '../stored/generations.ts';
import type { GeneratedProjects } from '../stored/projects/project-contents.ts';
import { deploy } from './deploy.ts';
import { ownSite } from './resource.ts';
import type { DeployStage } from './stage.ts';
import { submissionOf } from './submission.ts';
import type { VisitResult } from './visit-page.ts';

/** Returns the failure of a generation whose page is held, as a predicate of the page. */
const heldFailure = (held: string) => boundedText(held.replace(/^The page /, ''));

/**
 * Deploys the project of a generation to the target of its request, and loads the page as a visitor does. A repeated call
 * deploys once.
 * @param visit loads a page as a visitor does
 * @throws Error if AWS cannot be reached
 */
export async function deployGeneration(
  id: string,
  generations: Pick<GeneratedProjects, 'find' | 'files'>,
  visit: (url: string, origin: string | undefined) => Promise<VisitResult>,
  stage: DeployStage,
): Promise<DeployOutcome> {
  const generation = await generations.find(id);
  const target = generation?.deploy;
  if (!target) throw new Error(`There is no generation ${id} to deploy`);
  const { owner, deployer, projectId, names, ifMatch, holdsToken } = target;
  try {
    const submission = submissionOf(await generations.files(generation), projectId);
    const at =
      projectId === undefined ? names.id : projectDeploymentId(owner, projectId, await stage.idSecret());
    const token = holdsToken ? await stage.tokens.issue(at) : undefined;
    const sender = { owner, deployer, ifMatch, token, tenant: buildTenant(generation) };
    const result = await deploy(submission, sender, names, stage);
    const { response, first, bytes, warning, endsAt, isPrivate, held } = result;
    const deployed = { response, first, bytes, warning, endsAt };
    // A visit would find a 403.
    if (held !== undefined) return { ...deployed, problems: [], failure: heldFailure(held) };
    // The service has no way in either.
    if (isPrivate) return { ...deployed, problems: [] };
    const visited = await visit(response.url, ownSite(response.id, stage));
    // The state of the execution has them, and then the item of the generation.
    const problems = boundedProblems(visited.problems);
    const failure = visited.failure === undefined ? undefined : boundedText(visited.failure);
    return { ...deployed, problems, failure };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, error: boundedText(error.message) };
  }
}
