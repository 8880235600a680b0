import * as z from 'zod';
import { documentClient } from '../platform/aws.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { fetchedSecret } from '../platform/fetched-secret.ts';
import { logAbout } from '../platform/log.ts';
import type { DeployOutcome } from '../stored/generations.ts';
import { deployGeneration, visitPage } from './deploy-generation.ts';
import { deployStage, STAGE_ENV } from './stage.ts';

const env = readEnv({
  ...STAGE_ENV,
  [ENV.baseUrl]: z.string(),
  [ENV.ownCallSecretArn]: z.string().optional(),
});
const ownCallSecret =
  env.OWN_CALL_SECRET_ARN === undefined ? undefined : fetchedSecret(env.OWN_CALL_SECRET_ARN, (text) => text);
const { stage, generations } = deployStage(env, documentClient(), env.BASE_URL, Date.now);
const visit = async (url: string, origin: string | undefined) =>
  visitPage(url, origin, { ownCallSecret: await ownCallSecret?.() });

/** Deploys the project of a generation; called by its state machine, whose state it returns with the outcome. */
export const handler = async <State extends { readonly id: string }>(
  state: State,
): Promise<State & { readonly deployed: DeployOutcome }> => {
  logAbout({ generation: state.id });
  return { ...state, deployed: await deployGeneration(state.id, generations, visit, stage) };
};
