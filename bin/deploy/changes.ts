import { lossOf } from './stateful.ts';

/** A change of a resource, in a change set of CloudFormation. */
export interface Change {
  readonly action: string;
  /** The logical id. */
  readonly id: string;
  readonly type: string;
  /** The name or id in the account; undefined before it exists. */
  readonly physicalId?: string | undefined;
  readonly replacement?: string | undefined;
  /** What happens to the resource itself: `Delete`, `Retain`, `ReplaceAndDelete`, … */
  readonly policy?: string | undefined;
  /** The properties that change. */
  readonly causes: readonly string[];
}

/** What a deployment asks before it executes a change set. */
export interface Questions {
  /** Removed or replaced, and made again from the template: one question for all, which `--yes` answers. */
  readonly replaceable: readonly Change[];
  /** Removed or replaced with something in them: each needs its name. */
  readonly lossy: readonly Change[];
}

/** New ones come with every deployment, in place of the old ones, which nothing uses any more. */
const ROUTINE = ['AWS::Lambda::Version', 'AWS::Lambda::LayerVersion', 'AWS::ApiGateway::Deployment'];

/**
 * Returns what to ask about changes.
 * @param lost logical ids of resources that the operator has given up already
 */
export function questionsOf(changes: readonly Change[], lost: readonly string[] = []): Questions {
  const ending = changes.filter(ends);
  return {
    replaceable: ending.filter(({ type }) => lossOf(type) === undefined && !ROUTINE.includes(type)),
    lossy: ending.filter(({ type, id }) => lossOf(type) !== undefined && !lost.includes(id)),
  };
}

/** Returns whether a resource of the stack ends with a change, or may: `Conditional` is decided while it happens. */
function ends({ action, replacement }: Change): boolean {
  return action === 'Remove' || replacement === 'True' || replacement === 'Conditional';
}

/**
 * Describes changes: new resources and changed ones by type, and each that is removed or replaced.
 * @param red colors what loses something
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

/** Describes what the service loses with a resource, and what becomes of it. */
export function lossLine({ type, policy, physicalId }: Change): string {
  const loss = `the service loses ${lossOf(type)}`;
  return policy?.endsWith('Retain') ? `${loss}; ${physicalId} stays in the account` : loss;
}
