import type { GenerateResponse, GenerationStatus } from '../contract/responses/generate.ts';
import type { Delivery } from '../contract/responses/webhooks.ts';
import type { DeployOutcome } from '../stored/generations.ts';

import { hasProject } from '../stored/projects/stored-project.ts';
import { type Generation, isOver } from './generation.ts';

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

/** The state of a generation for the state machine. */
export function workflowState(generation: Generation): WorkflowState {
  const { id, attempt, status, waitSeconds = 0 } = generation;
  return {
    id,
    attempt,
    status: status === 'queued' ? 'running' : status,
    ...(status === 'running' && waitSeconds > 0 ? { waitSeconds } : {}),
    ...deliveryOf(generation),
  };
}

function deliveryOf(generation: Generation): Pick<WorkflowState, 'delivery'> {
  const { id, status, receiver, execution, finishedAt = generation.createdAt } = generation;
  if (!receiver || !isOver(generation)) return {};
  const type =
    `generation.${status as Exclude<GenerationStatus, 'queued' | 'running' | 'deploying'>}` as const;
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
