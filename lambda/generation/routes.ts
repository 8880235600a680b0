import type { Caller } from '../access/callers.ts';
import { throughDistribution } from '../access/viewer-address.ts';
import { ApiError } from '../contract/errors.ts';
import { toApiError } from '../http/error-mapper.ts';
import { idempotencyKey } from '../http/preconditions.ts';
import type { ApiRequest, ApiResponse } from '../http/request.ts';
import { type Call, type Route, route } from '../http/router.ts';
import { endId, eventStream } from './events.ts';
import { cancelGeneration, createGeneration, type GeneratePorts, startExecution } from './generate.ts';
import { asOf, isOver, type Job } from './job.ts';
import type { FileContents } from './project-files.ts';
import {
  GENERATION_ID_HEADER,
  GENERATION_STATUS_HEADER,
  generateResponse,
  generationResource,
} from './representation.ts';
import { pollUntil } from './wait.ts';

export interface GenerationPorts extends GeneratePorts {
  readonly files: FileContents;
  readonly originSecret: string;
}

/**
 * How long an undecided request is held. CloudFront gives up on an origin that is silent for 120 s; a response stream
 * of API Gateway may start within 5 minutes, and last 15.
 */
const HOLD_MS = { throughDistribution: 110_000, direct: 285_000, stream: 870_000 };

/** What is told when a table, a bucket or Step Functions cannot be reached. */
export const UNREACHABLE = 'unavailable';

/** `POST /generate` and the resources of a job. */
export function generationRoutes(ports: GenerationPorts): Route[] {
  /** Performs a call about the job of the path, for who may see it. */
  const withJob = (
    { request, params: { id = '' } }: Pick<Call<'getGeneration'>, 'request' | 'params'>,
    perform: (job: Job, request: ApiRequest) => ApiResponse | Promise<ApiResponse>,
  ) => withId(id, async () => perform(await existing(id, request.caller, ports), request));
  return [
    route('generate', async ({ request, body }) => {
      const origin = { caller: request.caller, idempotencyKey: idempotencyKey(request) };
      const job = await createGeneration(body, origin, ports);
      return withId(job.id, async () => {
        await startExecution(job, ports);
        if (wantsEvents(request)) return events(job, request, ports);
        if (prefersAsync(request)) return accepted(job);
        return result(job.id, request, `generations/${job.id}/result`, ports);
      });
    }),
    route('getGeneration', (call) =>
      withJob(call, (job, request) => (wantsEvents(request) ? events(job, request, ports) : resource(job))),
    ),
    route('getGenerationResult', (call) =>
      withJob(call, (job, request) => result(job.id, request, 'result', ports)),
    ),
    route('cancelGeneration', (call) =>
      withJob(call, async (job) => resource(await cancelGeneration(job, ports))),
    ),
  ];
}

/**
 * Names the generation in whatever goes wrong once it exists, in the header and in the text: a caller that cannot find it
 * would pay for another one.
 */
async function withId(id: string, perform: () => Promise<ApiResponse>): Promise<ApiResponse> {
  try {
    return await perform();
  } catch (error) {
    const { code, message, headers, body, cause } = toApiError(error, UNREACHABLE);
    if (code === 'not_found') throw error;
    const text = `${message}. Details: GET /api/v1/generations/${id}`;
    throw new ApiError(code, text, { headers: { ...headers, ...idHeader(id) }, body, cause });
  }
}

const idHeader = (id: string) => ({ [GENERATION_ID_HEADER]: id });

function resource(job: Job): ApiResponse {
  return { statusCode: 200, headers: idHeader(job.id), body: generationResource(job) };
}

/**
 * Waits for a job and answers as generate does. An undecided job is answered with a 303 to its result, which waits
 * on. `location` is relative to the request (RFC 9110, 10.2.2), so that it is right under any base path.
 */
async function result(
  id: string,
  request: ApiRequest,
  location: string,
  ports: GenerationPorts,
): Promise<ApiResponse> {
  const hold = throughDistribution(request, ports.originSecret)
    ? HOLD_MS.throughDistribution
    : HOLD_MS.direct;
  const poll = async () => {
    const job = asOf(await ports.jobs.existing(id), ports.clock());
    return isOver(job) ? { job, body: await generateResponse(job, ports.files) } : undefined;
  };
  const over = await pollUntil(request.receivedAt + hold, poll, ports.clock);
  if (!over) return { statusCode: 303, headers: { ...idHeader(id), Location: location } };
  const headers = { ...idHeader(id), [GENERATION_STATUS_HEADER]: over.job.status };
  return { statusCode: 200, headers, body: over.body };
}

/** RFC 7240: the client would rather not wait. */
function accepted(job: Job): ApiResponse {
  const headers = {
    ...idHeader(job.id),
    Location: `generations/${job.id}`,
    'Preference-Applied': 'respond-async',
  };
  return { statusCode: 202, headers, body: generationResource(job) };
}

/** A client that has seen the end and comes back is told to stop by a 204 (WHATWG HTML, 9.2.3). */
function events(job: Job, request: ApiRequest, ports: GenerationPorts): ApiResponse {
  const headers = idHeader(job.id);
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

/** What nanoid and `idFor` make. */
const GENERATION_ID = /^[\w-]{21}$/;

/** The job, for who may see it: one that was made with a credential is its caller's alone. */
async function existing(id: string, caller: Caller | undefined, ports: GenerationPorts): Promise<Job> {
  const job = GENERATION_ID.test(id) ? await ports.jobs.find(id) : undefined;
  const hidden = job?.caller !== undefined && job.caller !== caller?.id;
  if (!job || hidden)
    throw new ApiError(
      'not_found',
      'There is no such generation. Generations are kept for 24 hours, and one made with a key or token is visible to its caller only',
    );
  return asOf(job, ports.clock());
}
