import type { StateMachineDefinition } from 'aws-local-stepfunctions';

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
export function tasks(definition: StateMachineDefinition): [string, Task][] {
  return allStates(definition).filter((entry): entry is [string, Task] => entry[1].Type === 'Task');
}

/**
 * Returns a copy in which every task has a timeout.
 * @throws Error when the definition uses an unsupported feature
 */
export function withTaskTimeouts(definition: StateMachineDefinition): StateMachineDefinition {
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
    const unknown = fields.find(
      (field) => field in state && state[field as keyof typeof state] !== 'JSONPath',
    );
    if (unknown) throw new Error(`The local cloud does not support ${unknown} of ${name}`);
  }
}
