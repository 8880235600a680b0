import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import * as z from 'zod';
import { authorize } from '../iam.ts';
import { FunctionError, KILLED, TooManyRequests } from '../lambda/environment.ts';
import type { Lambda } from '../lambda/lambda.ts';
import type { Credentials, Principals } from '../roles.ts';
import type { Stack } from '../template/stack.ts';
import { noLocalEffect } from '../template/template.ts';

const StateMachineProperties = z.strictObject({
  StateMachineName: z.string().optional(),
  StateMachineType: z.literal('STANDARD').default('STANDARD'),
  DefinitionString: z.string().transform((text) => JSON.parse(text) as StateMachineDefinition),
  RoleArn: z.string(),
  LoggingConfiguration: noLocalEffect,
  TracingConfiguration: noLocalEffect,
  Tags: noLocalEffect,
});

/** A state machine of the template. */
export interface Machine {
  readonly name: string;
  readonly definition: StateMachineDefinition;
  readonly machine: StateMachine;
  /** By name of the task. */
  readonly taskHandlers: TaskHandlers;
}

/** The events of an execution. */
export type Progress = ReturnType<StateMachine['run']>['eventLogs'];

type TaskHandlers = Readonly<Record<string, (input: unknown) => Promise<unknown>>>;

/** The output of `DescribeExecution`. Times are Unix seconds. */
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

/** Starts an execution of another state machine. */
export type Start = (
  stateMachineArn: string,
  name: string | undefined,
  input: string,
) => Pick<Execution, 'executionArn' | 'startDate'>;

/**
 * Returns the state machines of the template by ARN.
 * @param cacheDir folder that remembers which definitions are valid
 */
export function readStateMachines(
  stack: Stack,
  lambda: Lambda,
  principals: Principals,
  start: Start,
  cacheDir: string | undefined,
): ReadonlyMap<string, Machine> {
  const machines = stack.all('AWS::StepFunctions::StateMachine', StateMachineProperties);
  return new Map(
    machines.map(({ ref, logicalId, attribute, properties }) => {
      const definition = withTaskTimeouts(properties.DefinitionString);
      const machine = validMachine(definition, cacheDir);
      const role = principals.get(properties.RoleArn);
      const handlers = taskHandlers(definition, { lambda, start }, role, logicalId);
      return [ref, { name: attribute('Name'), definition, machine, taskHandlers: handlers }];
    }),
  );
}

/**
 * Returns a runnable machine. The library compiles its JSON schemas for each validation, which takes most of a start,
 * so a definition that was valid before is not validated again.
 * @throws Error that names what is invalid
 */
function validMachine(definition: StateMachineDefinition, cacheDir: string | undefined): StateMachine {
  const hash = createHash('sha256').update(JSON.stringify(definition)).digest('hex');
  const marker = cacheDir && join(cacheDir, `valid-${hash}`);
  const noValidate = marker !== undefined && existsSync(marker);
  const machine = new StateMachine(definition, { validationOptions: { checkArn: false, noValidate } });
  if (marker && !noValidate) {
    mkdirSync(join(marker, '..'), { recursive: true });
    writeFileSync(marker, '');
  }
  return machine;
}

/** Returns the machine starting at a state. The first call of a task there fails as if its environment was killed. */
export function interruptAt({ machine: _, taskHandlers, ...rest }: Machine, state: string): Machine {
  const definition = { ...rest.definition, StartAt: state };
  const machine = new StateMachine(definition, { validationOptions: { noValidate: true } });
  const handler = taskHandlers[state];
  if (handler === undefined) return { ...rest, machine, taskHandlers };
  let called = false;
  const failOnce = async (input: unknown) => {
    if (called) return handler(input);
    called = true;
    throw taskFailure(new FunctionError(KILLED));
  };
  return { ...rest, machine, taskHandlers: { ...taskHandlers, [state]: failOnce } };
}

const InvokeParameters = z.strictObject({ FunctionName: z.string(), Payload: z.unknown().optional() });

const StartParameters = z.strictObject({
  StateMachineArn: z.string(),
  Name: z.string().max(80).optional(),
  Input: z.unknown(),
});

/** Returns handlers for optimized integrations by task, with the permissions of the machine's role. */
function taskHandlers(
  definition: StateMachineDefinition,
  { lambda, start }: { readonly lambda: Lambda; readonly start: Start },
  credentials: Credentials,
  machine: string,
): TaskHandlers {
  const caller = { credentials, actions: { 'lambda:InvokeFunction': {} } };
  const invoke = async (input: unknown) => {
    const { FunctionName, Payload } = InvokeParameters.parse(input);
    try {
      const output = await lambda.invoke(FunctionName, Payload ?? {}, caller);
      return {
        ExecutedVersion: '$LATEST',
        StatusCode: 200,
        Payload: JSON.parse(output.toString()) as unknown,
      };
    } catch (error) {
      if (error instanceof FunctionError) throw taskFailure(error);
      if (error instanceof TooManyRequests)
        throw Object.assign(new Error(error.message), { name: `Lambda.${error.name}` });
      throw error;
    }
  };
  const startExecution = async (input: unknown) => {
    const { StateMachineArn, Name, Input } = StartParameters.parse(input);
    const { principal } = credentials;
    authorize({ principal, action: 'states:StartExecution', resource: StateMachineArn });
    const { executionArn, startDate } = start(StateMachineArn, Name, JSON.stringify(Input));
    return { ExecutionArn: executionArn, StartDate: startDate };
  };
  const integrations: TaskHandlers = {
    'arn:aws:states:::lambda:invoke': invoke,
    'arn:aws:states:::states:startExecution': startExecution,
  };
  return Object.fromEntries(
    tasks(definition).map(([name, { Resource }]) => {
      const integration = integrations[Resource];
      if (integration === undefined) {
        throw new Error(`The local cloud does not support ${Resource}, the resource of ${name} in ${machine}`);
      }
      return [name, limitPayloads(integration)];
    }),
  );
}

/** Returns an error whose type matches `ErrorEquals`, and whose JSON is the `Cause`. */
function taskFailure({ payload }: FunctionError): Error {
  return Object.assign(new Error(JSON.stringify(payload)), { name: payload.errorType });
}

/** Returns an integration that fails if its input, or what it returns, exceeds the limit of Step Functions. */
function limitPayloads(integration: (input: unknown) => Promise<unknown>) {
  return async (input: unknown) => {
    refuseTooMuch(input, 'input');
    const result = await integration(input);
    refuseTooMuch(result, 'result');
    return result;
  };
}

/** Lambda's limit, for tasks without a timeout; the library's default is a minute. */
const TASK_TIMEOUT_SECONDS = 900;

type State = StateMachineDefinition['States'][string];
type Task = Extract<State, { Type: 'Task' }>;

/** Returns all states, including those in Map and Parallel states. */
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

/** Returns the tasks with their names. */
function tasks(definition: StateMachineDefinition): [string, Task][] {
  return allStates(definition).filter((entry): entry is [string, Task] => entry[1].Type === 'Task');
}

/** Returns a copy in which every task has a timeout. @throws Error when the definition uses an unsupported feature */
function withTaskTimeouts(definition: StateMachineDefinition): StateMachineDefinition {
  refuseUnknownFeatures(definition);
  const copy = structuredClone(definition);
  for (const [, task] of tasks(copy)) {
    if (task.TimeoutSecondsPath === undefined) task.TimeoutSeconds ??= TASK_TIMEOUT_SECONDS;
  }
  return copy;
}

/** Rejects features that the library would silently ignore. */
function refuseUnknownFeatures(definition: StateMachineDefinition): void {
  // Input and StartTime would be wrong after a restart of the local cloud.
  const [field] = /\$\$\.(?:State|Execution\.(?:Input|StartTime))\b/.exec(JSON.stringify(definition)) ?? [];
  if (field) throw new Error(`The local cloud does not support ${field} in a state machine`);
  for (const [name, state] of [['the state machine', definition] as const, ...allStates(definition)]) {
    const fields = ['QueryLanguage', 'Assign', 'Output', 'Arguments', 'HeartbeatSeconds', 'Credentials'];
    const unknown = fields.find((field) => field in state && state[field as keyof typeof state] !== 'JSONPath');
    if (unknown) throw new Error(`The local cloud does not support ${unknown} of ${name}`);
  }
}

/**
 * The largest input or result of a state or an execution, in bytes of JSON as UTF-8.
 * https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
 */
export const DATA_LIMIT = 262_144;

/**
 * The error of a larger one: terminal, since neither a Retry nor a Catch of States.ALL applies to it.
 * https://docs.aws.amazon.com/step-functions/latest/dg/concepts-error-handling.html
 */
export const DATA_LIMIT_EXCEEDED = 'States.DataLimitExceeded';

export function exceeds(data: unknown): boolean {
  return sizeOf(data) > DATA_LIMIT;
}

/** @throws Error that ends the execution if the data exceeds the limit */
function refuseTooMuch(data: unknown, what: 'input' | 'result'): void {
  if (!exceeds(data)) return;
  const message = `The ${what} of the task has ${sizeOf(data)} bytes: at most ${DATA_LIMIT} are allowed`;
  throw Object.assign(new Error(message), {
    name: DATA_LIMIT_EXCEEDED,
    isCatchable: false,
    isRetryable: false,
  });
}

function sizeOf(data: unknown): number {
  return Buffer.byteLength(JSON.stringify(data) ?? '');
}
