import * as z from 'zod';
import { UsageStore } from '../access/usage.ts';
import { documentClient } from '../platform/aws.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { JobStore } from './jobs.ts';
import { settle } from './settle.ts';
import type { CaughtStep, StepState } from './workflow.ts';

const env = readEnv({ [ENV.generationsTable]: z.string(), [ENV.usageTable]: z.string() });
const db = documentClient();
const jobs = new JobStore(db, env.GENERATIONS_TABLE, new UsageStore(db, env.USAGE_TABLE));

/** What follows a step that failed, called by the state machine. */
export const handler = (caught: CaughtStep): Promise<StepState> => settle(caught, { jobs, clock: Date.now });
