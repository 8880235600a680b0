import { randomUUID } from 'node:crypto';
import { ExecutionTimeoutError, StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import * as z from 'zod';
import { FunctionError } from './lambda/environment.ts';
import type { Lambda } from './lambda/lambda.ts';
import type { Credentials, Principals } from './roles.ts';
import { noLocalEffect } from './template/schema.ts';
import type { Stack } from './template/stack.ts';

const StateMachineProperties = z.strictObject({
  StateMachineName: z.string().optional(),
  StateMachineType: z.literal('STANDARD').default('STANDARD'),
  DefinitionString: z.string().transform((text) => JSON.parse(text) as StateMachineDefinition),
  RoleArn: z.string(),
  LoggingConfiguration: noLocalEffect,
  TracingConfiguration: noLocalEffect,
  Tags: noLocalEffect,
});

/** The largest input or result of a state, in bytes. */
const DATA_LIMIT = 262_144;

/** Lambda's own limit, for tasks whose state names none; the library's default would be a minute. */
const TASK_TIMEOUT_SECONDS = 900;

/** Executions that ended are remembered up to this number; the oldest go first. */
const MAX_EXECUTIONS = 1000;

/** What `DescribeExecution` tells. Times are Unix seconds. */
export interface Execution {
  readonly executionArn: string;
  readonly stateMachineArn: string;
  readonly name: string;
  readonly input: string;
  readonly startDate: number;
  readonly status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  readonly stopDate?: number;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

/** A refusal in Step Functions' words. */
export class StatesError extends Error {
  override readonly name:
    | 'ExecutionAlreadyExists'
    | 'ExecutionDoesNotExist'
    | 'StateMachineDoesNotExist'
    | 'InvalidExecutionInput';

  constructor(name: StatesError['name'], message: string) {
    super(message);
    this.name = name;
  }
}

interface Machine {
  readonly arn: string;
  readonly name: string;
  readonly machine: StateMachine;
  readonly taskHandlers: Record<string, (input: unknown) => Promise<unknown>>;
}

/**
 * The Step Functions service, Standard workflows. Executions live in memory: what ran when the local cloud stopped
 * is gone, and whoever waits for it goes by a deadline of his own.
 * @param onFailure told in one line why an execution did not succeed
 */
export class StepFunctions {
  private readonly machines: ReadonlyMap<string, Machine>;
  private readonly executions = new Map<string, { execution: Execution; abort: () => void }>();
  private readonly onFailure: (line: string) => void;

  constructor(stack: Stack, lambda: Lambda, principals: Principals, onFailure: (line: string) => void) {
    this.onFailure = onFailure;
    const machines = stack.all('AWS::StepFunctions::StateMachine', StateMachineProperties).map((resource) => {
      const { DefinitionString: definition, RoleArn } = resource.properties;
      return {
        arn: resource.ref,
        name: resource.attribute('Name'),
        machine: new StateMachine(withTaskTimeouts(definition), { validationOptions: { checkArn: false } }),
        taskHandlers: taskHandlers(definition, lambda, principals.get(RoleArn), resource.logicalId),
      };
    });
    this.machines = new Map(machines.map((machine) => [machine.arn, machine]));
  }

  /** https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html */
  start(stateMachineArn: string, name: string = randomUUID(), input = '{}'): Execution {
    const machine = this.machines.get(stateMachineArn);
    if (machine === undefined) {
      throw new StatesError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${stateMachineArn}'`);
    }
    const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
    const existing = this.executions.get(executionArn)?.execution;
    if (existing?.status === 'RUNNING' && existing.input === input) return existing;
    if (existing)
      throw new StatesError('ExecutionAlreadyExists', `Execution Already Exists: '${executionArn}'`);
    return this.run(machine, {
      executionArn,
      stateMachineArn,
      name,
      input,
      startDate: seconds(),
      status: 'RUNNING',
    });
  }

  describe(executionArn: string): Execution {
    return this.find(executionArn).execution;
  }

  /** Ends an execution as ABORTED; the answer of a task that still runs is dropped. */
  stop(executionArn: string, error?: string, cause?: string): number {
    const { execution, abort } = this.find(executionArn);
    if (execution.status === 'RUNNING') {
      this.end(executionArn, { status: 'ABORTED', ...(error && { error }), ...(cause && { cause }) });
      abort();
    }
    return this.describe(executionArn).stopDate ?? seconds();
  }

  private run({ machine, taskHandlers, name: machineName }: Machine, execution: Execution): Execution {
    const { executionArn, stateMachineArn, name } = execution;
    if (Buffer.byteLength(execution.input) > DATA_LIMIT) {
      throw new StatesError('InvalidExecutionInput', `The input is over ${DATA_LIMIT} bytes`);
    }
    const { result, abort } = machine.run(parseInput(execution.input), {
      overrides: { taskResourceLocalHandlers: taskHandlers as never },
      context: {
        Execution: { Id: executionArn, Name: name },
        StateMachine: { Id: stateMachineArn, Name: machineName },
      },
    });
    this.executions.set(executionArn, { execution, abort });
    this.forgetOldest();
    result.then(
      (output) => this.end(executionArn, { status: 'SUCCEEDED', output: JSON.stringify(output) }),
      (failure: Error) => this.end(executionArn, outcome(failure)),
    );
    return execution;
  }

  /** The first end counts: an execution that was stopped stays ABORTED. */
  private end(executionArn: string, result: Pick<Execution, 'status' | 'output' | 'error' | 'cause'>): void {
    const entry = this.executions.get(executionArn);
    if (entry?.execution.status !== 'RUNNING') return;
    this.executions.set(executionArn, {
      ...entry,
      execution: { ...entry.execution, ...result, stopDate: seconds() },
    });
    if (result.status !== 'SUCCEEDED') {
      this.onFailure(`${entry.execution.name} ${result.status} ${result.error ?? ''}`.trim());
    }
  }

  private find(executionArn: string): { execution: Execution; abort: () => void } {
    const entry = this.executions.get(executionArn);
    if (entry) return entry;
    throw new StatesError('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
  }

  private forgetOldest(): void {
    for (const [arn, { execution }] of this.executions) {
      if (this.executions.size <= MAX_EXECUTIONS) return;
      if (execution.status !== 'RUNNING') this.executions.delete(arn);
    }
  }
}

type State = StateMachineDefinition['States'][string];
type Task = Extract<State, { Type: 'Task' }>;

/** All states, those inside of Map and Parallel included. */
function allStates(definition: Pick<StateMachineDefinition, 'States'>): [string, State][] {
  return Object.entries(definition.States).flatMap(([name, state]) => {
    const inner = [
      ...('Branches' in state ? state.Branches : []),
      ...('Iterator' in state && state.Iterator ? [state.Iterator] : []),
      ...('ItemProcessor' in state && state.ItemProcessor ? [state.ItemProcessor] : []),
    ];
    return [[name, state] as [string, State], ...inner.flatMap(allStates)];
  });
}

function tasks(definition: StateMachineDefinition): [string, Task][] {
  return allStates(definition).filter((entry): entry is [string, Task] => entry[1].Type === 'Task');
}

function withTaskTimeouts(definition: StateMachineDefinition): StateMachineDefinition {
  refuseUnknownFeatures(definition);
  const copy = structuredClone(definition);
  for (const [, task] of tasks(copy)) {
    if (task.TimeoutSecondsPath === undefined) task.TimeoutSeconds ??= TASK_TIMEOUT_SECONDS;
  }
  return copy;
}

/** What the library would skip in silence. */
function refuseUnknownFeatures(definition: StateMachineDefinition): void {
  if (JSON.stringify(definition).includes('$$.State.')) {
    throw new Error('The local cloud does not know $$.State in a state machine.');
  }
  for (const [name, state] of [['the state machine', definition] as const, ...allStates(definition)]) {
    const fields = ['QueryLanguage', 'Assign', 'Output', 'Arguments', 'HeartbeatSeconds', 'Credentials'];
    const unknown = fields.find(
      (field) => field in state && state[field as keyof typeof state] !== 'JSONPath',
    );
    if (unknown) throw new Error(`The local cloud does not know ${unknown} of ${name}.`);
  }
}

const InvokeParameters = z.strictObject({ FunctionName: z.string(), Payload: z.unknown().optional() });

/** By task name: what the optimized integration `lambda:invoke` does, with the permissions of the machine's role. */
function taskHandlers(
  definition: StateMachineDefinition,
  lambda: Lambda,
  credentials: Credentials,
  machine: string,
): Machine['taskHandlers'] {
  const caller = { credentials, actions: { 'lambda:InvokeFunction': {} } };
  const invoke = async (input: unknown) => {
    const { FunctionName, Payload } = InvokeParameters.parse(input);
    try {
      const answer = await lambda.invoke(FunctionName, Payload ?? {}, caller);
      if (answer.length > DATA_LIMIT) throw dataLimitExceeded(answer.length);
      return {
        ExecutedVersion: '$LATEST',
        StatusCode: 200,
        Payload: JSON.parse(answer.toString()) as unknown,
      };
    } catch (error) {
      throw error instanceof FunctionError ? taskFailure(error) : error;
    }
  };
  return Object.fromEntries(
    tasks(definition).map(([name, { Resource }]) => {
      if (Resource !== 'arn:aws:states:::lambda:invoke') {
        throw new Error(`The local cloud does not know ${Resource}, the resource of ${name} in ${machine}.`);
      }
      return [name, invoke];
    }),
  );
}

/** `ErrorEquals` sees the error's type, `Cause` is the error as JSON. */
function taskFailure({ payload }: FunctionError): Error {
  return Object.assign(new Error(JSON.stringify(payload)), { name: payload.errorType });
}

/** A terminal error: not even States.ALL catches it. */
function dataLimitExceeded(bytes: number): Error {
  return Object.assign(new Error(`The task returned ${bytes} bytes, at most ${DATA_LIMIT} are taken.`), {
    name: 'States.DataLimitExceeded',
    isCatchable: false,
    isRetryable: false,
  });
}

function outcome(failure: Error): Pick<Execution, 'status' | 'error' | 'cause'> {
  if (failure instanceof ExecutionTimeoutError) return { status: 'TIMED_OUT', error: 'States.Timeout' };
  const cause = failure.cause instanceof Error ? failure.cause : failure;
  return { status: 'FAILED', error: cause.name, cause: cause.message };
}

function parseInput(input: string): never {
  try {
    return JSON.parse(input) as never;
  } catch {
    throw new StatesError('InvalidExecutionInput', 'Invalid State Machine Execution Input: not JSON');
  }
}

function seconds(): number {
  return Date.now() / 1000;
}
