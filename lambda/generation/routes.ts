import { throughDistribution } from '../access/viewer-address.ts';
import { ApiError } from '../contract/errors.ts';
import type { ApiRequest, ApiResponse } from '../http/request.ts';
import { type Route, route } from '../http/router.ts';
import { type GeneratePorts, startGeneration } from './generate.ts';
import type { Job } from './job.ts';
import type { ProjectStore } from './projects.ts';
import { failureOf, GENERATION_ID_HEADER, generateResponse, generationResource } from './representation.ts';
import { isOver, waitForJob } from './wait.ts';

export interface GenerationPorts extends GeneratePorts {
  readonly projects: ProjectStore;
  readonly originSecret: string;
}

/**
 * How long an undecided request is held. CloudFront gives up on an origin that is silent for 120 s; a response
 * stream of API Gateway may start within 5 minutes.
 */
const HOLD_MS = { throughDistribution: 110_000, direct: 285_000 };

/** `POST /generate` and the resources of a job. */
export function generationRoutes(ports: GenerationPorts): Route[] {
  return [
    route('generate', async ({ request, body }) => {
      const { id } = await startGeneration(body, ports);
      return answer(id, request, `generations/${id}/result`, ports);
    }),
    route('getGeneration', async ({ params }) => ({
      statusCode: 200,
      body: generationResource(await existing(params.id, ports)),
    })),
    route('getGenerationResult', async ({ request, params }) => {
      const { id } = await existing(params.id, ports);
      return answer(id, request, 'result', ports);
    }),
  ];
}

/**
 * Waits for a job and answers as generate does: the project, 503 or 504. An undecided job is answered with a 303
 * to its result, which waits on. `location` is relative to the request (RFC 9110, 10.2.2), so that it is right
 * under any base path.
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
  const find = (wanted: string) => ports.jobs.find(wanted);
  const job = await waitForJob(id, request.receivedAt + hold, { find, clock: ports.clock });
  if (!job) throw unknownJob();
  const headers = { [GENERATION_ID_HEADER]: id };
  if (!isOver(job)) return { statusCode: 303, headers: { ...headers, Location: location } };
  if (!job.result) throw failureOf(job);
  const files = await ports.projects.get(id, job.result.run);
  return { statusCode: 200, headers, body: generateResponse(job, job.result, files) };
}

async function existing(id: string | undefined, ports: GenerationPorts): Promise<Job> {
  const job = id === undefined ? undefined : await ports.jobs.find(id);
  if (!job) throw unknownJob();
  return job;
}

function unknownJob(): ApiError {
  return new ApiError('not_found', 'There is no such generation; they are kept for 24 hours');
}
