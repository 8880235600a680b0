import { createHash, createHmac } from 'node:crypto';
import { nanoid } from 'nanoid';
import type { Caller } from '../../access/callers.ts';
import { ApiError } from '../../contract/errors.ts';
import { type GenerateRequest, PROVIDER_NAMES, type ProviderName } from '../../contract/generate.ts';
import type { Receiver } from '../../http/webhook.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FetchedSecret } from '../../platform/fetched-secret.ts';
import type { DeployTarget } from '../../stored/deploy-target.ts';
import type { ProjectFileStore } from '../../stored/project-file-store.ts';
import { asOf } from '../completeness.ts';
import type { CooldownStore } from '../cooldown-store.ts';
import type { Parent } from '../edits/parent.ts';
import type { Generation, GenerationEvent } from '../generation.ts';
import type { GenerationStore } from '../generation-store.ts';
import type { GivenImage } from '../images/given-images.ts';
import { languageOf } from '../language.ts';
import { recordIfOver, type UsageRecorder } from '../record-usage.ts';
import type { WorkflowState } from '../workflow.ts';

export interface StartPorts {
  readonly generations: GenerationStore;
  readonly cooldowns: CooldownStore;
  readonly usage: UsageRecorder;
  readonly files: Pick<ProjectFileStore, 'putBase' | 'putImage'>;
  /** Starts an execution, unless one of that name has been started. */
  readonly startExecution: (name: string, input: WorkflowState) => Promise<void>;
  readonly stopExecution: (name: string) => Promise<void>;
  /** The providers that the stage has. */
  readonly configured: readonly ProviderName[];
  /** Keys the ids that are derived from idempotency keys, so that no other caller can compute them. */
  readonly idSecret: FetchedSecret;
  readonly clock: Clock;
}

/** The caller of a request, its idempotency key, and the receiver to notify. */
export interface GenerationRequester {
  readonly caller: Pick<Caller, 'id' | 'credential'> | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly receiver?: Receiver | undefined;
}

/** What a request comes with, besides its body. */
export interface GenerationInputs {
  /** The project to change; undefined to start from nothing. */
  readonly parent?: Parent | undefined;
  /** The caller's images, which become files of the project. */
  readonly images?: readonly GivenImage[];
  /** Where to deploy the project; undefined if it is not to be deployed. */
  readonly deploy?: DeployTarget | undefined;
}

/**
 * Creates a generation, or joins the one that the caller made under the same idempotency key. One that failed or timed out
 * asked for a retry, so the same key replaces it: of several concurrent requests one does, and the others join.
 * @param inputs what the request comes with
 * @throws ApiError idempotency_mismatch when the key was used for a different request
 */
export async function createGeneration(
  request: GenerateRequest,
  requester: GenerationRequester,
  ports: StartPorts,
  { parent, images = [], deploy }: GenerationInputs = {},
): Promise<Generation> {
  const { generations, cooldowns, clock, configured, idSecret } = ports;
  const { prompt, model, duration, from, locked } = request;
  const { failed, cooling, paces } = await cooldowns.current();
  const [provider, ...remaining] = providerOrder(model, configured, cooling);
  if (!provider) throw new Error('No provider is configured');
  const now = clock();
  const id = await idFor(requester, idSecret);
  const generation: Generation = {
    id,
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
    base: parent && (await ports.files.putBase(id, parent.files)),
    owner: requester.caller?.credential && requester.caller.id,
    requestHash: createHash('sha256').update(JSON.stringify(request)).digest('base64url'),
    attempt: 1,
    execution: executionName(id, 1),
    kind: 'write',
    provider,
    remaining,
    failedLately: failed,
    paces,
    log: [{ type: 'queued', at: now }, ...(await storeImages(id, images, ports))],
  };
  if (await generations.create(generation)) return generation;
  const stored = await generations.get(id);
  if (stored.requestHash !== generation.requestHash) {
    const message = 'This Idempotency-Key was used for another request: send a new one';
    throw new ApiError('idempotency_mismatch', message);
  }
  const { status } = asOf(stored, now);
  if (status !== 'failed' && status !== 'timed_out') return stored;
  // Attempts continue to count, so that nothing left of the earlier execution can write.
  const attempt = stored.attempt + 1;
  const restarted = { ...generation, attempt, execution: executionName(id, attempt) };
  return (await generations.replace(stored, restarted)) ? restarted : generations.get(id);
}

/**
 * Starts the execution of a queued generation. Also called for a generation that was joined, because its creator may have died
 * before this: an execution starts once per name.
 */
export async function startExecution(
  { id, attempt, execution, status }: Generation,
  { generations, usage, startExecution, clock }: StartPorts,
): Promise<void> {
  if (status !== 'queued') return;
  try {
    await startExecution(execution, { id, attempt, status: 'running' });
  } catch (error) {
    // The execution may have started although the response was lost: a running generation is left alone.
    const abandoned = await generations.abandon(id, attempt, clock());
    await recordIfOver(abandoned, usage);
    if (abandoned) throw error;
  }
}

/**
 * Cancels a generation. Its running attempt notices within a second; the execution is stopped.
 * @throws ApiError conflict when the generation has ended
 */
export async function cancelGeneration(
  generation: Generation,
  { generations, usage, stopExecution, clock }: StartPorts,
): Promise<Generation> {
  const { id, status } = generation;
  if (status === 'canceled') return generation;
  const ended = await generations.cancel(id, clock());
  await recordIfOver(ended, usage);
  const canceled = ended ?? (await generations.get(id));
  if (canceled.status !== 'canceled')
    throw new ApiError('conflict', 'The generation has ended and cannot be canceled');
  // An execution that has to notify the receiver ends by itself, as soon as its attempt notices.
  if (!canceled.receiver) await stopExecution(canceled.execution);
  return canceled;
}

/**
 * Returns the requested provider first, if the stage has it, then the others in the order of their names. For `auto`, those
 * that are cooling down come last.
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

/** Stores images, and returns the entries of the log that make them files of the project. */
function storeImages(
  id: string,
  images: readonly GivenImage[],
  { files }: Pick<StartPorts, 'files'>,
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
async function idFor(
  { caller, idempotencyKey }: GenerationRequester,
  idSecret: FetchedSecret,
): Promise<string> {
  if (idempotencyKey === undefined) return nanoid();
  const digest = createHmac('sha256', await idSecret())
    .update(JSON.stringify(['generation', caller?.id, idempotencyKey]))
    .digest('base64url');
  return digest.slice(0, 21);
}
