import { lossOf } from './stateful.ts';

/** A change of a resource in a CloudFormation change set. */
export interface Change {
  readonly action: string;
  /** The logical id. */
  readonly id: string;
  readonly type: string;
  /** The name or id in the account; undefined before it exists. */
  readonly physicalId?: string | undefined;
  readonly replacement?: string | undefined;
  /** The policy for the resource: `Delete`, `Retain`, `ReplaceAndDelete`, … */
  readonly policy?: string | undefined;
  /** The properties that change. */
  readonly causes: readonly string[];
}

/** The changes that a deployment asks about before it executes a change set. */
export interface Questions {
  /** Removed or replaced resources without data: one question for all, which `--yes` answers. */
  readonly replaceable: readonly Change[];
  /** Removed or replaced stateful resources: the operator types the name of each. */
  readonly lossy: readonly Change[];
}

/** Every deployment replaces these resources, and nothing uses the old ones. */
const ROUTINE = ['AWS::Lambda::Version', 'AWS::Lambda::LayerVersion', 'AWS::ApiGateway::Deployment'];

/**
 * Returns the changes to ask about.
 * @param lost logical ids of resources that the operator allows to lose
 */
export function questionsOf(changes: readonly Change[], lost: readonly string[] = []): Questions {
  const ending = changes.filter(ends);
  return {
    replaceable: ending.filter(({ type }) => lossOf(type) === undefined && !ROUTINE.includes(type)),
    lossy: ending.filter(({ type, id }) => lossOf(type) !== undefined && !lost.includes(id)),
  };
}

/** Reports whether a change removes or replaces a resource, or may: CloudFormation decides `Conditional` during the update. */
function ends({ action, replacement }: Change): boolean {
  return action === 'Remove' || replacement === 'True' || replacement === 'Conditional';
}

/**
 * Describes changes: new and changed resources by type, and each resource that is removed or replaced.
 * @param red colors lines about stateful resources
 */
export function changeLines(changes: readonly Change[], red: (text: string) => string): string[] {
  if (changes.length === 0) return ['No resource changes.'];
  const added = changes.filter(({ action }) => action === 'Add' || action === 'Import');
  const ending = changes.filter(ends);
  const changed = changes.filter((change) => !added.includes(change) && !ending.includes(change));
  return [
    ...counted('+', added, ({ type }) => type),
    ...counted('~', changed, ({ type, causes }) => `${type}: ${causes.join(', ') || 'tags or metadata'}`),
    ...ending.map((change) => (lossOf(change.type) ? red(endingLine(change)) : endingLine(change))),
  ];
}

function counted(sign: string, changes: readonly Change[], label: (change: Change) => string): string[] {
  const groups = Map.groupBy(changes, label);
  return [...groups].map(([text, { length }]) => `  ${sign} ${length} ${text}`);
}

function endingLine(change: Change): string {
  const { action, id, type, replacement, causes } = change;
  const verbs: Readonly<Record<string, string>> = { True: 'is replaced', Conditional: 'may be replaced' };
  const verb = action === 'Remove' ? 'is removed' : verbs[replacement ?? ''];
  const because = action === 'Remove' || causes.length === 0 ? '' : ` (${causes.join(', ')})`;
  const loss = lossOf(type) === undefined ? '' : `: ${lossLine(change)}`;
  return `  - ${id} (${type}) ${verb}${because}${loss}`;
}

/** Describes what the service loses with a resource, and whether the resource is retained. */
export function lossLine({ type, policy, physicalId }: Change): string {
  const loss = `the service loses ${lossOf(type)}`;
  return policy?.endsWith('Retain') ? `${loss}; ${physicalId} is retained in the account` : loss;
}
