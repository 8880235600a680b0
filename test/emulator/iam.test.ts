import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGrants, reportOf } from '../../bin/security/grants.ts';
import type { PolicyStatement, Principal } from '../../local/cloud/account.ts';
import type { AwsRequest } from '../../local/cloud/aws-http.ts';
import {
  AccessDenied,
  type AccessRequest,
  authorize,
  decide,
  GRANTS_FILE,
  noteAllowed,
} from '../../local/cloud/iam.ts';
import { verify } from '../../local/cloud/sigv4.ts';
import { temporaryFolder } from '../support/at-end.ts';
import { testRows } from '../support/rows.ts';
import { ACCOUNT_ID, allow, role } from '../support/test-backend.ts';

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
    ['ForAllValues:StringEquals', { key: ['a', 'a'] }, true],
    ['ForAllValues:StringEquals', { key: ['a', 'b'] }, false],
    ['ForAllValues:StringEquals', {}, true],
  ])('compare a value of the context', (operator, context, expected) => {
    expect(holds(operator, 'a', context)).toBe(expected);
  });

  testRows([
    ['Bool', 'TRUE', 'true', true],
    ['ArnLike', 'arn:aws:s3:::*', 'arn:aws:s3:::x/y', true],
    ['ArnLike', 'arn:aws:lambda:*:1:function:f', 'arn:aws:lambda:eu-west-1:1:function:f', true],
    ['ArnLike', 'arn:aws:*', 'arn:aws:s3:::x', false],
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

const folder = temporaryFolder();
afterAll(() => delete process.env[GRANTS_FILE]);

it('reports unused grants of a stack, and reasons without an unused grant', () => {
  const file = join(folder, 'grants.txt');
  process.env[GRANTS_FILE] = file;
  const table = `arn:aws:dynamodb:us-east-1:${ACCOUNT_ID}:table/stack-Jobs133271E2`;
  const objects = ['arn:aws:s3:::stack-files6457dea2/in/*', 'arn:aws:s3:::stack-files6457dea2/out/*'];
  const reader = role('stack-ReaderRole9470CA8D', allow('dynamodb:GetItem', table), {
    ...allow('s3:GetObject', ''),
    Resource: objects,
  });
  const other = role('other-ReaderRole9470CA8D', allow('s3:GetObject', '*'));
  for (const one of [reader, other]) noteAllowed(one);
  const read = { principal: reader, action: 's3:GetObject' };
  authorize({ ...read, resource: 'arn:aws:s3:::stack-files6457dea2/in/a' });
  expect(() => authorize({ ...read, resource: 'arn:aws:s3:::stack-files6457dea2/else/a' })).toThrow();

  const grants = readGrants(readFileSync(file, 'utf8'), 'stack');
  expect(grants).toEqual([
    { text: 'ReaderRole dynamodb:GetItem dynamodb:table/Jobs', used: false },
    { text: 'ReaderRole s3:GetObject s3:files/in/*', used: true },
    { text: 'ReaderRole s3:GetObject s3:files/out/*', used: false },
  ]);
  const explained = { grant: /dynamodb:GetItem/, reason: 'for the test' };
  const stale = { grant: /files\/in/, reason: 'for the test' };
  expect(reportOf(grants, [explained, stale])).toEqual({
    all: 3,
    unexplained: ['ReaderRole s3:GetObject s3:files/out/*'],
    stale: [stale],
  });
});

const principals = {
  AKIAIOSFODNN7EXAMPLE: { ...role('Me'), secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
  AKIDEXAMPLE: { ...role('Me'), secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
};
const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const S3 = { service: 's3', region: 'us-east-1' };
const NOW = Date.parse('2013-05-24T00:00:00Z');

/** Returns a request from the examples in "Authenticating Requests (AWS Signature Version 4)", S3 API Reference. */
function s3Request(signature: string, url: string, more: Record<string, string> = {}, method = 'GET', body = '') {
  const signed = {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': NOTHING,
    'x-amz-date': '20130524T000000Z',
    ...more,
  };
  const names = Object.keys(signed).sort().join(';');
  const credential = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request';
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${names},Signature=${signature}`;
  return { method, url, headers: { ...signed, authorization }, body: Buffer.from(body) };
}

const getObject = s3Request('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41', '/test.txt', {
  range: 'bytes=0-9',
});
const putObject = s3Request(
  '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  '/test$file.text',
  {
    date: 'Fri, 24 May 2013 00:00:00 GMT',
    'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
  },
  'PUT',
  'Welcome to Amazon S3.',
);
const presigned: AwsRequest = {
  method: 'GET',
  url:
    '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
    '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
    '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
    '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  headers: { host: 'examplebucket.s3.amazonaws.com' },
  body: Buffer.alloc(0),
};

const outcome = async (request: AwsRequest, now = NOW, scope = S3) => {
  const verification = await verify(request, scope, principals, now);
  return 'failure' in verification ? verification.failure : verification.principal.name;
};

describe('accepts the examples of AWS:', () => {
  testRows([
    ['GetObject', getObject],
    ['PutObject', putObject],
    ['a sub-resource', s3Request('fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543', '/?lifecycle')],
    [
      'ListObjects',
      s3Request('34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7', '/?prefix=J&max-keys=2'),
    ],
    ['a presigned URL', presigned],
  ])('for S3', async (_, request) => {
    expect(await outcome(request)).toBe('Me');
  });

  test.each([
    ['/', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['/example space/', '652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741'],
  ])('a service other than S3, path %s', async (url, signature) => {
    const credential = 'AKIDEXAMPLE/20150830/us-east-1/service/aws4_request';
    const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host;x-amz-date, Signature=${signature}`;
    const headers = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z', authorization };
    const request = { method: 'GET', url, headers, body: Buffer.alloc(0) };
    const scope = { service: 'service', region: 'us-east-1' };
    const signedAt = Date.parse('2015-08-30T12:36:00Z');
    expect(await outcome(request, signedAt, scope)).toBe('Me');
    // S3 allows a difference of 15 minutes, other services one of 5.
    expect(await outcome(request, signedAt + 301_000, scope)).toBe('RequestTimeTooSkewed');
    expect(await outcome(request, signedAt - 301_000, scope)).toBe('RequestTimeTooSkewed');
  });
});

describe('rejects', () => {
  const minute = 60_000;
  const day = 24 * 60 * minute;

  testRows<[string, AwsRequest, string, number?, typeof S3?]>([
    ['another path', { ...getObject, url: '/other.txt' }, 'SignatureDoesNotMatch'],
    ['another method', { ...getObject, method: 'DELETE' }, 'SignatureDoesNotMatch'],
    ['another parameter', { ...presigned, url: `${presigned.url}&acl=` }, 'SignatureDoesNotMatch'],
    [
      'another signed header',
      { ...getObject, headers: { ...getObject.headers, range: 'bytes=0-' } },
      'SignatureDoesNotMatch',
    ],
    [
      'an unsigned x-amz- header',
      { ...getObject, headers: { ...getObject.headers, 'x-amz-acl': 'public-read' } },
      'UnsignedHeaders',
    ],
    ['another body', { ...putObject, body: Buffer.from('other') }, 'PayloadHashMismatch'],
    ['a signature for another region', getObject, 'InvalidScope', NOW, { ...S3, region: 'eu-west-1' }],
    ['a signature for another service', getObject, 'InvalidScope', NOW, { ...S3, service: 'dynamodb' }],
    ['a request from the past', getObject, 'RequestTimeTooSkewed', NOW + 16 * minute],
    ['a request from the future', getObject, 'RequestTimeTooSkewed', NOW - 16 * minute],
    ['an expired URL', presigned, 'RequestExpired', NOW + day + 1],
    ['a URL from the future', presigned, 'RequestTimeTooSkewed', NOW - 16 * minute],
    [
      'a URL that is valid for over a week',
      { ...presigned, url: presigned.url.replace('=86400', '=604801') },
      'IncompleteSignature',
    ],
    ['no signature', { ...getObject, headers: { host: 'h' } }, 'MissingAuthenticationToken'],
    ['another algorithm', { ...getObject, headers: { authorization: 'Bearer x' } }, 'IncompleteSignature'],
  ])('any other request, with the error of AWS', async (_, request, failure, now = NOW, scope = S3) => {
    expect(await outcome(request, now, scope)).toBe(failure);
  });

  test('no request within the allowed time', async () => {
    expect(await outcome(getObject, NOW + 14 * minute)).toBe('Me');
    expect(await outcome(presigned, NOW + day - 1)).toBe('Me');
  });
});
