import type { Caller } from '../../access/callers.ts';
import { ApiError } from '../../contract/errors.ts';
import { requireOpen } from '../../http/admission.ts';
import { toApiError } from '../../http/error-responses.ts';
import { idempotencyKey } from '../../http/input.ts';
import { type ListPorts, listResponse } from '../../http/list.ts';
import { type ApiRequest, type ApiResponse, wantsEvents } from '../../http/request.ts';
import { type Call, type Route, route } from '../../http/router.ts';
import { acceptWebhook } from '../../http/webhook.ts';
import type { Tokens } from '../../stored/deployment-owner.ts';
import { visibleGeneration } from '../../stored/generations.ts';
import type { ProjectFiles } from '../../stored/projects/project-file-store.ts';
import { asOf } from '../completeness.ts';
import { type ParentPorts, parentProject } from '../edits/parent.ts';
import { type Generation, isOver } from '../generation.ts';
import { matchedStarter } from '../generation-log.ts';
import { givenImages } from '../images/given-images.ts';
import { type AssetPorts, requestedImages } from '../images/requested-images.ts';
import { lastLook } from '../looks.ts';
import { deployTarget } from './deploy-target.ts';
import { endId, eventStream } from './event-stream.ts';
import { requireGenerator } from './payable.ts';
import { pollUntil } from './poll.ts';
import { providerList } from './provider-list.ts';
import {
  changedResource,
  GENERATION_ID_HEADER,
  GENERATION_LOOK_HEADER,
  GENERATION_MATCHED_HEADER,
  GENERATION_STATUS_HEADER,
  generateResponse,
  generationHeaders,
  generationResource,
  generationSummary,
} from './resource.ts';
import { screenshotResponse } from './screenshot.ts';
import { cancelGeneration, createGeneration, type StartPorts, startExecution } from './start.ts';

export interface GenerationPorts extends StartPorts, ListPorts, AssetPorts {
  readonly files: ProjectFiles;
  readonly allowPrivateWebhooks: boolean;
  /** Whether callers without a credential may generate. */
  readonly anonymous: boolean;
  readonly tokens: Tokens;
  /** Returns the files of the live version of a deployment if the caller owns it. */
  readonly deployment: ParentPorts['deployment'];
}

/**
 * How long a request is held while its generation runs. CloudFront gives up on an origin that is silent for 120 s; a response
 * stream of API Gateway may last 15 minutes. An anonymous caller opens its streams again after each 110 s as well, which counts:
 * so an address holds few invocations at the same time.
 */
const HOLD_MS = { result: 110_000, stream: 870_000, anonymousStream: 110_000 };

/** The error code for a table, a bucket or Step Functions that cannot be reached. */
export const UNREACHABLE = 'unavailable';

/** Routes of `POST /generate` and of the resources of a generation. */
export function generationRoutes(ports: GenerationPorts): Route[] {
  /** Calls `perform` with the generation of the path, if the caller may see it. */
  const withGeneration = (
    { request, params: { id = '' } }: Pick<Call<'getGeneration'>, 'request' | 'params'>,
    perform: (generation: Generation, request: ApiRequest) => ApiResponse | Promise<ApiResponse>,
  ) => withId(id, async () => perform(await requireVisible(id, request.caller, ports), request));
  return [
    route('generate', async ({ request, body }) => {
      requireGenerator(request.caller, ports.anonymous);
      if (body.deploy) await requireOpen(['deploy'], ports.closures);
      const receiver = acceptWebhook(body.webhook, request.caller, ports.allowPrivateWebhooks);
      const requester = { caller: request.caller, idempotencyKey: idempotencyKey(request), receiver };
      const parents = { ...ports, generation: (from: string) => findVisible(from, request.caller, ports) };
      const uploaded = await requestedImages(body, request.caller, ports);
      const parent = await parentProject(body, request, parents);
      const images = givenImages(uploaded, parent?.files ?? []);
      const deploy = await deployTarget(body, request, ports);
      const generation = await createGeneration(body, requester, ports, { parent, images, deploy });
      const { id } = generation;
      return withId(id, async () => {
        await startExecution(generation, ports);
        if (wantsEvents(request)) return eventsResponse(generation, request, ports);
        if (prefersAsync(request)) return acceptedResponse(generation, request, ports);
        return resultResponse(id, request, ports);
      });
    }),
    route('getGeneration', (call) =>
      withGeneration(call, (generation, request) =>
        wantsEvents(request)
          ? eventsResponse(generation, request, ports)
          : resourceResponse(generation, request, ports),
      ),
    ),
    route('getGenerationResult', (call) =>
      withGeneration(call, ({ id }, request) => resultResponse(id, request, ports)),
    ),
    route('getGenerationScreenshot', (call) =>
      withGeneration(call, (generation) => screenshotResponse(generation, call.query, ports)),
    ),
    route('cancelGeneration', (call) =>
      withGeneration(call, async (generation, request) =>
        resourceResponse(await cancelGeneration(generation, ports), request, ports),
      ),
    ),
    route('listProviders', async () => ({
      statusCode: 200,
      body: providerList(ports.configured, await ports.providerStore.current(), ports.clock()),
    })),
    route('listGenerations', (call) => {
      const now = ports.clock();
      return listResponse(
        'listGenerations',
        call,
        ports,
        (page) => ports.generations.list(page, now),
        (generation) => generationSummary(asOf(generation, now)),
      );
    }),
  ];
}

/**
 * Adds the generation's id to every error, in the header and in the text: a caller that cannot find its generation would pay
 * for another one.
 */
async function withId(id: string, perform: () => Promise<ApiResponse>): Promise<ApiResponse> {
  try {
    return await perform();
  } catch (error) {
    const { code, message, headers, body, cause } = toApiError(error, UNREACHABLE);
    if (code === 'not_found') throw error;
    // A plain "try again" would make the caller start, and pay for, another generation.
    const unreachable = 'Part of the service is unreachable: look at the generation before you start another';
    const what = code === UNREACHABLE ? unreachable : message;
    const text = `${what}. Details: GET ${pathOf(id)}`;
    throw new ApiError(code, text, { headers: { ...headers, ...idHeader(id) }, body, cause });
  }
}

const pathOf = (id: string) => `/api/v1/generations/${id}`;

const idHeader = (id: string) => ({ [GENERATION_ID_HEADER]: id });

async function resourceResponse(
  generation: Generation,
  request: ApiRequest,
  ports: Pick<GenerationPorts, 'files' | 'tokens' | 'apiUrl'>,
): Promise<ApiResponse> {
  const body = await changedResource(generation, ports.files);
  return { statusCode: 200, headers: await generationHeaders(generation, request, ports), body };
}

/**
 * Waits for a generation and returns the response of generate. One that takes longer than a request may last is a 303 to its
 * result, which waits on.
 */
async function resultResponse(id: string, request: ApiRequest, ports: GenerationPorts): Promise<ApiResponse> {
  const { generations, files, clock, apiUrl } = ports;
  let generation: Generation | undefined;
  const poll = async () => {
    generation = asOf(await generations.get(id), clock());
    if (!isOver(generation)) return undefined;
    return { generation, body: await generateResponse(generation, files, clock()) };
  };
  const result = await pollUntil(request.receivedAt + HOLD_MS.result, poll, clock);
  const location = apiUrl(request, `${pathOf(id)}/result`);
  if (!result)
    return {
      statusCode: 303,
      headers: { ...idHeader(id), Location: location },
      body: generation && generationResource(generation),
    };
  const matched = matchedStarter(result.generation);
  const look = lastLook(result.generation);
  const headers = {
    ...(await generationHeaders(result.generation, request, ports)),
    [GENERATION_STATUS_HEADER]: result.generation.status,
    ...(matched === undefined ? {} : { [GENERATION_MATCHED_HEADER]: matched ?? 'none' }),
    ...(look === undefined ? {} : { [GENERATION_LOOK_HEADER]: look.state }),
  };
  return { statusCode: 200, headers, body: result.body };
}

/** The response to `Prefer: respond-async` (RFC 7240). */
function acceptedResponse(
  generation: Generation,
  request: ApiRequest,
  { apiUrl }: GenerationPorts,
): ApiResponse {
  const headers = {
    ...idHeader(generation.id),
    Location: apiUrl(request, pathOf(generation.id)),
    'Preference-Applied': 'respond-async',
  };
  return { statusCode: 202, headers, body: generationResource(generation) };
}

/** A client that reconnects after the last event gets JSON, whose media type tells it to stop (WHATWG HTML, 9.2.3). */
async function eventsResponse(
  generation: Generation,
  request: ApiRequest,
  ports: GenerationPorts,
): Promise<ApiResponse> {
  const { id } = generation;
  const after = Math.max(0, Math.trunc(Number(request.headers['last-event-id'] ?? 0)) || 0);
  if (isOver(generation) && after >= endId(generation)) return resourceResponse(generation, request, ports);
  const hold = request.caller?.credential ? HOLD_MS.stream : HOLD_MS.anonymousStream;
  return {
    statusCode: 200,
    headers: {
      ...(await generationHeaders(generation, request, ports)),
      'Content-Type': 'text/event-stream',
    },
    stream: eventStream(id, after, request.receivedAt + hold, ports),
  };
}

function prefersAsync({ headers }: ApiRequest): boolean {
  const preferences = headers.prefer?.split(',') ?? [];
  return preferences.some((preference) => preference.trim().toLowerCase() === 'respond-async');
}

/** Returns a generation if the caller may see it. @throws ApiError not_found */
async function requireVisible(
  id: string,
  caller: Caller | undefined,
  ports: GenerationPorts,
): Promise<Generation> {
  const generation = await findVisible(id, caller, ports);
  if (generation) return generation;
  throw new ApiError(
    'not_found',
    'There is no such generation. Generations are kept for 24 hours, and one made with a key or token is visible to its caller only',
  );
}

async function findVisible(
  id: string,
  caller: Caller | undefined,
  { generations, clock }: GenerationPorts,
): Promise<Generation | undefined> {
  const generation = await visibleGeneration(id, caller, (known) => generations.find(known));
  return generation && asOf(generation, clock());
}
