import * as z from 'zod';
import { UsageStore } from '../access/usage-store.ts';
import { documentClient } from '../platform/aws.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { GenerationStore } from './generation-store.ts';
import { settleAttempt } from './settle-attempt.ts';
import type { FailedAttempt, WorkflowState } from './workflow.ts';

const env = readEnv({ [ENV.generationsTable]: z.string(), [ENV.usageTable]: z.string() });
const db = documentClient();
const generations = new GenerationStore(db, env.GENERATIONS_TABLE);
const usage = new UsageStore(db, env.USAGE_TABLE);

/** Settles an attempt that failed; called by the state machine. */
export const handler = (failed: FailedAttempt): Promise<WorkflowState> =>
  settleAttempt(failed, { generations, usage, clock: Date.now });
