import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Principal } from '../../local/cloud/account.ts';
import { closeAtEnd } from '../support/at-end.ts';
import { account, allow, apiError, bucketAs, role, s3As, startTestBackend } from '../support/test-backend.ts';

const Bucket = 'sites';
const DISTRIBUTION = 'arn:aws:cloudfront::111122223333:distribution/E1';
const publisher = role(
  'Publisher',
  allow('s3:*Object', ['arn:aws:s3:::sites/*', 'arn:aws:s3:::shared/*']),
  allow('s3:ListBucket', 'arn:aws:s3:::sites'),
);
const reader = role('Reader', allow('s3:GetObject', 'arn:aws:s3:::sites/public/*'));
const cloudFront: Principal = {
  name: 'cloudfront.amazonaws.com',
  arn: 'cloudfront.amazonaws.com',
  secretAccessKey: 'service',
  statements: [],
};

const byDistribution = { StringEquals: { 'AWS:SourceArn': [DISTRIBUTION] } };
const forCloudFront = {
  ...allow('s3:GetObject', 'arn:aws:s3:::sites/*'),
  Principal: ['cloudfront.amazonaws.com'],
  Condition: byDistribution,
};
const forReader = { ...forCloudFront, Principal: [reader.arn] };
const cors = [
  {
    AllowedOrigins: ['https://*.example.com'],
    AllowedMethods: ['GET', 'PUT'],
    AllowedHeaders: ['content-*'],
    ExposedHeaders: ['ETag'],
    MaxAge: 60,
  },
];
const backend = closeAtEnd(
  await startTestBackend(
    account(
      [publisher, reader, cloudFront],
      [
        { name: 'sites', policy: [forCloudFront, forReader] },
        { name: 'shared', policy: [], cors },
      ],
    ),
  ),
);
const { client: s3, put, get } = bucketAs(backend.url, publisher, Bucket);

describe('a caller', () => {
  beforeAll(async () => {
    jest.spyOn(console, 'log').mockReturnValue();
    await put('public/page', 'page');
    await put('private', 'secret');
  });
  afterAll(() => jest.restoreAllMocks());

  const readAs = (principal: Principal, Key: string) =>
    s3As(backend.url, principal).send(new GetObjectCommand({ Bucket, Key }));

  test('can do only what its policies allow', async () => {
    await expect(readAs(reader, 'public/page')).resolves.toBeDefined();
    await expect(readAs(reader, 'private')).rejects.toMatchObject({
      ...apiError(403, 'AccessDenied'),
      message: expect.stringContaining('is not authorized to perform: s3:GetObject'),
    });
    const write = new PutObjectCommand({ Bucket, Key: 'public/page', Body: 'mine' });
    await expect(s3As(backend.url, reader).send(write)).rejects.toMatchObject(apiError(403, 'AccessDenied'));
    expect(await get('public/page')).toBe('page');
  });

  test('without permission to list the bucket gets 403 for a missing key', async () => {
    await expect(readAs(reader, 'public/nothing')).rejects.toMatchObject(apiError(403, 'AccessDenied'));
    await expect(get('public/nothing')).rejects.toMatchObject(apiError(404, 'NoSuchKey'));
    const head = new HeadObjectCommand({ Bucket, Key: 'public/nothing' });
    await expect(s3As(backend.url, reader).send(head)).rejects.toMatchObject(apiError(403));
    await expect(s3.send(head)).rejects.toMatchObject(apiError(404, 'NotFound'));
  });

  test('deletes the keys that it may, and gets errors for the others', async () => {
    await put('many/&', 'x');
    const Objects = [{ Key: 'many/&' }, { Key: 'many/nothing' }];
    const remove = new DeleteObjectsCommand({ Bucket, Delete: { Objects } });
    expect((await s3.send(remove)).Deleted).toEqual(Objects);
    await expect(get('many/&')).rejects.toMatchObject({ name: 'NoSuchKey' });
    const { Errors } = await s3As(backend.url, reader).send(remove);
    expect(Errors?.map(({ Key, Code }) => [Key, Code])).toEqual(Objects.map(({ Key }) => [Key, 'AccessDenied']));
    const quiet = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
    expect((await s3.send(quiet)).Deleted).toBeUndefined();
  });

  test('may name the resource that it acts for only if it is a service', async () => {
    const readForDistribution = (principal: Principal) => {
      const client = s3As(backend.url, principal);
      client.middlewareStack.add(
        (next) => (args) => {
          (args.request as { headers: Record<string, string> }).headers['x-amz-source-arn'] = DISTRIBUTION;
          return next(args);
        },
        { step: 'build' },
      );
      return client.send(new GetObjectCommand({ Bucket, Key: 'private' }));
    };
    await expect(readAs(cloudFront, 'private')).rejects.toMatchObject(apiError(403, 'AccessDenied'));
    await expect(readForDistribution(cloudFront)).resolves.toBeDefined();
    await expect(readForDistribution(reader)).rejects.toMatchObject(apiError(403, 'AccessDenied'));
  });

  test.each([
    ['with a key id that does not exist', { ...publisher, name: 'Nobody' }, 'InvalidAccessKeyId'],
    ['with the name of an object property', { ...publisher, name: 'constructor' }, 'InvalidAccessKeyId'],
    ['with a wrong secret', { ...publisher, secretAccessKey: 'guess' }, 'SignatureDoesNotMatch'],
  ])('%s is rejected', async (_, principal, code) => {
    await expect(readAs(principal, 'public/page')).rejects.toMatchObject(apiError(403, code));
  });
});

describe('a presigned URL', () => {
  const sign = (input: Partial<PutObjectCommandInput> = {}) =>
    getSignedUrl(s3, new PutObjectCommand({ Bucket, Key: 'signed/a b', ...input }), {
      signableHeaders: new Set(input.ContentType ? ['content-type', 'content-length'] : []),
    });
  const upload = (url: string, headers: Record<string, string> = {}, body = 'hello') =>
    fetch(url, { method: 'PUT', headers, body });

  // Otherwise the checksum of a body that does not exist yet would be signed.
  beforeAll(() => {
    s3.config.requestChecksumCalculation = async () => 'WHEN_REQUIRED';
  });
  afterAll(() => {
    s3.config.requestChecksumCalculation = async () => 'WHEN_SUPPORTED';
  });

  test('rejects unsigned x-amz- headers', async () => {
    const response = await upload(await sign(), { 'x-amz-meta-owner': 'me' });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('x-amz-meta-owner');
  });

  test('requires the length of an upload', async () => {
    const body = new Blob(['hello']).stream();
    const response = await fetch(await sign(), { method: 'PUT', body, duplex: 'half' } as RequestInit);
    expect([response.status, await response.text()]).toEqual([411, expect.stringContaining('MissingContentLength')]);
  });

  test('verifies a checksum of the SDK in its query', async () => {
    const url = await sign({ ChecksumSHA256: 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=' });
    expect((await upload(url, {}, 'other')).status).toBe(400);
    expect((await upload(url, {}, 'hello')).status).toBe(200);
  });
});

describe('a browser of another origin', () => {
  const ask = (path: string, headers: Record<string, string>, method = 'OPTIONS') =>
    fetch(`${backend.url}${path}`, { method, headers });
  const origin = 'https://app.example.com';

  test.each([
    ['another origin', '/shared/x', { origin: 'https://example.org', 'access-control-request-method': 'PUT' }],
    ['another method', '/shared/x', { origin, 'access-control-request-method': 'DELETE' }],
    [
      'another header',
      '/shared/x',
      { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-other' },
    ],
    ['a bucket without rules', '/sites/x', { origin, 'access-control-request-method': 'GET' }],
  ])('is rejected: %s', async (_, path, headers) => {
    const response = await ask(path, headers);
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect(await response.text()).toContain('<Code>AccessForbidden</Code>');
  });
});
