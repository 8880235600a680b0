import { nanoid } from 'nanoid';
import { type GenerateRequest, PROVIDER_NAMES, type ProviderName } from '../contract/generate.ts';
import type { Clock } from '../platform/clock.ts';
import type { Job } from './job.ts';
import type { JobStore } from './jobs.ts';
import type { AttemptState } from './workflow.ts';

export interface GeneratePorts {
  readonly jobs: JobStore;
  /** Starts the execution of a job, named by its id. */
  readonly startExecution: (name: string, input: AttemptState) => Promise<void>;
  /** The providers that the stage has. */
  readonly configured: readonly ProviderName[];
  readonly clock: Clock;
}

/** Creates a job and starts its execution; from here on the job runs whether anybody waits for it or not. */
export async function startGeneration(request: GenerateRequest, ports: GeneratePorts): Promise<Job> {
  const [provider, ...remaining] = providerOrder(request.model, ports.configured);
  if (!provider) throw new Error('No provider is configured');
  const job: Job = { id: nanoid(), status: 'queued', ...request, createdAt: ports.clock(), attempts: [] };
  await ports.jobs.create(job);
  await ports.startExecution(job.id, { id: job.id, provider, remaining, onlyTimeouts: true });
  return job;
}

/** The requested provider first when the stage has it, then the others as they are named. */
export function providerOrder(
  model: GenerateRequest['model'],
  configured: readonly ProviderName[],
): ProviderName[] {
  const known = PROVIDER_NAMES.filter((name) => configured.includes(name));
  return known.toSorted((a, b) => Number(b === model) - Number(a === model));
}
