import { setTimeout } from 'node:timers/promises';
import type { Caller } from '../../access/callers.ts';
import { ApiError } from '../../contract/errors.ts';
import { requireOpen } from '../../http/admission.ts';
import { toApiError } from '../../http/error-responses.ts';
import { acceptWebhook, idempotencyKey } from '../../http/input.ts';
import { type ListLinks, listResponse } from '../../http/list.ts';
import { type ApiRequest, type ApiResponse, wantsEvents } from '../../http/request.ts';
import { type Call, type Route, route } from '../../http/router.ts';
import type { CountStored } from '../../http/stored-bytes.ts';
import type { Clock } from '../../platform/clock.ts';
import { retryUntil } from '../../platform/unreachable.ts';
import { totalSize } from '../../sites/accept-files.ts';
import type { Tokens } from '../../stored/deployment-owner.ts';
import { visibleGeneration } from '../../stored/generations.ts';
import type { ProjectFiles } from '../../stored/projects/project-file-store.ts';
import { asOf } from '../completeness.ts';
import { type Generation, isOver } from '../generation.ts';
import { lastLook, matchedStarter } from '../generation-log.ts';
import { type GivenImage, givenImages } from '../images/given-images.ts';
import { endId, eventStream } from './event-stream.ts';
import {
  deployTarget,
  type Parent,
  type ParentSources,
  parentProject,
  type ReadAsset,
  requestedImages,
} from './inputs.ts';
import {
  changedResource,
  generateResponse,
  generationHeaders,
  generationResource,
  generationSummary,
  providerList,
  screenshotResponse,
} from './resource.ts';
import { cancelGeneration, createGeneration, requireGenerator, type StartContext, startExecution } from './start.ts';

/** The dependencies of the routes of generations. */
interface GenerationContext extends StartContext, ListLinks {
  readonly asset: ReadAsset;
  readonly files: ProjectFiles;
  readonly allowPrivateWebhooks: boolean;
  readonly countStored: CountStored;
  /** Whether callers without a credential may generate. */
  readonly anonymous: boolean;
  readonly tokens: Tokens;
  /** Returns the files of the live version of a deployment if the caller owns it. */
  readonly deployment: ParentSources['deployment'];
}

/**
 * How long a request is held while its generation runs. CloudFront gives up on an origin that is silent for 120 s; a
 * response stream of API Gateway may last 15 minutes. An anonymous caller opens its streams again after each 110 s as
 * well, which counts: so an address holds few invocations at the same time.
 */
const HOLD_MS = { result: 110_000, stream: 870_000, anonymousStream: 110_000 };

/** The error code for a table, a bucket or Step Functions that cannot be reached. */
export const UNREACHABLE = 'unavailable';

/** Routes of `POST /generate` and of the resources of a generation. */
export function generationRoutes(context: GenerationContext): Route[] {
  /** Calls `perform` with the generation of the path, if the caller may see it. */
  const withGeneration = (
    { request, params: { id = '' } }: Pick<Call<'getGeneration'>, 'request' | 'params'>,
    perform: (generation: Generation, request: ApiRequest) => ApiResponse | Promise<ApiResponse>,
  ) => withId(id, async () => perform(await requireVisible(id, request.caller, context), request));
  return [
    route('generate', async ({ request, body }) => {
      requireGenerator(request.caller, context.anonymous);
      if (body.deploy) await requireOpen(['deploy'], context.closures);
      const receiver = acceptWebhook(body.webhook, request.caller, context.allowPrivateWebhooks);
      const requester = { caller: request.caller, idempotencyKey: idempotencyKey(request), receiver };
      const parents = {
        ...context,
        generation: (from: string) => findVisible(from, request.caller, context),
      };
      const uploaded = await requestedImages(body, request.caller, context.asset);
      const parent = await parentProject(body, request, parents);
      const images = givenImages(uploaded, parent?.files ?? []);
      const stored = storedBytes(parent, images, Boolean(body.deploy));
      if (stored > 0)
        await context.countStored(request.caller, { announced: 0, sent: request.rawBody().length, stored });
      const deploy = await deployTarget(body, request, context);
      const generation = await createGeneration(body, requester, context, { parent, images, deploy });
      const { id } = generation;
      return withId(id, async () => {
        await startExecution(generation, context);
        if (wantsEvents(request)) return eventsResponse(generation, request, context);
        if (prefersAsync(request)) return acceptedResponse(generation, request, context);
        return resultResponse(id, request, context);
      });
    }),
    route('getGeneration', (call) =>
      withGeneration(call, (generation, request) =>
        wantsEvents(request)
          ? eventsResponse(generation, request, context)
          : resourceResponse(generation, request, context),
      ),
    ),
    route('getGenerationResult', (call) =>
      withGeneration(call, ({ id }, request) => resultResponse(id, request, context)),
    ),
    route('getGenerationScreenshot', (call) =>
      withGeneration(call, (generation) => screenshotResponse(generation, call.query, context)),
    ),
    route('cancelGeneration', (call) =>
      withGeneration(call, async (generation, request) =>
        resourceResponse(await cancelGeneration(generation, context), request, context),
      ),
    ),
    route('listProviders', async () => ({
      statusCode: 200,
      body: providerList(context.configured, await context.providerStore.current(), context.clock()),
    })),
    route('listGenerations', (call) => {
      const now = context.clock();
      return listResponse(
        'listGenerations',
        call,
        context,
        (page) => context.generations.list(page, now),
        (generation) => generationSummary(asOf(generation, now)),
      );
    }),
  ];
}

/**
 * Adds the generation's id to every error, in the header and in the text: a caller that cannot find its generation
 * would pay for another one.
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

const idHeader = (id: string) => ({ 'X-Generation-Id': id });

async function resourceResponse(
  generation: Generation,
  request: ApiRequest,
  context: Pick<GenerationContext, 'files' | 'tokens' | 'apiUrl'>,
): Promise<ApiResponse> {
  const body = await changedResource(generation, context.files);
  return { statusCode: 200, headers: await generationHeaders(generation, request, context), body };
}

/** The bytes with which a deploy counts what models write. They are not known before. */
const WRITTEN_BYTES = 500_000;

/**
 * Returns how many bytes of the caller a generation stores: the project that it changes and its images, and what it deploys
 * at the end. What models write counts only then: otherwise it is deleted after a day.
 */
export function storedBytes(parent: Parent | undefined, images: readonly GivenImage[], isDeployed: boolean): number {
  const given = images.reduce((sum, { content }) => sum + content.length, totalSize(parent?.files ?? []));
  return isDeployed ? 2 * given + WRITTEN_BYTES : given;
}

/**
 * Waits for a generation and returns the response of generate. One that takes longer than a request may last is a 303
 * to its result, which waits on.
 */
async function resultResponse(id: string, request: ApiRequest, context: GenerationContext): Promise<ApiResponse> {
  const { generations, files, clock, apiUrl } = context;
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
    ...(await generationHeaders(result.generation, request, context)),
    // A header, because the contract fixes the fields of the body.
    'X-Generation-Status': result.generation.status,
    // `none` if no starter fits the prompt; absent if a model wrote the project.
    ...(matched === undefined ? {} : { 'X-Generation-Matched': matched ?? 'none' }),
    ...(look === undefined ? {} : { 'X-Generation-Look': look.state }),
  };
  return { statusCode: 200, headers, body: result.body };
}

/** The response to `Prefer: respond-async` (RFC 7240). */
function acceptedResponse(generation: Generation, request: ApiRequest, { apiUrl }: GenerationContext): ApiResponse {
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
  context: GenerationContext,
): Promise<ApiResponse> {
  const { id } = generation;
  const after = Math.max(0, Math.trunc(Number(request.headers['last-event-id'] ?? 0)) || 0);
  if (isOver(generation) && after >= endId(generation)) return resourceResponse(generation, request, context);
  const hold = request.caller?.credential ? HOLD_MS.stream : HOLD_MS.anonymousStream;
  return {
    statusCode: 200,
    headers: {
      ...(await generationHeaders(generation, request, context)),
      'Content-Type': 'text/event-stream',
    },
    stream: eventStream(id, after, request.receivedAt + hold, context),
  };
}

function prefersAsync({ headers }: ApiRequest): boolean {
  const preferences = headers.prefer?.split(',') ?? [];
  return preferences.some((preference) => preference.trim().toLowerCase() === 'respond-async');
}

/** Returns a generation if the caller may see it. @throws ApiError not_found */
async function requireVisible(id: string, caller: Caller | undefined, context: GenerationContext): Promise<Generation> {
  const generation = await findVisible(id, caller, context);
  if (generation) return generation;
  throw new ApiError(
    'not_found',
    'There is no such generation. Generations are kept for 24 hours, and one made with a key or token is visible to its caller only',
  );
}

async function findVisible(
  id: string,
  caller: Caller | undefined,
  { generations, clock }: GenerationContext,
): Promise<Generation | undefined> {
  const generation = await visibleGeneration(id, caller, (known) => generations.find(known));
  return generation && asOf(generation, clock());
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
const GROWTH = 1.2;

/**
 * Calls `poll` until it returns a value. The pauses grow from 100 ms to 1 s, so that a short generation is returned
 * quickly and a long one costs few reads. A poll that cannot reach AWS is retried, because the generation continues
 * regardless.
 * @param deadline Unix milliseconds
 * @returns undefined when the deadline has passed
 * @throws the error of the last poll if AWS is still unreachable at the deadline; any other error at once
 */
export async function pollUntil<T>(
  deadline: number,
  poll: () => Promise<T | undefined>,
  clock: Clock,
): Promise<T | undefined> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS)) {
    const result = await retryUntil(deadline, poll, clock);
    const left = deadline - clock();
    if (result !== undefined || left <= 0) return result;
    await setTimeout(Math.min(pause, left));
  }
}
