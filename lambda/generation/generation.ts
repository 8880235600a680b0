import type { Budget } from '../access/budgets.ts';
import type { Duration, GenerateRequest, OriginalRequest, ProviderName } from '../contract/generate.ts';
import type { LookProblem, LookWidth } from '../contract/looks.ts';
import type {
  AttemptKind,
  AttemptOutcome,
  AttemptResource,
  GenerateResponse,
  GenerationResource,
  GenerationStatus,
} from '../contract/responses/generate.ts';
import type { LookResource } from '../contract/responses/looks.ts';
import type { Delivery } from '../contract/responses/webhooks.ts';
import type { Receiver } from '../http/input.ts';
import type { DeployOutcome, StoredGeneration } from '../stored/generations.ts';
import {
  hasProject,
  type Plan,
  type ProjectEvent,
  type ProjectStatus,
  type UnfinishedFile,
} from '../stored/projects/stored-project.ts';

/**
 * One request for a project, from prompt to end. Its id exists before any work starts, and its item in the table is the
 * source of truth: `queued → running → succeeded | incomplete | failed | timed_out | canceled`, with `deploying` before
 * `succeeded` if it is to be deployed. Times are Unix milliseconds.
 */
export interface Generation extends StoredGeneration {
  readonly prompt: string;
  readonly model: GenerateRequest['model'];
  readonly duration: Duration;
  readonly createdAt: number;
  /** Receives a notification of the end. */
  readonly receiver?: Receiver | undefined;
  /** The generation or deployment whose project this one changes. */
  readonly from?: string | undefined;
  /** The request that first generated the project to change. */
  readonly origin?: OriginalRequest | undefined;
  /** Patterns of paths that must not change. */
  readonly locked?: readonly string[] | undefined;
  /** The daily budget (UTC) of the owner's key, if it has one. */
  readonly budget?: Budget | undefined;
  /** Digest of the request, to recognize a different request under the same idempotency key. */
  readonly requestHash: string;
  /**
   * Number of the attempt that runs or comes next, from 1; of several that one invocation makes, the first. It only
   * increases, and every write names it, so a write of an earlier invocation fails its condition.
   */
  readonly attempt: number;
  /** Name of the Step Functions execution. */
  readonly execution: string;
  /** Kind and provider of the attempt that runs or comes next. */
  readonly kind: AttemptKind;
  readonly provider: ProviderName;
  /** Providers to try when this one fails, in order. */
  readonly remaining: readonly ProviderName[];
  /** Seconds to wait before the next attempt; absent in an item of an earlier version. */
  readonly waitSeconds?: number;
  /** Providers that had failed and not yet succeeded again when the generation was created. */
  readonly failedLately: readonly ProviderName[];
  /** The averages of the providers when the generation was created. */
  readonly lately?: Lately;
  /** Its place among the running generations, which is freed at its end; absent in an item of an earlier version. */
  readonly slot?: Slot;
  /** The files that are being written, as of the last write of the item that mentions them. */
  readonly writing?: readonly FileInProgress[];
  /** The Lambda invocation that owns the running attempt; no other invocation may write. */
  readonly invocationId?: string;
  /** Everything that happened, in order. An event's index plus one is its id in the event stream. */
  readonly log: readonly GenerationEvent[];
  readonly finishedAt?: number;
  /** The defects of a delivered project, one sentence each. */
  readonly problems?: readonly string[];
  /** Absent until the deploy is over, and if there is none. */
  readonly deployed?: DeployOutcome | undefined;
}

export type GenerationEvent =
  | { readonly type: 'queued'; readonly at: number }
  | ({ readonly type: 'attempt' } & Attempt)
  | ({ readonly type: 'plan' } & Partial<Plan> & Pick<Plan, 'files'>)
  | ({ readonly type: 'look' } & LookEntry)
  | ProjectEvent;

/** A browser's look at the project after an attempt: logged when it starts, and again with its result. */
export interface LookEntry extends Readonly<Pick<LookResource, 'state' | 'reason'>> {
  readonly attempt: number;
  readonly problems?: readonly LookProblem[] | undefined;
  /** The widths of which there is a picture. */
  readonly widths?: readonly LookWidth[] | undefined;
}

/** The place of a running generation among those of its caller and of the service. */
export interface Slot {
  /** The attribute with the slots of the caller. An address is not stored: its holder is an HMAC. */
  readonly holder: `caller#${string}`;
  /** `<execution>@<createdAt>`. */
  readonly name: string;
}

/** A file that an attempt is writing. */
export type FileInProgress = Readonly<NonNullable<GenerationResource['writing']>[number]>;

/** An unfinished file, whose lines are an object in S3. */
export type StoredUnfinished = Pick<UnfinishedFile, 'path' | 'edits'> & {
  readonly key: string;
  readonly attempt: number;
};

/** One call of one provider: logged when it starts, and again with its outcome when it ends. */
export interface Attempt extends Readonly<Omit<AttemptResource, 'cost'>> {
  readonly attempt: number;
  /** Of `usage`, in whole micro-dollars; undefined if the price is not known. */
  readonly cost?: number | undefined;
  readonly measured?: Measured | undefined;
  /** The kind of the starter that the provider chose, null if none fits the prompt. */
  readonly matched?: string | null | undefined;
  /** Changes of an existing project that were not made: the reason by path, as a predicate. */
  readonly rejected?: Readonly<Record<string, string>> | undefined;
  /** Why the project does not build after it, one sentence each; undefined if it was not built. */
  readonly unbuilt?: readonly string[] | undefined;
  /** The file in which the answer ended. */
  readonly unfinished?: StoredUnfinished | undefined;
  /** Seconds that an overloaded provider asked to wait, or until a budget may have room. */
  readonly retryAfterSeconds?: number | undefined;
  /** The provider rejected the request itself, such as one that is too large for the model. */
  readonly isUnacceptable?: true | undefined;
}

/** Measurements of an attempt while its answer arrives. */
export interface Measured {
  /** Milliseconds from the call to the first text. */
  readonly firstTokenMs?: number | undefined;
  /** Milliseconds from the call to the first complete file. */
  readonly firstFileMs?: number | undefined;
  /** Characters per second. */
  readonly pace?: number | undefined;
}

/** A provider in one generation, or its averages over the last ones. */
export interface Sample extends Measured {
  /** Micro-dollars of all attempts in a generation. */
  readonly cost?: number | undefined;
  /** Share of the attempts that failed, from 0 to 1. */
  readonly failures: number;
}

/** Decaying averages of a provider: the last five generations are about two thirds of them. */
export interface Averages extends Sample {
  /** Unix milliseconds of the last sample. */
  readonly at: number;
}

/** The averages of the providers that have been called. */
export type Lately = Partial<Record<ProviderName, Averages>>;

/** The sequel of one or several attempts: another attempt, or the end of the generation. */
export type NextAttempt =
  | {
      readonly status: 'running';
      readonly kind: AttemptKind;
      readonly provider: ProviderName;
      readonly remaining: readonly ProviderName[];
      readonly waitSeconds: number;
    }
  | {
      readonly status: ProjectStatus | 'deploying' | 'failed' | 'timed_out';
      /** Why the project is not deployed although the request asked for it. */
      readonly deployed?: DeployOutcome;
    };

export function isOver({ status }: Pick<Generation, 'status'>): boolean {
  return status !== 'queued' && status !== 'running' && status !== 'deploying';
}

/** Error names shared by the code that throws them and the state machine that catches them. */
export const WORKFLOW_ERRORS = {
  /** An attempt gave up on its provider at one of its own deadlines. */
  providerTimedOut: 'ProviderTimedOut',
  /** An attempt ended without a file. */
  providerFailed: 'ProviderFailed',
  /** The execution ends with one of these when no provider is left. */
  allProvidersFailed: 'AllProvidersFailed',
  generationTimedOut: 'GenerationTimedOut',
} as const;

/** The state of an execution: which attempt of which generation. Everything else is on the generation's item. */
export interface WorkflowState {
  readonly id: string;
  readonly attempt: number;
  /** `running` goes on with the attempt, `deploying` with the deploy. */
  readonly status: Exclude<GenerationStatus, 'queued'>;
  /** Seconds until the next attempt, if a provider asked to wait. */
  readonly waitSeconds?: number;
  /** The generation failed, and its prompt may be the reason: anyone can send such prompts, so none of them is an alarm. */
  readonly causedByPrompt?: true;
  /** The notification of the end, if a receiver is to be notified. */
  readonly delivery?: Delivery;
}

/** The state after the deploy, unless that failed without an outcome. */
export interface DeployedState extends WorkflowState {
  readonly deployed?: DeployOutcome;
}

/** An attempt whose error the state machine caught. */
export interface FailedAttempt extends WorkflowState {
  readonly outcome: 'failed' | 'timed_out';
}

export function workflowState(generation: Generation): WorkflowState {
  const { id, attempt, status, waitSeconds = 0 } = generation;
  return {
    id,
    attempt,
    status: status === 'queued' ? 'running' : status,
    ...(status === 'running' && waitSeconds > 0 ? { waitSeconds } : {}),
    ...(hasFailed(generation) && !isOutage(generation) ? { causedByPrompt: true } : {}),
    ...deliveryOf(generation),
  };
}

/** Reports if a generation ended without a project, and not because its caller canceled it. */
export function hasFailed({ status }: Pick<Generation, 'status'>): boolean {
  return status === 'failed' || status === 'timed_out';
}

/** The outcomes that no prompt causes. A prompt can make models refuse, reason until the time is over, and write nothing usable. */
const FAULTS: ReadonlySet<AttemptOutcome> = new Set(['overloaded', 'credentials', 'silent', 'failed', 'interrupted']);

/** Reports if each attempt of a generation failed for a reason of the provider or the service: any other prompt fails as well. */
export function isOutage({ log }: Pick<Generation, 'log'>): boolean {
  return log.every((event) => event.type !== 'attempt' || event.outcome === undefined || isFault(event.outcome, event));
}

/** A request that a provider does not accept may be one that is too large. */
function isFault(outcome: AttemptOutcome, { isUnacceptable }: Attempt): boolean {
  return FAULTS.has(outcome) && !isUnacceptable;
}

function deliveryOf(generation: Generation): Pick<WorkflowState, 'delivery'> {
  const { id, status, receiver, execution, finishedAt = generation.createdAt } = generation;
  if (!receiver || !isOver(generation)) return {};
  const type = `generation.${status as Exclude<GenerationStatus, 'queued' | 'running' | 'deploying'>}` as const;
  const timestamp = new Date(finishedAt).toISOString();
  const data = { id, status, url: `/api/v1/generations/${id}`, ...deploymentFields(generation) };
  return { delivery: { id: `generation-${execution}`, ...receiver, event: { type, timestamp, data } } };
}

const NOT_COMPLETE =
  'The project is incomplete, so it was not deployed: change it with from, or deploy it as it is with its generationId';
/** The error of a deploy whose execution ended before it. */
export const DEPLOY_INTERRUPTED = 'The deploy was interrupted: deploy the project with its generationId';

/** Returns what became of the deploy that the request asked for. */
export function deploymentFields({
  deploy,
  deployed,
  status,
}: Generation): Pick<GenerateResponse, 'deployment' | 'deploymentError'> {
  if (deploy === undefined || !hasProject({ status })) return {};
  if (deployed === undefined) {
    const error = status === 'incomplete' ? NOT_COMPLETE : DEPLOY_INTERRUPTED;
    return { deploymentError: { status: status === 'incomplete' ? 409 : 502, error } };
  }
  if (!('response' in deployed)) return { deploymentError: deployed };
  const { response, failure, endsAt } = deployed;
  if (failure === undefined)
    return { deployment: endsAt === undefined ? response : { ...response, expiresAt: endsAt } };
  const error = `The project is deployed at ${response.url}, but the page ${failure}`;
  return { deploymentError: { status: 502, error } };
}
