import * as z from 'zod';
import { documentClient } from '../platform/aws.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { JobStore } from './jobs.ts';
import { settle } from './settle.ts';
import type { CaughtAttempt, NextState } from './workflow.ts';

const env = readEnv({ [ENV.generationsTable]: z.string() });
const jobs = new JobStore(documentClient(), env.GENERATIONS_TABLE);

/** What follows a failed attempt, called by the state machine. */
export const handler = (caught: CaughtAttempt): Promise<NextState> =>
  settle(caught, { jobs, clock: Date.now });
