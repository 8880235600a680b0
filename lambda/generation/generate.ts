import { createHash, createHmac } from 'node:crypto';
import { nanoid } from 'nanoid';
import type { Caller } from '../access/callers.ts';
import { ApiError } from '../contract/errors.ts';
import { type GenerateRequest, PROVIDER_NAMES, type ProviderName } from '../contract/generate.ts';
import type { Clock } from '../platform/clock.ts';
import type { Cooldowns } from './cooldowns.ts';
import { asOf, type Job } from './job.ts';
import type { JobStore } from './jobs.ts';
import { firstPass } from './steps.ts';
import type { StepState } from './workflow.ts';

export interface GeneratePorts {
  readonly jobs: JobStore;
  readonly cooldowns: Cooldowns;
  /** Starts an execution; one that was started already under that name is left as it is. */
  readonly startExecution: (name: string, input: StepState) => Promise<void>;
  readonly stopExecution: (name: string) => Promise<void>;
  /** The providers that the stage has. */
  readonly configured: readonly ProviderName[];
  /** Keys the ids that come from an idempotency key, so that nobody else can compute them. */
  readonly secret: string;
  readonly clock: Clock;
}

/** Whose request it is, and under which idempotency key. */
export interface Origin {
  readonly caller: Pick<Caller, 'id' | 'credential'> | undefined;
  readonly idempotencyKey?: string | undefined;
}

/**
 * Creates a job. With an idempotency key, the caller's job under that key is joined when there is one. A job that failed or
 * timed out asked for a retry: the same key replaces it, and of several requests that do so one succeeds and the others
 * join.
 * @throws ApiError idempotency_mismatch when that job was made for another request
 */
export async function createGeneration(
  request: GenerateRequest,
  origin: Origin,
  ports: GeneratePorts,
): Promise<Job> {
  const { jobs, cooldowns, clock, configured, secret } = ports;
  const { failed, cooling } = await cooldowns.current();
  const [provider, ...remaining] = providerOrder(request.model, configured, cooling);
  if (!provider) throw new Error('No provider is configured');
  const now = clock();
  const id = idFor(origin, secret);
  const job: Job = {
    ...{ id, status: 'queued', ...request, createdAt: now },
    caller: origin.caller?.credential && origin.caller.id,
    requestHash: createHash('sha256').update(JSON.stringify(request)).digest('base64url'),
    ...{ step: 1, execution: executionName(id, 1), pass: firstPass(request.duration), provider, remaining },
    failedLately: failed,
    log: [{ type: 'queued', at: now }],
  };
  if (await jobs.create(job)) return job;
  const stored = await jobs.existing(id);
  if (stored.requestHash !== job.requestHash) {
    const message = 'This Idempotency-Key was used for another request: send a new one';
    throw new ApiError('idempotency_mismatch', message);
  }
  const { status } = asOf(stored, now);
  if (status !== 'failed' && status !== 'timed_out') return stored;
  // Steps go on counting, so that whatever is left of the earlier execution can write nothing.
  const step = stored.step + 1;
  const restarted = { ...job, step, execution: executionName(id, step) };
  return (await jobs.replace(stored, restarted)) ? restarted : jobs.existing(id);
}

/**
 * Starts the execution of a job that is queued; from then on the job runs whether anybody waits for it or not. Also called
 * for a job that was joined, whose creator may not have come this far: an execution starts once per name.
 */
export async function startExecution(
  job: Job,
  { jobs, startExecution, clock }: GeneratePorts,
): Promise<void> {
  if (job.status !== 'queued') return;
  const { id, step, execution } = job;
  try {
    await startExecution(execution, { id, step, status: 'running' });
  } catch (error) {
    // It may have started all the same, with only the response lost: a job that runs is left alone.
    if (await jobs.abandon(id, step, clock())) throw error;
  }
}

/**
 * Ends a job. What runs of it notices within a second; the execution is stopped.
 * @throws ApiError conflict when the job is over
 */
export async function cancelGeneration(
  job: Job,
  { jobs, stopExecution, clock }: GeneratePorts,
): Promise<Job> {
  if (job.status === 'canceled') return job;
  const canceled = (await jobs.cancel(job.id, clock())) ?? (await jobs.existing(job.id));
  if (canceled.status !== 'canceled')
    throw new ApiError('conflict', 'The generation is over: there is nothing to cancel');
  await stopExecution(canceled.execution);
  return canceled;
}

/**
 * The requested provider first when the stage has it, then the others as they are named; for `auto`, those that are
 * cooling down come last.
 */
export function providerOrder(
  model: GenerateRequest['model'],
  configured: readonly ProviderName[],
  cooling: readonly ProviderName[] = [],
): ProviderName[] {
  const last = (name: ProviderName) => Number(model === 'auto' && cooling.includes(name));
  const rank = (name: ProviderName) => (name === model ? -1 : last(name));
  return PROVIDER_NAMES.filter((name) => configured.includes(name)).toSorted((a, b) => rank(a) - rank(b));
}

/** Step Functions takes a name once in 90 days, so one that starts again under the same id needs another. */
const executionName = (id: string, step: number) => `${id}-${step}`;

/** One and the same for a caller's key, a new one without. */
function idFor({ caller, idempotencyKey }: Origin, secret: string): string {
  if (idempotencyKey === undefined) return nanoid();
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify([caller?.id, idempotencyKey]))
    .digest('base64url');
  return digest.slice(0, 21);
}
