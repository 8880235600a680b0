import type { DeploymentSecrets } from '../../lambda/stored/deployment-owner.ts';
import { DeploymentTokens, readTokenVersions } from '../../lambda/stored/deployment-tokens.ts';

/** Returns secrets with these versions of tokens, as Secrets Manager has them. */
export function deploymentSecrets(versions: object = { 1: 'tokens' }, clock = Date.now): DeploymentSecrets {
  const ids = async () => 'ids';
  const read = async () => readTokenVersions(JSON.stringify(versions));
  return { idSecret: ids, tokens: new DeploymentTokens({ ids, versions: read, clock }) };
}
