import { appendFileSync } from 'node:fs';
import type { PolicyStatement, Principal } from './account.ts';

/**
 * The environment variable with the path of a file that collects the grants of roles, and which of them were used. All processes of all
 * local clouds append each grant immediately, so that nothing is lost when one is killed.
 */
export const GRANTS_FILE = 'GRANTS_FILE';

const noted = new Set<string>();

/** Records every grant of a role. Services and the operator have no roles. */
export function noteAllowed({ arn, statements }: Principal): void {
  if (!process.env[GRANTS_FILE] || !arn.includes(':role/')) return;
  for (const { Effect, Action, Resource } of statements)
    if (Effect === 'Allow')
      for (const action of Action) for (const resource of Resource) note('allowed', arn, action, resource);
}

/** Records the parts of statements that allowed a request of a role. */
export function noteUsed(
  { arn }: Principal,
  statements: readonly PolicyStatement[],
  applies: { action(pattern: string): boolean; resource(pattern: string): boolean },
): void {
  if (!process.env[GRANTS_FILE] || !arn.includes(':role/')) return;
  for (const { Action, Resource } of statements)
    for (const action of Action.filter(applies.action))
      for (const resource of Resource.filter(applies.resource)) note('used', arn, action, resource);
}

function note(...grant: readonly [kind: 'allowed' | 'used', role: string, action: string, resource: string]) {
  const line = `${grant.join('\t')}\n`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(process.env[GRANTS_FILE] ?? '', line);
}
