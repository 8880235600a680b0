import type { GenerateRequest } from '../../contract/generate.ts';
import { ifMatch } from '../../http/input.ts';
import type { ApiRequest } from '../../http/request.ts';
import type { DeployTarget } from '../../stored/deploy-target.ts';
import { anonymousDeployer } from '../../stored/deployer.ts';
import { newVersionName, projectDeploymentId, randomDeploymentId } from '../../stored/deployment-id.ts';
import { ANONYMOUS, type DeploymentSecrets, holdsToken, senderOf } from '../../stored/deployment-owner.ts';

/**
 * Returns where a request wants its project deployed; undefined if it does not.
 * @throws ApiError forbidden for the token of another deployment, before anything is generated
 */
export async function deployTarget(
  { deploy = false }: Pick<GenerateRequest, 'deploy'>,
  request: ApiRequest,
  { idSecret, tokens }: Pick<DeploymentSecrets, 'idSecret' | 'tokens'>,
): Promise<DeployTarget | undefined> {
  if (deploy === false) return undefined;
  const { owner, token } = senderOf(request);
  if (owner === ANONYMOUS) tokens.prepare();
  const projectId = deploy === true ? undefined : deploy.projectId;
  const names = { id: randomDeploymentId(), version: newVersionName() };
  const id = projectId === undefined ? names.id : projectDeploymentId(owner, projectId, await idSecret());
  const holds = await holdsToken(id, token, tokens);
  const deployer = await anonymousDeployer(request.caller, idSecret);
  return { owner, deployer, projectId, names, holdsToken: holds, ifMatch: ifMatch(request) };
}
