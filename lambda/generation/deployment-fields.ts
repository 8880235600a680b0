import type { GenerateResponse } from '../contract/responses/generate.ts';
import { hasProject } from '../stored/projects/stored-project.ts';
import type { Generation } from './generation.ts';

const NOT_COMPLETE =
  'The project is incomplete, so it was not deployed: change it with from, or deploy it as it is with its generationId';
/** The error of a deploy whose execution ended before it. */
export const DEPLOY_INTERRUPTED = 'The deploy was interrupted: deploy the project with its generationId';

/** Returns what became of the deploy that the request asked for. */
export function deploymentFields({
  deploy,
  deployed,
  status,
}: Generation): Pick<GenerateResponse, 'deployment' | 'deploymentError'> {
  if (deploy === undefined || !hasProject({ status })) return {};
  if (deployed === undefined) {
    const error = status === 'incomplete' ? NOT_COMPLETE : DEPLOY_INTERRUPTED;
    return { deploymentError: { status: status === 'incomplete' ? 409 : 502, error } };
  }
  if (!('response' in deployed)) return { deploymentError: deployed };
  const { response, failure, endsAt } = deployed;
  if (failure === undefined)
    return { deployment: endsAt === undefined ? response : { ...response, expiresAt: endsAt } };
  const error = `The project is deployed at ${response.url}, but the page ${failure}`;
  return { deploymentError: { status: 502, error } };
}
