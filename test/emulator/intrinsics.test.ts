import * as z from 'zod';
import { Stack } from '../../local/cloud/template/stack.ts';
import type { Template } from '../../local/cloud/template/template.ts';
import { testRows } from '../support/rows.ts';

const BUCKET = { Type: 'AWS::S3::Bucket' };

function stackOf(template: Partial<Template>): Stack {
  const assembly = { stackName: 'Demo', directory: '/nowhere', template: { Resources: {}, ...template } };
  return new Stack(assembly, {
    accountId: '000000000000',
    region: 'eu-west-1',
    frontDoor: 'localhost:3000',
    secretValue: (arn) => JSON.stringify({ user: 'me', arn }),
  });
}

/** Returns the resolved value of a property. */
function resolved(value: unknown, rest: Partial<Template> = {}): unknown {
  const Resources = { Site: BUCKET, Probe: { Type: 'Probe', Properties: { value } }, ...rest.Resources };
  const [probe] = stackOf({ ...rest, Resources }).all('Probe', z.object({ value: z.unknown().optional() }));
  return probe?.properties.value;
}

testRows([
  ['Fn::GetAtt as a string', { 'Fn::GetAtt': 'Site.Arn' }, 'arn:aws:s3:::demo-site'],
  [
    'Fn::Sub',
    { 'Fn::Sub': [`\${X}/\${Site.Arn}/\${AWS::AccountId}/\${!Y}`, { X: 'x' }] },
    `x/arn:aws:s3:::demo-site/000000000000/\${Y}`,
  ],
  ['Fn::Select of Fn::Split', { 'Fn::Select': [1, { 'Fn::Split': ['-', { Ref: 'Site' }] }] }, 'site'],
  ['AWS::NoValue', { a: { Ref: 'AWS::NoValue' }, b: 1 }, { b: 1 }],
  ["a policy's Condition", { Condition: { StringEquals: { x: 'y' } } }, { Condition: { StringEquals: { x: 'y' } } }],
])('resolves intrinsic functions', (_name, value, expected) => {
  expect(resolved(value)).toEqual(expected);
});

test('conditions choose values and resources', () => {
  const Conditions = {
    Here: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'eu-west-1'] },
    There: { 'Fn::Not': [{ Condition: 'Here' }] },
  };
  expect(resolved({ 'Fn::If': ['Here', 'yes', 'no'] }, { Conditions })).toBe('yes');
  const stack = stackOf({ Conditions, Resources: { A: { ...BUCKET, Condition: 'There' }, B: BUCKET } });
  expect(stack.all('AWS::S3::Bucket', z.unknown()).map(({ logicalId }) => logicalId)).toEqual(['B']);
});

test('a dynamic reference becomes the secret, even inside a string', () => {
  const Resources = { Secret: { Type: 'AWS::SecretsManager::Secret' } };
  const reference = (key: string) => ({
    'Fn::Join': ['', ['<{{resolve:secretsmanager:', { Ref: 'Secret' }, `:SecretString:${key}::}}>`]],
  });
  expect(resolved(reference('user'), { Resources })).toBe('<me>');
  expect(() => resolved(reference('other'), { Resources })).toThrow('has no key other');
  expect(() => resolved('{{resolve:ssm:name}}')).toThrow('{{resolve:ssm:name}} is not supported');
});

testRows([
  [{ 'Fn::ImportValue': 'x' }, 'Probe (Probe): the intrinsic function Fn::ImportValue is not supported'],
  [{ Ref: 'Nobody' }, 'the template has no resource or parameter "Nobody"'],
  [{ 'Fn::GetAtt': ['Site', 'WebsiteURL'] }, 'Fn::GetAtt of Site.WebsiteURL (AWS::S3::Bucket) is not supported'],
])('rejects other functions by name', (value, message) => {
  expect(() => resolved(value)).toThrow(message);
});

test('rejects unsupported parts of a template by name', () => {
  expect(() => stackOf({ Mappings: {} })).toThrow('The template section Mappings is not supported');
  expect(() => stackOf({ Parameters: { Size: {} } })).toThrow('does not support these Parameters: Size');
  const stack = stackOf({
    Resources: { Queue: { Type: 'AWS::SQS::Queue' }, Log: { Type: 'AWS::Logs::LogGroup' } },
  });
  expect(() => stack.refuseUnknownTypes()).toThrow('these resources of the template: Queue (AWS::SQS::Queue)');
  const strict = stackOf({ Resources: { Site: { ...BUCKET, Properties: { AccessControl: 'PublicRead' } } } });
  expect(() => strict.all('AWS::S3::Bucket', z.strictObject({}))).toThrow(
    'Site (AWS::S3::Bucket): properties: Unrecognized key: "AccessControl"',
  );
});
