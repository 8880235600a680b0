import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from './account.ts';
import type { Stack } from './template/stack.ts';

/** The physical ids of tables, buckets and secrets, by the name of their stack and their logical id. */
export type StackResources = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The types whose resources can be retained. */
const TYPES = ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'];

/**
 * Returns the account with the tables and buckets that earlier stacks with another name retained in this state folder. The policy of
 * a bucket is deleted with its stack.
 */
export function withRetained(account: Account, stateDir: string): Account {
  const former = readState<Account>(stateDir, 'account.json');
  if (!former) return account;
  const leftOf = <Kind extends { readonly name: string; readonly retained?: boolean }>(
    before: readonly Kind[],
    now: readonly Kind[],
  ) => before.filter(({ name, retained }) => retained && !now.some((one) => one.name === name));
  const buckets = leftOf(former.buckets, account.buckets).map((bucket) => ({ ...bucket, policy: [] }));
  const tables = leftOf(former.tables, account.tables);
  return { ...account, buckets: [...account.buckets, ...buckets], tables: [...account.tables, ...tables] };
}

/** Returns the resources that CloudFormation lists for the stack, and for former stacks. */
export function stackResources(stack: Stack, stateDir: string): StackResources {
  const { stackName } = stack.assembly;
  const former = readState<{ readonly resources?: StackResources }>(stateDir, 'operator.json');
  const resources = TYPES.flatMap((type) => stack.ids(type)).map(({ logicalId, ref }) => [logicalId, ref]);
  return { ...former?.resources, [stackName]: Object.fromEntries(resources) };
}

function readState<State>(stateDir: string, name: string): State | undefined {
  const path = join(stateDir, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as State) : undefined;
}
