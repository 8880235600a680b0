import {
  CloudFormationClient,
  DeleteChangeSetCommand,
  DeleteStackCommand,
  DescribeChangeSetCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { DeployedStack, withAdvice } from '../../../bin/deploy/stack.ts';

const cloudFormation = mockClient(CloudFormationClient);
beforeEach(() => void cloudFormation.reset());
afterAll(() => cloudFormation.restore());
const stack = new DeployedStack('s', { AWS_REGION: 'us-east-1' });
const error = (name: string, message = '') => Object.assign(new Error(message), { name });
const NO_STACK = error('ValidationError', 'Stack with id s does not exist');
const CREATED = new Date();

it('reads all pages of a change set, with the changed properties', async () => {
  const details = ['Environment', 'Code', 'Code'].map((Name) => ({ Target: { Name } }));
  const change = { Action: 'Modify', LogicalResourceId: 'F', ResourceType: 'AWS::Lambda::Function' } as const;
  cloudFormation
    .on(DescribeChangeSetCommand)
    .resolvesOnce({ Changes: [{ ResourceChange: { ...change, Details: details } }], NextToken: 'n' })
    .resolvesOnce({
      Changes: [{ ResourceChange: { ...change, Replacement: 'True', LogicalResourceId: 'G' } }],
    });
  expect(await stack.changes('c')).toMatchObject([
    { action: 'Modify', id: 'F', type: 'AWS::Lambda::Function', causes: ['Code', 'Environment'] },
    { id: 'G', replacement: 'True', causes: [] },
  ]);
});

it('recognizes a missing change set and a missing stack', async () => {
  cloudFormation.on(DescribeChangeSetCommand).rejects(error('ChangeSetNotFoundException'));
  cloudFormation.on(DescribeStacksCommand).rejects(NO_STACK);
  expect([await stack.changes('c'), await stack.status(), await stack.output('BaseUrl')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it.each([
  ['REVIEW_IN_PROGRESS', 1],
  ['UPDATE_COMPLETE', 0],
] as const)(
  'discards a change set, and the stack in %s only if it was created for the change set',
  async (StackStatus, deleted) => {
    const one = { StackName: 's', StackStatus, CreationTime: CREATED };
    cloudFormation.on(DeleteChangeSetCommand).resolves({});
    cloudFormation.on(DescribeStacksCommand).resolves({ Stacks: [one] });
    cloudFormation.on(DeleteStackCommand).resolves({});
    await stack.discard('c');
    expect(cloudFormation.commandCalls(DeleteStackCommand)).toHaveLength(deleted);
  },
);

it('explains missing credentials and a missing region', async () => {
  cloudFormation.on(DescribeStacksCommand).rejects(error('CredentialsProviderError', 'Could not load any.'));
  await expect(stack.status()).rejects.toThrow(/\(Could not load any\): log in with "aws sso login"/);
  for (const name of ['ExpiredToken', 'InvalidClientTokenId', 'UnrecognizedClientException'])
    expect(withAdvice(error(name)).message).toContain('AWS_PROFILE');
  expect(withAdvice(new Error('Region is missing')).message).toContain('set AWS_REGION');
  expect(withAdvice(error('AccessDenied', 'no')).message).toBe('no');
});
