import type { Template } from './record.ts';
import type { StackResource } from './stack.ts';
import { lossOf } from './stateful.ts';

/** The resources with data of a stack that is deleted. */
export interface Remains {
  /** They are retained in the account, and no longer belong to a stack. */
  readonly kept: readonly StackResource[];
  readonly deleted: readonly StackResource[];
}

/** Returns which resources of a stack are retained and which are deleted, according to its deployed template. */
export function remainsOf(resources: readonly StackResource[], { Resources }: Template): Remains {
  const stateful = resources.filter(({ type }) => lossOf(type) !== undefined);
  const isKept = ({ id }: StackResource) => /^Retain/.test(Resources[id]?.DeletionPolicy ?? 'Delete');
  return { kept: stateful.filter(isKept), deleted: stateful.filter((one) => !isKept(one)) };
}

/** The cost of a retained resource by its type, at the prices of us-east-1. */
const COSTS: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable':
    '$0.25 per GB and month beyond 25 GB in the account, and $0.20 with point-in-time recovery',
  'AWS::S3::Bucket': '$0.023 per GB and month',
  'AWS::SecretsManager::Secret': '$0.40 a month',
};

/** Describes the retained resources with their costs, and the deleted ones. */
export function remainLines({ kept, deleted }: Remains, red: (text: string) => string): string[] {
  const ofType = Map.groupBy(kept, ({ type }) => type);
  const staying = [...ofType].flatMap(([type, ones]) => [
    `  ${type}: ${COSTS[type] ?? 'free'} each`,
    ...ones.map(({ id, physicalId }) => `    ${id}: ${physicalId}`),
  ]);
  const lost = deleted.map(({ id, type }) => red(`  ${id} (${type}): ${lossOf(type)}`));
  return [
    'These resources are retained in the account, without a stack:',
    ...staying,
    'These resources are deleted, with their data:',
    ...lost,
  ];
}

/** How to copy the data into another stack. */
export const WAY_BACK =
  'To use the data again, deploy a new stack and copy the data into it with "npm run restore" (docs/operating.md#restore) before anybody ' +
  'deploys pages there: otherwise the tokens of existing deployments stop working.';
