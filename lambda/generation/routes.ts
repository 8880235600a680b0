import { throughDistribution } from '../access/viewer-address.ts';
import { ApiError } from '../contract/errors.ts';
import { idempotencyKey } from '../http/preconditions.ts';
import type { ApiRequest, ApiResponse } from '../http/request.ts';
import { type Route, route } from '../http/router.ts';
import { endId, eventStream } from './events.ts';
import { cancelGeneration, type GeneratePorts, startGeneration } from './generate.ts';
import { asOf, isOver, type Job } from './job.ts';
import type { FileContents } from './project-files.ts';
import { GENERATION_ID_HEADER, generateResponse, generationResource } from './representation.ts';
import { waitForJob } from './wait.ts';

export interface GenerationPorts extends GeneratePorts {
  readonly files: FileContents;
  readonly originSecret: string;
}

/**
 * How long an undecided request is held. CloudFront gives up on an origin that is silent for 120 s; a response stream
 * of API Gateway may start within 5 minutes, and last 15.
 */
const HOLD_MS = { throughDistribution: 110_000, direct: 285_000, stream: 870_000 };

/** `POST /generate` and the resources of a job. */
export function generationRoutes(ports: GenerationPorts): Route[] {
  return [
    route('generate', async ({ request, body }) => {
      const origin = { caller: request.caller, idempotencyKey: idempotencyKey(request) };
      const job = await startGeneration(body, origin, ports);
      if (wantsEvents(request)) return events(job, request, ports);
      if (prefersAsync(request)) return accepted(job);
      return answer(job.id, request, `generations/${job.id}/result`, ports);
    }),
    route('getGeneration', async ({ request, params }) => {
      const job = await existing(params.id, ports);
      return wantsEvents(request) ? events(job, request, ports) : resource(job);
    }),
    route('getGenerationResult', async ({ request, params }) => {
      const { id } = await existing(params.id, ports);
      return answer(id, request, 'result', ports);
    }),
    route('cancelGeneration', async ({ params }) => {
      const canceled = await cancelGeneration(await existing(params.id, ports), ports);
      return resource(canceled);
    }),
  ];
}

function resource(job: Job): ApiResponse {
  return { statusCode: 200, headers: { [GENERATION_ID_HEADER]: job.id }, body: generationResource(job) };
}

/**
 * Waits for a job and answers as generate does. An undecided job is answered with a 303 to its result, which waits
 * on. `location` is relative to the request (RFC 9110, 10.2.2), so that it is right under any base path.
 */
async function answer(
  id: string,
  request: ApiRequest,
  location: string,
  ports: GenerationPorts,
): Promise<ApiResponse> {
  const hold = throughDistribution(request, ports.originSecret)
    ? HOLD_MS.throughDistribution
    : HOLD_MS.direct;
  const job = await waitForJob(id, request.receivedAt + hold, {
    find: (wanted) => find(wanted, ports),
    clock: ports.clock,
  });
  if (!job) throw unknownJob();
  const headers = { [GENERATION_ID_HEADER]: id };
  if (!isOver(job)) return { statusCode: 303, headers: { ...headers, Location: location } };
  return { statusCode: 200, headers, body: await generateResponse(job, ports.files) };
}

/** RFC 7240: the client would rather not wait. */
function accepted(job: Job): ApiResponse {
  const headers = {
    [GENERATION_ID_HEADER]: job.id,
    Location: `generations/${job.id}`,
    'Preference-Applied': 'respond-async',
  };
  return { statusCode: 202, headers, body: generationResource(job) };
}

/** A client that has seen the end and comes back is told to stop by a 204 (WHATWG HTML, 9.2.3). */
function events(job: Job, request: ApiRequest, ports: GenerationPorts): ApiResponse {
  const headers = { [GENERATION_ID_HEADER]: job.id };
  const after = Math.max(0, Math.trunc(Number(request.headers['last-event-id'] ?? 0)) || 0);
  if (isOver(job) && after >= endId(job)) return { statusCode: 204, headers };
  return {
    statusCode: 200,
    headers: { ...headers, 'Content-Type': 'text/event-stream' },
    stream: eventStream(job.id, after, request.receivedAt + HOLD_MS.stream, ports),
  };
}

function wantsEvents({ headers }: ApiRequest): boolean {
  return headers.accept?.toLowerCase().includes('text/event-stream') ?? false;
}

function prefersAsync({ headers }: ApiRequest): boolean {
  return (
    headers.prefer?.split(',').some((preference) => preference.trim().toLowerCase() === 'respond-async') ??
    false
  );
}

async function find(id: string, { jobs, clock }: GenerationPorts): Promise<Job | undefined> {
  const job = await jobs.find(id);
  return job && asOf(job, clock());
}

async function existing(id: string | undefined, ports: GenerationPorts): Promise<Job> {
  const job = id === undefined ? undefined : await find(id, ports);
  if (!job) throw unknownJob();
  return job;
}

function unknownJob(): ApiError {
  return new ApiError('not_found', 'There is no such generation; they are kept for 24 hours');
}
