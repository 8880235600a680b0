import { createHash, randomUUID } from 'node:crypto';
import { ExecutionTimeoutError } from 'aws-local-stepfunctions';
import { ApiError } from '../aws-http.ts';
import type { MetricName, Metrics } from '../cloudwatch/metrics.ts';
import type { Publish, ServiceEvent } from '../events/rules.ts';
import { JsonFolder } from '../json-folder.ts';
import type { Lambda } from '../lambda/lambda.ts';
import type { Principals } from '../roles.ts';
import type { Stack } from '../template/stack.ts';
import {
  DATA_LIMIT,
  DATA_LIMIT_EXCEEDED,
  type Execution,
  exceeds,
  interruptAt,
  type Machine,
  type Progress,
  readStateMachines,
  type Start,
} from './state-machine.ts';

/** Beyond this number of executions, the oldest ended ones are deleted. */
const MAX_EXECUTIONS = 1000;

interface StepFunctionsSettings {
  /** Absolute path of the folder of checkpoints. */
  readonly folder: string;
  /** Receives a line for each execution that does not succeed or cannot be resumed. */
  readonly log: (line: string) => void;
  /** Receives each change of the status of an execution. */
  readonly publish: Publish;
  readonly metrics?: Metrics | undefined;
  /** Absolute path of the folder that remembers which definitions are valid. */
  readonly cacheDir?: string | undefined;
}

/** A running execution and the last state that it entered. */
interface Checkpoint {
  readonly execution: Execution;
  readonly state: string;
  /** The raw input of the state. */
  readonly input: unknown;
}

/**
 * The Step Functions service, for Standard workflows. Running executions have a checkpoint in the state folder, from
 * which the next start of the local cloud resumes them. Ended executions do not survive a restart.
 */
export class StepFunctions {
  private readonly machines: ReadonlyMap<string, Machine>;
  private readonly executions = new Map<string, { execution: Execution; abort: () => void }>();
  /** The checkpoints of running executions. */
  private readonly store: JsonFolder<Checkpoint>;
  private readonly log: (line: string) => void;
  private readonly publish: Publish;
  private readonly metrics: Metrics | undefined;
  private closed = false;

  constructor(
    stack: Stack,
    lambda: Lambda,
    principals: Principals,
    { folder, log, publish, metrics, cacheDir }: StepFunctionsSettings,
  ) {
    this.metrics = metrics;
    this.store = new JsonFolder(folder);
    this.log = log;
    this.publish = publish;
    const startOther: Start = (...start) => this.start(...start);
    this.machines = readStateMachines(stack, lambda, principals, startOther, cacheDir);
  }

  /**
   * Resumes the executions that ran when the local cloud ended, each in its last state. If that is a task, the task
   * fails, since its invocation died with the local cloud.
   */
  resume(): void {
    const checkpoints = this.store.all();
    for (const checkpoint of checkpoints.toSorted((a, b) => a.execution.startDate - b.execution.startDate)) {
      const { execution, state } = checkpoint;
      const machine = this.machines.get(execution.stateMachineArn);
      if (machine && Object.hasOwn(machine.definition.States, state)) {
        this.log(`${execution.name} resumes at ${state}, which was interrupted`);
        this.run(interruptAt(machine, state), checkpoint);
      } else {
        this.log(`${execution.name} cannot be resumed: ${execution.stateMachineArn} has no state ${state}`);
        this.executions.set(execution.executionArn, { execution, abort: () => {} });
        this.end(execution.executionArn, { status: 'ABORTED' });
      }
    }
  }

  /** Stops all executions. The next start resumes them. */
  close(): void {
    this.closed = true;
    for (const { abort } of this.executions.values()) abort();
  }

  /** https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html */
  start(stateMachineArn: string, name: string = randomUUID(), input = '{}'): Execution {
    const machine = this.machines.get(stateMachineArn);
    if (machine === undefined) {
      throw new ApiError(400, 'StateMachineDoesNotExist', `State Machine Does Not Exist: '${stateMachineArn}'`);
    }
    const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
    const existing = this.executions.get(executionArn)?.execution;
    if (existing?.status === 'RUNNING' && existing.input === input) return existing;
    if (existing) throw new ApiError(400, 'ExecutionAlreadyExists', `Execution Already Exists: '${executionArn}'`);
    if (Buffer.byteLength(input) > DATA_LIMIT) {
      throw new ApiError(400, 'InvalidExecutionInput', `The input exceeds ${DATA_LIMIT} bytes`);
    }
    const state = machine.definition.StartAt;
    const startDate = seconds();
    const execution = { executionArn, stateMachineArn, name, input, startDate, status: 'RUNNING' } as const;
    this.run(machine, { execution, state, input: parseInput(input) });
    this.publish(statusChange(execution));
    return execution;
  }

  describe(executionArn: string): Execution {
    return this.find(executionArn).execution;
  }

  /** Ends an execution as ABORTED. The result of a running task is discarded. */
  stop(executionArn: string, error?: string, cause?: string): number {
    const { execution, abort } = this.find(executionArn);
    if (execution.status === 'RUNNING') {
      this.end(executionArn, { status: 'ABORTED', ...(error && { error }), ...(cause && { cause }) });
      abort();
    }
    return this.describe(executionArn).stopDate ?? seconds();
  }

  /** Runs a machine from its first state, which is the state of the checkpoint. */
  private run(machine: Machine, checkpoint: Checkpoint): void {
    const { execution, input } = checkpoint;
    const { executionArn, stateMachineArn, name } = execution;
    this.store.save(fileNameOf(execution), checkpoint);
    const { result, abort, eventLogs } = machine.machine.run(input as never, {
      overrides: { taskResourceLocalHandlers: machine.taskHandlers as never },
      context: {
        Execution: { Id: executionArn, Name: name },
        StateMachine: { Id: stateMachineArn, Name: machine.name },
      },
    });
    this.executions.set(executionArn, { execution, abort });
    this.forgetOldest();
    this.saveProgress(execution, machine, eventLogs).catch((error: Error) =>
      this.log(`${name} cannot be resumed from here: ${error.message}`),
    );
    result.then(
      (output) => {
        if (exceeds(output)) this.end(executionArn, TOO_MUCH_DATA);
        else this.end(executionArn, { status: 'SUCCEEDED', output: JSON.stringify(output) });
      },
      (failure: Error) => this.end(executionArn, outcome(failure)),
    );
  }

  /** Saves each state that the execution enters, except states in a Map or Parallel state. */
  private async saveProgress(execution: Execution, { definition }: Machine, events: Progress): Promise<void> {
    for await (const event of events) {
      if (event.type !== 'StateEntered' || !Object.hasOwn(definition.States, event.state.name)) continue;
      const entry = this.executions.get(execution.executionArn);
      if (this.closed || entry?.execution !== execution) return;
      if (exceeds(event.state.input)) {
        this.end(execution.executionArn, TOO_MUCH_DATA);
        return entry.abort();
      }
      this.store.save(fileNameOf(execution), {
        execution,
        state: event.state.name,
        input: event.state.input,
      });
    }
  }

  /** Ends an execution, unless it has ended before: a stopped execution stays ABORTED. */
  private end(executionArn: string, result: Pick<Execution, 'status' | 'output' | 'error' | 'cause'>): void {
    const entry = this.executions.get(executionArn);
    if (this.closed || entry?.execution.status !== 'RUNNING') return;
    const execution = { ...entry.execution, ...result, stopDate: seconds() };
    this.executions.set(executionArn, { ...entry, execution });
    // First, so that a crash in between sends the event twice instead of never.
    this.publish(statusChange(execution));
    this.store.delete(fileNameOf(execution));
    if (result.status !== 'SUCCEEDED') {
      this.metrics?.put(endMetric(execution), 1);
      this.log(`${entry.execution.name} ${result.status} ${result.error ?? ''}`.trim());
    }
  }

  private find(executionArn: string): { execution: Execution; abort: () => void } {
    const entry = this.executions.get(executionArn);
    if (entry) return entry;
    throw new ApiError(400, 'ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
  }

  private forgetOldest(): void {
    for (const [arn, { execution }] of this.executions) {
      if (this.executions.size <= MAX_EXECUTIONS) return;
      if (execution.status !== 'RUNNING') this.executions.delete(arn);
    }
  }
}

/** The end of an execution one of whose states passes on too much. */
const TOO_MUCH_DATA = {
  status: 'FAILED',
  error: DATA_LIMIT_EXCEEDED,
  cause: `The state returned a result with a size exceeding the maximum number of bytes, ${DATA_LIMIT}`,
} as const;

function outcome(failure: Error): Pick<Execution, 'status' | 'error' | 'cause'> {
  if (failure instanceof ExecutionTimeoutError) return { status: 'TIMED_OUT', error: 'States.Timeout' };
  const cause = failure.cause instanceof Error ? failure.cause : failure;
  return { status: 'FAILED', error: cause.name, cause: cause.message };
}

const END_METRICS = { FAILED: 'ExecutionsFailed', TIMED_OUT: 'ExecutionsTimedOut' } as const;

/** https://docs.aws.amazon.com/step-functions/latest/dg/procedure-cw-metrics.html */
function endMetric({ status, stateMachineArn: StateMachineArn }: Execution): MetricName {
  const name = status === 'FAILED' || status === 'TIMED_OUT' ? END_METRICS[status] : 'ExecutionsAborted';
  return { namespace: 'AWS/States', name, dimensions: { StateMachineArn } };
}

function parseInput(input: string): never {
  try {
    return JSON.parse(input) as never;
  } catch {
    throw new ApiError(400, 'InvalidExecutionInput', 'Invalid State Machine Execution Input: not JSON');
  }
}

function seconds(): number {
  return Date.now() / 1000;
}

/** Together, input and output of an event have at most so many bytes; beyond it, the event has neither. */
const MOST_BYTES = 248 * 1024;

/**
 * Returns the event that Step Functions sends when the status of an execution of a Standard workflow changes.
 * https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html
 */
function statusChange(execution: Execution): ServiceEvent {
  const { executionArn, stateMachineArn, name, status, input, output, error, cause } = execution;
  const bytes = Buffer.byteLength(JSON.stringify([input, output ?? '']));
  const included = bytes <= MOST_BYTES;
  return {
    source: 'aws.states',
    'detail-type': 'Step Functions Execution Status Change',
    resources: [executionArn],
    detail: {
      executionArn,
      stateMachineArn,
      name,
      status,
      startDate: milliseconds(execution.startDate),
      stopDate: execution.stopDate === undefined ? null : milliseconds(execution.stopDate),
      input: included ? input : null,
      inputDetails: { included },
      output: included ? (output ?? null) : null,
      outputDetails: output === undefined ? null : { included },
      error: error ?? null,
      cause: cause ?? null,
    },
  };
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** Returns the name of an execution's file: a hash, because execution names are case-sensitive and file names may not be. */
function fileNameOf({ executionArn }: Pick<Execution, 'executionArn'>): string {
  return createHash('sha256').update(executionArn).digest('hex');
}
