import { createHash, createHmac } from 'node:crypto';
import { nanoid } from 'nanoid';
import type { Caller } from '../access/callers.ts';
import { ApiError } from '../contract/errors.ts';
import { type GenerateRequest, PROVIDER_NAMES, type ProviderName } from '../contract/generate.ts';
import type { Clock } from '../platform/clock.ts';
import type { Cooldowns } from './cooldowns.ts';
import type { Job } from './job.ts';
import type { JobStore } from './jobs.ts';
import { firstPass } from './steps.ts';
import type { StepState } from './workflow.ts';

export interface GeneratePorts {
  readonly jobs: JobStore;
  readonly cooldowns: Cooldowns;
  /** Starts the execution of a job, named by its id; one that was started already is left as it is. */
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
 * Creates a job and starts its execution; from here on the job runs whether anybody waits for it or not. With an
 * idempotency key the caller's job under that key is joined when there is one.
 * @throws ApiError idempotency_mismatch when that job was made for another request
 */
export async function startGeneration(
  request: GenerateRequest,
  origin: Origin,
  ports: GeneratePorts,
): Promise<Job> {
  const { failed, cooling } = await ports.cooldowns.current();
  const [provider, ...remaining] = providerOrder(request.model, ports.configured, cooling);
  if (!provider) throw new Error('No provider is configured');
  const now = ports.clock();
  const job: Job = {
    id: idFor(origin, ports.secret),
    status: 'queued',
    ...request,
    createdAt: now,
    caller: origin.caller?.credential && origin.caller.id,
    requestHash: createHash('sha256').update(JSON.stringify(request)).digest('base64url'),
    step: 1,
    pass: firstPass(request.duration),
    provider,
    remaining,
    failedLately: failed,
    log: [{ type: 'queued', at: now }],
  };
  const joined = (await ports.jobs.create(job)) ? undefined : await ports.jobs.existing(job.id);
  if (joined && joined.requestHash !== job.requestHash) {
    throw new ApiError(
      'idempotency_mismatch',
      'This Idempotency-Key was used for another request: send a new one',
    );
  }
  // Also for a job that was joined while it is queued: whoever made it may not have come this far.
  if ((joined ?? job).status === 'queued')
    await ports.startExecution(job.id, { id: job.id, step: 1, status: 'running' });
  return joined ?? job;
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
  const canceled = await jobs.cancel(job.id, clock());
  if (!canceled) throw new ApiError('conflict', 'The generation is over: there is nothing to cancel');
  await stopExecution(job.id);
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

/** One and the same for a caller's key, a new one without. */
function idFor({ caller, idempotencyKey }: Origin, secret: string): string {
  if (idempotencyKey === undefined) return nanoid();
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify([caller?.id, idempotencyKey]))
    .digest('base64url');
  return digest.slice(0, 21);
}
