import * as z from 'zod';
import { UsageStore } from '../../access/usage-store.ts';
import type { Delivery } from '../../contract/responses/webhooks.ts';
import { documentClient } from '../../platform/aws.ts';
import { ENV, json, readEnv } from '../../platform/env.ts';
import { startExecution } from '../../platform/executions.ts';
import { logAbout } from '../../platform/log.ts';
import { deadlinesOf, timeouts } from '../durations.ts';
import type { DeployedState, FailedAttempt, WorkflowState } from '../generation.ts';
import { GenerationStore } from '../generation-store.ts';
import { ProviderStore } from '../provider-store.ts';
import { type ExecutionEvent, type Settling, settleAttempt, settleDeploy, settleExecution } from './settle.ts';

const env = readEnv({
  [ENV.generationsTable]: z.string(),
  [ENV.generationsBucket]: z.string(),
  [ENV.usageTable]: z.string(),
  [ENV.deadlines]: json(timeouts),
  [ENV.deliveriesArn]: z.string(),
});
const db = documentClient();
const generations = new GenerationStore(db, env.GENERATIONS_TABLE);
const usage = new UsageStore(db, env.USAGE_TABLE);

const { totalMs: roundMs } = deadlinesOf(env.DEADLINES);
const settling: Settling = {
  generations,
  // Few settlings need it.
  files: async () =>
    (await import('../../stored/projects/project-file-store.ts')).projectFilesIn(env.GENERATIONS_BUCKET),
  usage,
  providerStore: new ProviderStore(db, env.GENERATIONS_TABLE, Date.now),
  clock: Date.now,
  roundMs,
};
const notify = (delivery: Delivery) => startExecution(env.DELIVERIES_ARN, delivery.id, delivery);

/**
 * Settles an attempt that failed, or a deploy, for the state machine; and a generation whose execution died, for
 * EventBridge.
 */
export async function handler(
  event: FailedAttempt | DeployedState | ExecutionEvent,
): Promise<WorkflowState | undefined> {
  logAbout({ generation: 'detail' in event ? event.detail.name : event.id });
  if (!('detail' in event)) return 'outcome' in event ? settleAttempt(event, settling) : settleDeploy(event, settling);
  await settleExecution(event, settling, notify);
  return undefined;
}
