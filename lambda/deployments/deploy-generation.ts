import { ApiError } from '../contract/errors.ts';
import { boundedProblems, boundedText } from '../platform/bounded.ts';
import type { DeployOutcome } from '../stored/deploy-target.ts';
import { projectDeploymentId } from '../stored/deployment-id.ts';
import { buildTenant } from '../stored/generations.ts';
import type { GeneratedProjects } from '../stored/projects/generated-project.ts';
import { type DeployPorts, deploy } from './deploy.ts';
import { ownSite } from './resource.ts';
import { submissionOf } from './submission/submission.ts';
import type { VisitResult } from './visit-page.ts';

export interface DeployGenerationPorts extends DeployPorts {
  readonly generations: Pick<GeneratedProjects, 'find' | 'files'>;
  /** Loads a page as a visitor does. */
  readonly visit: (url: string, origin: string | undefined) => Promise<VisitResult>;
}

/** Says of the page that it is held. @param held as `DeployResult` has it */
const heldFailure = (held: string) => boundedText(held.replace(/^The page /, ''));

/**
 * Deploys the project of a generation where its request asked for it, and loads the page as a visitor does. A repeated call
 * deploys once.
 * @throws Error if AWS cannot be reached
 */
export async function deployGeneration(id: string, ports: DeployGenerationPorts): Promise<DeployOutcome> {
  const generation = await ports.generations.find(id);
  const { idSecret, tokens } = ports;
  const target = generation?.deploy;
  if (!target) throw new Error(`There is no generation ${id} to deploy`);
  const { owner, deployer, projectId, names, ifMatch, holdsToken } = target;
  try {
    const submission = submissionOf(await ports.generations.files(generation), projectId);
    const at = projectId === undefined ? names.id : projectDeploymentId(owner, projectId, await idSecret());
    const token = holdsToken ? await tokens.issue(at) : undefined;
    const sender = { owner, deployer, ifMatch, token, tenant: buildTenant(generation) };
    const result = await deploy(submission, sender, names, ports);
    const { response, first, bytes, warning, endsAt, isPrivate, held } = result;
    const deployed = { response, first, bytes, warning, endsAt };
    // A visit would find a 403.
    if (held !== undefined) return { ...deployed, problems: [], failure: heldFailure(held) };
    // The service has no way in either.
    if (isPrivate) return { ...deployed, problems: [] };
    const visited = await ports.visit(response.url, ownSite(response.id, ports));
    // The state of the execution has them, and then the item of the generation.
    const problems = boundedProblems(visited.problems);
    const failure = visited.failure === undefined ? undefined : boundedText(visited.failure);
    return { ...deployed, problems, failure };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, error: boundedText(error.message) };
  }
}
