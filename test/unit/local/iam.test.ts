import type { PolicyStatement, Principal } from '../../../local/cloud/account.ts';
import { AccessDenied, type AccessRequest, authorize, decide } from '../../../local/cloud/iam.ts';
import { testRows } from '../../support/rows.ts';
import { ACCOUNT_ID, allow, role } from '../../support/test-backend.ts';

const OBJECT = 'arn:aws:s3:::sites/a/b.zip';
const ROOT = `arn:aws:iam::${ACCOUNT_ID}:root`;
const cloudFront: Principal = {
  name: 'cloudfront.amazonaws.com',
  arn: 'cloudfront.amazonaws.com',
  secretAccessKey: 'x',
  statements: [],
};

function ask(principal: Principal, request: Partial<AccessRequest> = {}, policy: PolicyStatement[] = []) {
  const decision = decide({ principal, action: 's3:GetObject', resource: OBJECT, ...request }, policy);
  return decision.allowed ? 'allowed' : decision.reason;
}

function deny(action: string, resource: string): PolicyStatement {
  return { ...allow(action, resource), Effect: 'Deny' };
}

describe('identity policies', () => {
  testRows([
    ['s3:GetObject', OBJECT, 'allowed'],
    ['S3:getobject', OBJECT, 'allowed'],
    ['s3:Get*', 'arn:aws:s3:::sites/*', 'allowed'],
    ['s3:GetObjec?', '*', 'allowed'],
    ['*', 'arn:aws:s3:::site?/a/b.zip', 'allowed'],
    ['s3:GetObject*', 'arn:aws:s3:::sites', 'implicit'],
    ['s3:GetObjectAcl', OBJECT, 'implicit'],
    ['s3:PutObject', OBJECT, 'implicit'],
    ['s3:GetObject', 'arn:aws:s3:::Sites/*', 'implicit'],
    ['s3:GetObject', 'arn:aws:s3*sites/*', 'implicit'],
    ['s3:GetObject', 'arn:aws:s3:::sites/a.b.zip', 'implicit'],
  ])('grant actions on resources', (action, resource, expected) => {
    expect(ask(role('Reader', allow(action, resource)))).toBe(expected);
  });

  test('an explicit deny wins over every allow', () => {
    const principal = role('Reader', allow('s3:*', '*'), deny('s3:GetObject', OBJECT));
    expect(ask(principal, {}, [{ ...allow('s3:*', '*'), Principal: ['*'] }])).toBe('explicit');
  });

  test('rejects policy variables instead of matching nothing', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of IAM
    const principal = role('Reader', allow('s3:GetObject', 'arn:aws:s3:::${aws:username}/*'));
    expect(() => ask(principal)).toThrow('aws:username');
  });
});

describe('resource policies', () => {
  const nobody = role('Nobody');

  testRows([
    [nobody.arn, 'allowed'],
    ['*', 'allowed'],
    [`arn:aws:iam::${ACCOUNT_ID}:role/Somebody`, 'implicit'],
    [ROOT, 'implicit'],
    [ACCOUNT_ID, 'implicit'],
    ['cloudfront.amazonaws.com', 'implicit'],
  ])('allow their principals', (named, expected) => {
    expect(ask(nobody, {}, [{ ...allow('s3:GetObject', OBJECT), Principal: [named] }])).toBe(expected);
  });

  test('a deny for the account applies to its identities, but not to services', () => {
    const policy = [{ ...deny('s3:*', '*'), Principal: [ROOT] }];
    expect(ask(role('Reader', allow('s3:*', '*')), {}, policy)).toBe('explicit');
    expect(ask(cloudFront, {}, policy)).toBe('implicit');
  });

  test('a service is allowed by its name, for the source in the condition', () => {
    const policy = [
      {
        ...allow('s3:GetObject', 'arn:aws:s3:::sites/*'),
        Principal: ['cloudfront.amazonaws.com'],
        Condition: { StringEquals: { 'AWS:SourceArn': ['arn:aws:cloudfront::1:distribution/A'] } },
      },
    ];
    expect(ask(cloudFront, {}, policy)).toBe('implicit');
    const context = { 'aws:SourceArn': 'arn:aws:cloudfront::1:distribution/A' };
    expect(ask(cloudFront, { context }, policy)).toBe('allowed');
  });

  test('the common statement that denies requests without TLS denies no local request', () => {
    const policy = [
      { ...deny('s3:*', '*'), Principal: ['*'], Condition: { Bool: { 'aws:SecureTransport': ['false'] } } },
    ];
    expect(ask(role('Reader', allow('s3:*', '*')), {}, policy)).toBe('allowed');
  });
});

describe('conditions', () => {
  testRows<[string, Record<string, string | string[]>, boolean]>([
    ['StringEquals', { key: 'a' }, true],
    ['StringEquals', { key: 'A' }, false],
    ['StringEquals', {}, false],
    ['StringNotEquals', { key: 'a' }, false],
    ['StringNotEquals', { key: 'b' }, true],
    ['StringNotEquals', {}, true],
    ['Null', {}, false],
    ['ForAllValues:StringEquals', { key: ['a', 'a'] }, true],
    ['ForAllValues:StringEquals', { key: ['a', 'b'] }, false],
    ['ForAllValues:StringEquals', {}, true],
  ])('compare a value of the context', (operator, context, expected) => {
    expect(holds(operator, 'a', context)).toBe(expected);
  });

  testRows([
    ['Bool', 'TRUE', 'true', true],
    ['StringLike', 'a*?', 'abc', true],
    ['StringLike', 'a*', 'b', false],
    ['ArnLike', 'arn:aws:s3:::*', 'arn:aws:s3:::x/y', true],
    ['ArnEquals', 'arn:aws:lambda:*:1:function:f', 'arn:aws:lambda:eu-west-1:1:function:f', true],
    ['ArnLike', 'arn:aws:*', 'arn:aws:s3:::x', false],
    ['NumericLessThan', '10', '9', true],
    ['NumericLessThan', '10', '10', false],
    ['NumericLessThanEquals', '10', '10', true],
    ['NumericGreaterThan', '10', '9', false],
    ['NumericGreaterThanEquals', '10', '10', true],
    ['Null', 'false', 'anything', true],
    ['Null', 'true', 'anything', false],
  ])('hold as AWS documents each operator', (operator, wanted, actual, expected) => {
    expect(holds(operator, wanted, { KEY: actual })).toBe(expected);
  });

  test('rejects an unsupported operator by name', () => {
    expect(() => holds('IpAddress', '10.0.0.0/8', { key: '10.0.0.1' })).toThrow('IpAddress');
  });

  function holds(operator: string, wanted: string, context: Record<string, string | string[]>): boolean {
    const statement = { ...allow('s3:GetObject', OBJECT), Condition: { [operator]: { Key: [wanted] } } };
    return ask(role('Reader', statement), { context }) === 'allowed';
  }
});

test('a denial is logged, and has the message of AWS', () => {
  const log = jest.spyOn(console, 'log').mockReturnValue();
  const request = { principal: role('DeployFunction'), action: 's3:PutObject', resource: OBJECT };
  const denied = () => authorize(request);
  expect(denied).toThrow(AccessDenied);
  expect(denied).toThrow(
    `User: arn:aws:iam::${ACCOUNT_ID}:role/DeployFunction is not authorized to perform: s3:PutObject on resource: ${OBJECT}`,
  );
  expect(log).toHaveBeenCalledWith(
    `AccessDenied DeployFunction may not s3:PutObject on ${OBJECT} (its role's policies in the template do not allow it)`,
  );
  log.mockRestore();
});
