import { createHash, createHmac } from 'node:crypto';
import { budgetSpentError, payerOf, spentText } from '../../access/budgets.ts';
import type { Caller } from '../../access/callers.ts';
import { unauthorizedError } from '../../access/credential-errors.ts';
import type { Closures } from '../../access/stage-state.ts';
import { ApiError } from '../../contract/errors.ts';
import type { GenerateRequest } from '../../contract/generate.ts';
import type { Receiver } from '../../http/input.ts';
import type { FetchedSecret } from '../../platform/fetched-secret.ts';
import { addToLog } from '../../platform/log.ts';
import { asArgument, newId } from '../../platform/new-id.ts';
import type { DeployTarget } from '../../stored/generations.ts';
import type { ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import { afterEnd, type EndStores, releaseSlot } from '../after-end.ts';
import { asOf } from '../completeness.ts';
import type { Generation, GenerationEvent, WorkflowState } from '../generation.ts';
import type { GenerationStore } from '../generation-store.ts';
import type { GivenImage } from '../images/given-images.ts';
import { languageOf } from '../language.ts';
import { type ConfiguredProviders, type ProviderHealth, providerOrder } from '../provider-order.ts';
import { newSlot, type SlotLimits } from '../provider-store.ts';
import type { Parent } from './inputs.ts';

/** The dependencies of starting and canceling generations. */
export interface StartContext extends EndStores {
  readonly closures: Closures;
  readonly configured: ConfiguredProviders;
  readonly generations: GenerationStore;
  readonly files: Pick<ProjectFileStore, 'putBase' | 'putImage'>;
  /** Starts an execution, unless one of that name has been started. */
  readonly startExecution: (name: string, input: WorkflowState) => Promise<void>;
  readonly stopExecution: (name: string) => Promise<void>;
  /** How many generations run at the same time: of an address, of a key or token, and of all callers together. */
  readonly running: { readonly anonymous: number; readonly key: number; readonly service: number };
  /** Keys the ids that are derived from idempotency keys and from callers, so that nobody else can compute them. */
  readonly idSecret: FetchedSecret;
}

/** The caller of a request, its idempotency key, and the receiver to notify. */
export interface GenerationRequester {
  readonly caller: Pick<Caller, 'id' | 'credential' | 'budget'> | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly receiver?: Receiver | undefined;
}

/** The inputs of a request besides its body. */
export interface GenerationInputs {
  /** The project to change; undefined to start from nothing. */
  readonly parent?: Parent | undefined;
  /** The caller's images, which become files of the project. */
  readonly images?: readonly GivenImage[];
  /** Where to deploy the project; undefined if it is not to be deployed. */
  readonly deploy?: DeployTarget | undefined;
}

/**
 * Creates a generation, or joins the one that the caller made under the same idempotency key. One that failed or timed
 * out asked for a retry, so the same key replaces it: of several concurrent requests one does, and the others join. A
 * generation that is created takes a slot; a request that joins takes none.
 * @param inputs what the request comes with
 * @throws ApiError idempotency_mismatch when the key was used for a different request; rate_limited or busy without a
 *   slot; budget_spent when no budget pays for a provider
 */
export async function createGeneration(
  request: GenerateRequest,
  requester: GenerationRequester,
  context: StartContext,
  inputs: GenerationInputs = {},
): Promise<Generation> {
  const { generations, providerStore, clock, idSecret } = context;
  const now = clock();
  const id = await idFor(requester, idSecret);
  addToLog({ generation: id });
  const earlier = requester.idempotencyKey === undefined ? undefined : await generations.find(id);
  if (earlier && !isRetry(earlier, request, now)) return earlier;
  const providers = await payableProviders(requester.caller, context);
  // Attempts continue to count, so that nothing left of the earlier execution can write.
  const attempt = earlier ? earlier.attempt + 1 : 1;
  const execution = executionName(id, attempt);
  const wanted = newSlot(requester.caller?.id, execution, now, await idSecret());
  const { slot, health } = await providerStore.take(wanted, slotLimits(requester, context));
  try {
    const place = { id, attempt, execution, slot, now };
    const generation = await newGeneration(request, requester, context, inputs, { ...place, providers }, health);
    const isWritten = await (earlier ? generations.replace(earlier, generation) : generations.create(generation));
    if (isWritten) return generation;
  } catch (error) {
    await releaseSlot(id, slot, context);
    throw error;
  }
  // Another request with the same key was faster, and may have taken the same slot.
  const stored = await generations.get(id);
  if (stored.slot?.name !== slot.name) await releaseSlot(id, slot, context);
  isRetry(stored, request, now);
  return stored;
}

/**
 * Reports if a request starts a generation again that has failed.
 * @throws ApiError idempotency_mismatch if it differs from the request of that generation
 */
function isRetry(stored: Generation, request: GenerateRequest, now: number): boolean {
  if (stored.requestHash !== hashOf(request)) {
    const message = 'This Idempotency-Key was used for another request: send a new one';
    throw new ApiError('idempotency_mismatch', message);
  }
  const { status } = asOf(stored, now);
  return status === 'failed' || status === 'timed_out';
}

function hashOf(request: GenerateRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url');
}

/** Returns how many generations run at the same time. A fifth of those of the service are kept for keys and tokens. */
export function slotLimits(
  { caller }: Pick<GenerationRequester, 'caller'>,
  { running }: Pick<StartContext, 'running'>,
): SlotLimits {
  const { anonymous, key, service } = running;
  return caller?.credential ? { own: key, service } : { own: anonymous, service: service - Math.floor(service / 5) };
}

/** The identity of a new generation, and the providers that may serve it. */
type Place = Required<Pick<Generation, 'id' | 'attempt' | 'execution' | 'slot'>> & {
  readonly now: number;
  readonly providers: ConfiguredProviders;
};

/** Returns a generation that is to be written, and stores what it begins with. */
async function newGeneration(
  request: GenerateRequest,
  requester: GenerationRequester,
  context: StartContext,
  { parent, images = [], deploy }: GenerationInputs,
  { now, providers, ...place }: Place,
  health: ProviderHealth,
): Promise<Generation> {
  const { prompt, model, duration, from, locked } = request;
  const [provider, ...remaining] = providerOrder(model, providers, health, now, Math.random());
  if (!provider) throw new Error('No provider is configured');
  return {
    ...place,
    status: 'queued',
    prompt,
    model,
    duration,
    createdAt: now,
    from,
    locked,
    origin: parent?.origin,
    deploy,
    receiver: requester.receiver,
    base: parent && (await context.files.putBase(place.id, parent.files)),
    owner: requester.caller?.credential && requester.caller.id,
    budget: requester.caller?.budget,
    requestHash: hashOf(request),
    kind: 'write',
    provider,
    remaining,
    failedLately: health.failed,
    lately: health.lately,
    log: [{ type: 'queued', at: now }, ...(await storeImages(place.id, images, context))],
  };
}

/**
 * Starts the execution of a queued generation. Also called for a generation that was joined, because its creator may
 * have died before this: an execution starts once per name.
 */
export async function startExecution(
  { id, attempt, execution, status }: Generation,
  context: StartContext,
): Promise<void> {
  const { generations, startExecution, clock } = context;
  if (status !== 'queued') return;
  try {
    await startExecution(execution, { id, attempt, status: 'running' });
  } catch (error) {
    // The execution may have started although the response was lost: a running generation is left alone.
    const abandoned = await generations.abandon(id, attempt, clock());
    await afterEnd(abandoned, context);
    if (abandoned) throw error;
  }
}

/**
 * Cancels a generation. Its running attempt notices within a second; the execution is stopped.
 * @throws ApiError conflict when the generation has ended
 */
export async function cancelGeneration(generation: Generation, context: StartContext): Promise<Generation> {
  const { generations, stopExecution, clock } = context;
  const { id, status } = generation;
  if (status === 'canceled') return generation;
  const ended = await generations.cancel(id, clock());
  await afterEnd(ended, context);
  const canceled = ended ?? (await generations.get(id));
  if (canceled.status !== 'canceled') throw new ApiError('conflict', 'The generation has ended and cannot be canceled');
  // An execution that has to notify the receiver ends by itself, as soon as its attempt notices.
  if (!canceled.receiver) await stopExecution(canceled.execution);
  return canceled;
}

/** Stores images, and returns the entries of the log that make them files of the project. */
function storeImages(
  id: string,
  images: readonly GivenImage[],
  { files }: Pick<StartContext, 'files'>,
): Promise<GenerationEvent[]> {
  return Promise.all(
    images.map(async ({ path, content }) => ({
      type: 'file' as const,
      path,
      language: languageOf(path),
      bytes: content.length,
      // The output of models is counted in characters.
      characters: 0,
      key: await files.putImage(id, content),
      attempt: 0,
    })),
  );
}

/** Step Functions accepts a name once in 90 days, so a generation that starts again needs another one. */
const executionName = (id: string, attempt: number) => `${id}-${attempt}`;

/** The same id for each request with a caller's idempotency key, a random one without. */
async function idFor({ caller, idempotencyKey }: GenerationRequester, idSecret: FetchedSecret): Promise<string> {
  if (idempotencyKey === undefined) return newId();
  const digest = createHmac('sha256', await idSecret())
    .update(JSON.stringify(['generation', caller?.id, idempotencyKey]))
    .digest('base64url');
  return asArgument(digest.slice(0, 21));
}

type GeneratingCaller = Pick<Caller, 'id' | 'credential'> | undefined;

/**
 * Returns the providers that the budgets of a caller pay for: all, or the free ones if its budget or that of the
 * service is closed. Costs nothing on a stage whose providers are free.
 * @throws ApiError budget_spent if there is none
 */
async function payableProviders(
  caller: GeneratingCaller,
  { closures, configured, clock }: Pick<StartContext, 'closures' | 'configured' | 'clock'>,
): Promise<ConfiguredProviders> {
  const free = configured.names.filter((name) => configured.traits[name]?.isFree);
  if (free.length === configured.names.length) return configured;
  for (const scope of [payerOf(caller?.credential && caller.id), 'service']) {
    const until = await closures.closedUntil(`budget/${scope}`);
    if (until === undefined) continue;
    if (free.length === 0) throw budgetSpentError(spentText(scope, until), until, clock());
    return { ...configured, names: free };
  }
  return configured;
}

/** @throws ApiError unauthorized for a caller without a credential, unless the stage generates for those, too */
export function requireGenerator(caller: GeneratingCaller, anonymous: boolean): void {
  if (anonymous || caller?.credential) return;
  throw unauthorizedError(
    'This service generates for callers with an API key or an access token only: ask its operator for a key, and send it as Authorization: Bearer, or as X-API-Key',
  );
}
