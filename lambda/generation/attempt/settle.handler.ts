import * as z from 'zod';
import { UsageStore } from '../../access/usage-store.ts';
import { documentClient } from '../../platform/aws.ts';
import { ENV, json, readEnv } from '../../platform/env.ts';
import { GenerationStore } from '../generation-store.ts';
import type { DeployedState, FailedAttempt, WorkflowState } from '../workflow.ts';
import { deadlinesOf, timeouts } from './deadlines.ts';
import { settleAttempt } from './settle-attempt.ts';
import { settleDeploy } from './settle-deploy.ts';

const env = readEnv({
  [ENV.generationsTable]: z.string(),
  [ENV.usageTable]: z.string(),
  [ENV.deadlines]: json(timeouts),
});
const db = documentClient();
const generations = new GenerationStore(db, env.GENERATIONS_TABLE);
const usage = new UsageStore(db, env.USAGE_TABLE);

const { totalMs: roundMs } = deadlinesOf(env.DEADLINES);
const ports = { generations, usage, clock: Date.now, roundMs };

/** Settles an attempt that failed, or a deploy; called by the state machine. */
export const handler = (state: FailedAttempt | DeployedState): Promise<WorkflowState> =>
  'outcome' in state ? settleAttempt(state, ports) : settleDeploy(state, ports);
