import type { GenerateRequest } from '../../contract/generate.ts';
import { ifMatch } from '../../http/preconditions.ts';
import type { ApiRequest } from '../../http/request.ts';
import type { DeployTarget } from '../../stored/deploy-target.ts';
import { newVersionName, projectDeploymentId, randomDeploymentId } from '../../stored/deployment-id.ts';
import { holdsToken, senderOf } from '../../stored/deployment-owner.ts';

/**
 * Returns where a request wants its project deployed; undefined if it does not.
 * @param secret derives the ids of projects and the tokens of deployments
 * @throws ApiError forbidden for the token of another deployment, before anything is generated
 */
export function deployTarget(
  { deploy = false }: Pick<GenerateRequest, 'deploy'>,
  request: ApiRequest,
  secret: string,
): DeployTarget | undefined {
  if (deploy === false) return undefined;
  const { owner, token } = senderOf(request);
  const projectId = deploy === true ? undefined : deploy.projectId;
  const names = { id: randomDeploymentId(), version: newVersionName() };
  const id = projectId === undefined ? names.id : projectDeploymentId(owner, projectId, secret);
  return { owner, projectId, names, holdsToken: holdsToken(id, token, secret), ifMatch: ifMatch(request) };
}
