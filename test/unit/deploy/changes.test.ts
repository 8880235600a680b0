import { type Change, changeLines, questionsOf } from '../../../bin/deploy/changes.ts';
import { testRows } from '../../support/rows.ts';

function change(text: string, more: Partial<Change> = {}): Change {
  const [action = '', id = '', type = '', replacement] = text.split(' ');
  return { action, id, type: `AWS::${type}`, replacement, physicalId: `physical-${id}`, causes: [], ...more };
}

testRows<[string, 'nothing' | 'confirmation' | 'name']>([
  ['Add T DynamoDB::GlobalTable', 'nothing'],
  ['Modify T DynamoDB::GlobalTable False', 'nothing'],
  ['Modify T DynamoDB::GlobalTable True', 'name'],
  ['Modify T DynamoDB::GlobalTable Conditional', 'name'],
  ['Remove T DynamoDB::GlobalTable', 'name'],
  ['Remove B S3::Bucket', 'name'],
  ['Remove S SecretsManager::Secret', 'name'],
  ['Modify D CloudFront::Distribution Conditional', 'name'],
  ['Remove P Cognito::UserPool', 'name'],
  ['Remove L Logs::LogGroup', 'name'],
  ['Modify P Lambda::Permission True', 'confirmation'],
  ['Modify P Lambda::Permission Conditional', 'confirmation'],
  ['Remove F Lambda::Function', 'confirmation'],
  ['Modify F Lambda::Function False', 'nothing'],
  ['Remove V Lambda::Version', 'nothing'],
  ['Remove A ApiGateway::Deployment', 'nothing'],
  ['Import T DynamoDB::GlobalTable', 'nothing'],
])('asks for a confirmation or a name: %s', (text, expected) => {
  const { replaceable, lossy } = questionsOf([change(text)]);
  const counts = { nothing: [0, 0], confirmation: [1, 0], name: [0, 1] }[expected];
  expect([replaceable.length, lossy.length]).toEqual(counts);
});

it('does not ask about resources that the operator allows to lose', () => {
  const changes = [change('Remove T DynamoDB::GlobalTable'), change('Remove B S3::Bucket')];
  expect(questionsOf(changes, ['T']).lossy.map(({ id }) => id)).toEqual(['B']);
});

it('describes changes by type, and each removed or replaced resource, in red with its loss', () => {
  const changes = [
    change('Add V1 Lambda::Version'),
    change('Add V2 Lambda::Version'),
    change('Modify F Lambda::Function False', { causes: ['Code'] }),
    change('Modify G Lambda::Function False', { causes: ['Code'] }),
    change('Modify H Lambda::Function False', { causes: ['Code', 'Environment'] }),
    change('Modify P Lambda::Permission True', { causes: ['FunctionName'] }),
    change('Remove T DynamoDB::GlobalTable', { policy: 'Retain' }),
    change('Modify L Logs::LogGroup Conditional', { causes: ['LogGroupName'], policy: 'ReplaceAndDelete' }),
  ];
  expect(changeLines(changes, (text) => `<${text}>`)).toEqual([
    '  + 2 AWS::Lambda::Version',
    '  ~ 2 AWS::Lambda::Function: Code',
    '  ~ 1 AWS::Lambda::Function: Code, Environment',
    '  - P (AWS::Lambda::Permission) is replaced (FunctionName)',
    '<  - T (AWS::DynamoDB::GlobalTable) is removed: the service loses its items; physical-T is retained in the account>',
    '<  - L (AWS::Logs::LogGroup) may be replaced (LogGroupName): the service loses the logs of a month>',
  ]);
  expect(changeLines([], String)).toEqual(['No resource changes.']);
});
