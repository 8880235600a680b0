import { destroy } from '../../../bin/deploy/destroy-command.ts';
import type { Template } from '../../../bin/deploy/record.ts';

const TYPES = {
  Keys: 'DynamoDB::GlobalTable',
  Ids: 'SecretsManager::Secret',
  Files: 'S3::Bucket',
  Api: 'Lambda::Function',
  Logs: 'Logs::LogGroup',
};
const resources = Object.entries(TYPES).map(([id, type]) => ({
  id,
  type: `AWS::${type}`,
  physicalId: `name-of-${id}`,
}));
const policies: Readonly<Record<string, string>> = {
  Keys: 'RetainExceptOnCreate',
  Ids: 'RetainExceptOnCreate',
  Files: 'Retain',
};
const template: Template = {
  Resources: Object.fromEntries(
    resources.map(({ id, type }) => [id, { Type: type, DeletionPolicy: policies[id] ?? 'Delete' }]),
  ),
};

async function destroyed(status: string | undefined, confirmed?: string) {
  const lines: string[] = [];
  let removed = false;
  const stack = {
    name: 'prompt-to-project-prod',
    status: async () => status,
    resources: async () => resources,
    template: async () => template,
  };
  const stdout = { write: (text: string) => lines.push(text) };
  const remove = async () => {
    removed = true;
  };
  const problem = await destroy(stack, remove, confirmed, { stdout, stderr: stdout, env: {} }).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { printed: lines.join(''), removed, problem };
}

it('prints retained resources with their costs, deleted ones, and how to use the data again', async () => {
  const { printed, removed } = await destroyed('UPDATE_COMPLETE', 'prompt-to-project-prod');
  expect(removed).toBe(true);
  expect(printed.split('\n')).toEqual([
    'These resources are retained in the account, without a stack:',
    expect.stringMatching(/^ {2}AWS::DynamoDB::GlobalTable: \$0.25 per GB and month .* each$/),
    '    Keys: name-of-Keys',
    '  AWS::SecretsManager::Secret: $0.40 a month each',
    '    Ids: name-of-Ids',
    expect.stringMatching(/^ {2}AWS::S3::Bucket: /),
    '    Files: name-of-Files',
    'These resources are deleted, with their data:',
    '  Logs (AWS::Logs::LogGroup): the logs of a month',
    expect.stringContaining('docs/operating.md#restore'),
    '',
  ]);
});

it('deletes nothing without the name of the stack', async () => {
  for (const confirmed of [undefined, 'prod']) {
    const { removed, problem } = await destroyed('UPDATE_COMPLETE', confirmed);
    expect(removed).toBe(false);
    expect(problem).toContain('add --confirm prompt-to-project-prod');
  }
});

it('rejects a stack that does not exist', async () => {
  const { removed, problem } = await destroyed(undefined, 'prompt-to-project-prod');
  expect(removed).toBe(false);
  expect(problem).toBe('The stack prompt-to-project-prod does not exist in this account and region');
});
