import type { Template } from './record.ts';
import type { StackResource } from './stack.ts';
import { lossOf } from './stateful.ts';

/** What happens to the resources with data when a stack is deleted. */
export interface Remains {
  /** They stay in the account, and are no part of a stack any more. */
  readonly kept: readonly StackResource[];
  readonly deleted: readonly StackResource[];
}

/** Returns what becomes of the resources of a stack, by the template that it was deployed with. */
export function remainsOf(resources: readonly StackResource[], { Resources }: Template): Remains {
  const stateful = resources.filter(({ type }) => lossOf(type) !== undefined);
  const isKept = ({ id }: StackResource) => /^Retain/.test(Resources[id]?.DeletionPolicy ?? 'Delete');
  return { kept: stateful.filter(isKept), deleted: stateful.filter((one) => !isKept(one)) };
}

/** What a resource costs while it stays, by its type. Prices of us-east-1. */
const COSTS: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable':
    '$0.25 per GB and month beyond 25 GB in the account, and $0.20 with point-in-time recovery',
  'AWS::S3::Bucket': '$0.023 per GB and month',
  'AWS::SecretsManager::Secret': '$0.40 a month',
};

/** Describes what stays, with what it costs, and what is lost. */
export function remainLines({ kept, deleted }: Remains, red: (text: string) => string): string[] {
  const ofType = Map.groupBy(kept, ({ type }) => type);
  const staying = [...ofType].flatMap(([type, ones]) => [
    `  ${type}: ${COSTS[type] ?? 'free'} each`,
    ...ones.map(({ id, physicalId }) => `    ${id}: ${physicalId}`),
  ]);
  const lost = deleted.map(({ id, type }) => red(`  ${id} (${type}): ${lossOf(type)}`));
  return [
    'These stay in the account, without a stack:',
    ...staying,
    'These are deleted, with what they hold:',
    ...lost,
  ];
}

/** How the data gets into another stack. */
export const WAY_BACK =
  'To use the data again, deploy a new stack and copy it with "npm run restore": docs/operating.md#restore. Do so before anybody deploys to it, or ' +
  'nobody can manage the deployments.';
