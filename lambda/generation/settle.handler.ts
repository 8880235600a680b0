import * as z from 'zod';
import { documentClient } from '../platform/aws.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { JobStore } from './jobs.ts';
import { settle } from './settle.ts';
import type { CaughtStep, StepState } from './workflow.ts';

const env = readEnv({ [ENV.generationsTable]: z.string() });
const jobs = new JobStore(documentClient(), env.GENERATIONS_TABLE);

/** What follows a step that failed, called by the state machine. */
export const handler = (caught: CaughtStep): Promise<StepState> => settle(caught, { jobs, clock: Date.now });
