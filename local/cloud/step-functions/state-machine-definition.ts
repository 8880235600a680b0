import type { StateMachineDefinition } from 'aws-local-stepfunctions';

/** Lambda's own limit, for tasks whose state names none; the library's default would be a minute. */
const TASK_TIMEOUT_SECONDS = 900;

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

/** The tasks, by name. */
export function tasks(definition: StateMachineDefinition): [string, Task][] {
  return allStates(definition).filter((entry): entry is [string, Task] => entry[1].Type === 'Task');
}

/**
 * A copy in which every task has a timeout.
 * @throws Error when the definition uses a feature that the local cloud does not know
 */
export function withTaskTimeouts(definition: StateMachineDefinition): StateMachineDefinition {
  refuseUnknownFeatures(definition);
  const copy = structuredClone(definition);
  for (const [, task] of tasks(copy)) {
    if (task.TimeoutSecondsPath === undefined) task.TimeoutSeconds ??= TASK_TIMEOUT_SECONDS;
  }
  return copy;
}

/** What the library would skip in silence. */
function refuseUnknownFeatures(definition: StateMachineDefinition): void {
  // Input and StartTime would be those of the last start of the local cloud.
  const [field] = /\$\$\.(?:State|Execution\.(?:Input|StartTime))\b/.exec(JSON.stringify(definition)) ?? [];
  if (field) throw new Error(`The local cloud does not know ${field} in a state machine.`);
  for (const [name, state] of [['the state machine', definition] as const, ...allStates(definition)]) {
    const fields = ['QueryLanguage', 'Assign', 'Output', 'Arguments', 'HeartbeatSeconds', 'Credentials'];
    const unknown = fields.find(
      (field) => field in state && state[field as keyof typeof state] !== 'JSONPath',
    );
    if (unknown) throw new Error(`The local cloud does not know ${unknown} of ${name}.`);
  }
}
