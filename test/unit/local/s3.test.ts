import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { jest } from '@jest/globals';
import type { Principal } from '../../../local/account.ts';
import type { Backend } from '../../../local/backend-server.ts';
import { account, allow, role, s3As, startTestBackend } from './test-backend.ts';

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

let backend: Backend;
let s3: S3Client;

beforeAll(async () => {
  const byDistribution = { StringEquals: { 'AWS:SourceArn': [DISTRIBUTION] } };
  const forCloudFront = {
    ...allow('s3:GetObject', 'arn:aws:s3:::sites/*'),
    Principal: ['cloudfront.amazonaws.com'],
    Condition: byDistribution,
  };
  const cors = [
    {
      AllowedOrigins: ['https://*.example.com'],
      AllowedMethods: ['GET', 'PUT'],
      AllowedHeaders: ['content-*'],
      ExposedHeaders: ['ETag'],
      MaxAge: 60,
    },
  ];
  backend = await startTestBackend(
    account(
      [publisher, reader, cloudFront],
      [
        { name: 'sites', policy: [forCloudFront] },
        { name: 'shared', policy: [], cors },
      ],
    ),
  );
  s3 = s3As(backend.url, publisher);
});
afterAll(() => backend.close());

const put = (Key: string, Body: PutObjectCommandInput['Body'], more: Partial<PutObjectCommandInput> = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const get = async (Key: string) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  return Body?.transformToString();
};
const status = (code: number, name?: string) => ({
  ...(name === undefined ? {} : { name }),
  $metadata: expect.objectContaining({ httpStatusCode: code }),
});

describe('an object', () => {
  test('comes back as it was put, with its headers and metadata', async () => {
    const headers = {
      ContentType: 'text/html; charset=utf-8',
      CacheControl: 'max-age=60',
      ContentEncoding: 'gzip',
      ContentDisposition: 'attachment',
      Metadata: { owner: 'me' },
    };
    const ETag = '"5d41402abc4b2a76b9719d911017c592"';
    expect(await put('a/b.html', 'hello', headers)).toMatchObject({ ETag });
    const answer = await s3.send(new GetObjectCommand({ Bucket, Key: 'a/b.html' }));
    expect(answer).toMatchObject({ ...headers, ETag, ContentLength: 5, ChecksumCRC32: 'NhCmhg==' });
    expect(await answer.Body?.transformToString()).toBe('hello');
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key: 'a/b.html' }));
    expect(head).toMatchObject({ ...headers, ETag, ContentLength: 5 });
    expect(Date.now() - Number(head.LastModified)).toBeLessThan(5000);
  });

  test.each([
    '../../escape',
    '..',
    '.',
    'a//b/',
    '/lead',
    'ä ö+ü&?#%25%2F',
    'x'.repeat(1024),
    '日本'.repeat(170),
    'con',
    "it's (a) *key*!",
  ])('has any key: %s', async (key) => {
    await put(key, key);
    expect(await get(key)).toBe(key);
    const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: key }));
    expect(Contents?.map(({ Key }) => Key)).toContain(key);
  });

  test('has a key of at most 1,024 bytes', async () => {
    await expect(put('x'.repeat(1025), '')).rejects.toMatchObject(status(400, 'KeyTooLongError'));
  });

  test('keeps apart keys that differ in case only', async () => {
    await put('Case', 'upper');
    await put('case', 'lower');
    expect(await get('Case')).toBe('upper');
  });

  test('may be empty', async () => {
    await put('empty', '');
    expect(await get('empty')).toBe('');
  });

  test('is taken from a stream, whose checksum travels behind it', async () => {
    const chunks = Array.from({ length: 40 }, (_, index) => Buffer.alloc(50_000, index));
    const length = { ContentLength: 2_000_000 };
    const answer = await put('stream', Readable.from(chunks), { ...length, ContentEncoding: 'br' });
    const found = await s3.send(new GetObjectCommand({ Bucket, Key: 'stream' }));
    expect(Buffer.concat(chunks).equals((await found.Body?.transformToByteArray()) ?? new Uint8Array())).toBe(
      true,
    );
    expect(found).toMatchObject({ ContentEncoding: 'br', ChecksumCRC32: answer.ChecksumCRC32 });
  });

  test('is gone once deleted, and deleting again is no error', async () => {
    await put('gone', 'x');
    for (let time = 0; time < 2; time++) await s3.send(new DeleteObjectCommand({ Bucket, Key: 'gone' }));
    await expect(get('gone')).rejects.toMatchObject(status(404, 'NoSuchKey'));
  });

  test('that is replaced while it is read is read to its end', async () => {
    const before = Buffer.alloc(4_000_000, 'a');
    await put('replaced', before);
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: 'replaced' }));
    await put('replaced', 'short');
    expect(before.equals((await Body?.transformToByteArray()) ?? new Uint8Array())).toBe(true);
    expect(await get('replaced')).toBe('short');
  });
});

describe('a damaged upload is refused:', () => {
  test.each([
    ['Content-MD5', { ContentMD5: Buffer.alloc(16).toString('base64') }, 'BadDigest'],
    ['a Content-MD5 that is none', { ContentMD5: 'abc' }, 'InvalidDigest'],
    ['CRC32', { ChecksumCRC32: 'AAAAAA==' }, 'BadDigest'],
    ['SHA-256', { ChecksumSHA256: Buffer.alloc(32).toString('base64') }, 'BadDigest'],
    ['a checksum that is not known', { ChecksumSHA1: Buffer.alloc(20).toString('base64') }, 'NotImplemented'],
  ])('%s', async (_, checksum, code) => {
    await expect(put('damaged', 'hello', checksum)).rejects.toMatchObject({ name: code });
    await expect(get('damaged')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test('over 64 MB', async () => {
    const body = Buffer.alloc(64 * 1024 * 1024 + 1);
    await expect(put('large', body)).rejects.toMatchObject(status(400, 'EntityTooLarge'));
  });
});

describe('conditions', () => {
  test('If-None-Match: * lets exactly one of many writers in', async () => {
    const writers = Array.from({ length: 8 }, (_, index) => put('once', `${index}`, { IfNoneMatch: '*' }));
    const outcomes = await Promise.allSettled(writers);
    const winner = outcomes.findIndex((outcome) => outcome.status === 'fulfilled');
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
    expect(lost).toHaveLength(7);
    for (const error of lost) expect(error).toMatchObject(status(412, 'PreconditionFailed'));
    expect(await get('once')).toBe(String(winner));
  });

  test('If-Match writes over the version that it names only', async () => {
    const { ETag = '' } = await put('version', '1');
    await put('version', '2', { IfMatch: ETag });
    await expect(put('version', '3', { IfMatch: ETag })).rejects.toMatchObject(status(412));
    await expect(put('no version', '3', { IfMatch: ETag })).rejects.toMatchObject(status(404, 'NoSuchKey'));
    expect(await get('version')).toBe('2');
  });

  test('a reader that has the version gets 304, one that wants another gets 412', async () => {
    const { ETag = '' } = await put('read', 'x');
    const read = (input: object) => s3.send(new GetObjectCommand({ Bucket, Key: 'read', ...input }));
    await expect(read({ IfNoneMatch: ETag })).rejects.toMatchObject(status(304));
    await expect(read({ IfModifiedSince: new Date() })).rejects.toMatchObject(status(304));
    await expect(read({ IfMatch: '"other"' })).rejects.toMatchObject(status(412, 'PreconditionFailed'));
    await expect(read({ IfUnmodifiedSince: new Date(0) })).rejects.toMatchObject(status(412));
    await expect(read({ IfNoneMatch: '"other"', IfModifiedSince: new Date() })).resolves.toBeDefined();
    await expect(read({ IfMatch: ETag, IfUnmodifiedSince: new Date(0) })).resolves.toBeDefined();
  });
});

describe('a range', () => {
  test.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=3-5', '345', 'bytes 3-5/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=-20', '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=5-3', '0123456789', undefined],
    ['lines=1-2', '0123456789', undefined],
  ])('%s is %s', async (Range, expected, contentRange) => {
    await put('digits', '0123456789');
    const answer = await s3.send(new GetObjectCommand({ Bucket, Key: 'digits', Range }));
    expect(answer.ContentRange).toBe(contentRange);
    expect(answer.ContentLength).toBe(expected.length);
    expect(await answer.Body?.transformToString()).toBe(expected);
  });

  test.each(['bytes=10-', 'bytes=-0'])('%s of 10 bytes cannot be satisfied', async (Range) => {
    await put('digits', '0123456789');
    const command = new GetObjectCommand({ Bucket, Key: 'digits', Range });
    await expect(s3.send(command)).rejects.toMatchObject(status(416, 'InvalidRange'));
  });
});

describe('a listing', () => {
  const keys = ['l/1', 'l/a/1', 'l/a/2', 'l/b/1', 'l/ä', 'l/\u{1f600}', 'l/\uffee', 'l/&<\r'];
  beforeAll(() => Promise.all(keys.map((key) => put(key, 'x'))));

  test('comes in pages, in the order of the keys in UTF-8', async () => {
    const found: (string | undefined)[] = [];
    const pages = paginateListObjectsV2({ client: s3, pageSize: 3 }, { Bucket, Prefix: 'l/' });
    for await (const { Contents = [] } of pages) found.push(...Contents.map(({ Key }) => Key));
    expect(found).toEqual(keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  });

  test('groups what is behind a delimiter, across pages as well', async () => {
    const list = (ContinuationToken?: string) =>
      s3.send(
        new ListObjectsV2Command({ Bucket, Prefix: 'l/', Delimiter: '/', MaxKeys: 3, ContinuationToken }),
      );
    const first = await list();
    expect(first).toMatchObject({
      KeyCount: 3,
      IsTruncated: true,
      Contents: [{ Key: 'l/&<\r', Size: 1, ETag: '"9dd4e461268c8034f5c8564e155c67a6"' }, { Key: 'l/1' }],
      CommonPrefixes: [{ Prefix: 'l/a/' }],
    });
    const second = await list(first.NextContinuationToken);
    expect(second).toMatchObject({ KeyCount: 3, CommonPrefixes: [{ Prefix: 'l/b/' }] });
    const third = await list(second.NextContinuationToken);
    expect(third).toMatchObject({ KeyCount: 1, IsTruncated: false, Contents: [{ Key: 'l/\u{1f600}' }] });
    expect(third.NextContinuationToken).toBeUndefined();
  });
});

describe('a caller', () => {
  beforeAll(async () => {
    jest.spyOn(console, 'log').mockReturnValue();
    await put('public/page', 'page');
    await put('private', 'secret');
  });
  afterAll(() => jest.restoreAllMocks());

  const readAs = (principal: Principal, Key: string) =>
    s3As(backend.url, principal).send(new GetObjectCommand({ Bucket, Key }));

  test('does what its policies allow, and no more', async () => {
    await expect(readAs(reader, 'public/page')).resolves.toBeDefined();
    await expect(readAs(reader, 'private')).rejects.toMatchObject({
      ...status(403, 'AccessDenied'),
      message: expect.stringContaining('is not authorized to perform: s3:GetObject'),
    });
    const write = new PutObjectCommand({ Bucket, Key: 'public/page', Body: 'mine' });
    await expect(s3As(backend.url, reader).send(write)).rejects.toMatchObject(status(403, 'AccessDenied'));
    expect(await get('public/page')).toBe('page');
  });

  test('who may not list the bucket is not told that a key does not exist', async () => {
    await expect(readAs(reader, 'public/nothing')).rejects.toMatchObject(status(403, 'AccessDenied'));
    await expect(get('public/nothing')).rejects.toMatchObject(status(404, 'NoSuchKey'));
    const head = new HeadObjectCommand({ Bucket, Key: 'public/nothing' });
    await expect(s3As(backend.url, reader).send(head)).rejects.toMatchObject(status(403));
    await expect(s3.send(head)).rejects.toMatchObject(status(404, 'NotFound'));
  });

  test('deletes the keys that it may, and is told of the others', async () => {
    await put('many/&', 'x');
    const Objects = [{ Key: 'many/&' }, { Key: 'many/nothing' }];
    const remove = new DeleteObjectsCommand({ Bucket, Delete: { Objects } });
    expect((await s3.send(remove)).Deleted).toEqual(Objects);
    await expect(get('many/&')).rejects.toMatchObject({ name: 'NoSuchKey' });
    const { Errors } = await s3As(backend.url, reader).send(remove);
    expect(Errors?.map(({ Key, Code }) => [Key, Code])).toEqual(
      Objects.map(({ Key }) => [Key, 'AccessDenied']),
    );
    const quiet = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
    expect((await s3.send(quiet)).Deleted).toBeUndefined();
  });

  test('that is a service gets in for the source in the bucket policy', async () => {
    await expect(readAs(cloudFront, 'private')).rejects.toMatchObject(status(403, 'AccessDenied'));
    const client = s3As(backend.url, cloudFront);
    client.middlewareStack.add(
      (next) => (args) => {
        (args.request as { headers: Record<string, string> }).headers['x-amz-source-arn'] = DISTRIBUTION;
        return next(args);
      },
      { step: 'build' },
    );
    await expect(client.send(new GetObjectCommand({ Bucket, Key: 'private' }))).resolves.toBeDefined();
  });

  test.each([
    ['with a key id that does not exist', { ...publisher, name: 'Nobody' }, 'InvalidAccessKeyId'],
    ['with the name of an object property', { ...publisher, name: 'constructor' }, 'InvalidAccessKeyId'],
    ['with a wrong secret', { ...publisher, secretAccessKey: 'guess' }, 'SignatureDoesNotMatch'],
  ])('%s is refused', async (_, principal, code) => {
    await expect(readAs(principal, 'public/page')).rejects.toMatchObject(status(403, code));
  });

  test('that does not sign is refused', async () => {
    const response = await fetch(`${backend.url}/sites/public/page`);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('<Code>AccessDenied</Code>');
  });
});

describe('a presigned URL', () => {
  const sign = (input: Partial<PutObjectCommandInput> = {}, options: { expiresIn?: number } = {}) =>
    getSignedUrl(s3, new PutObjectCommand({ Bucket, Key: 'signed/a b', ...input }), {
      signableHeaders: new Set(['content-type', 'content-length']),
      ...options,
    });
  const upload = (url: string, headers: Record<string, string> = {}, body = 'hello') =>
    fetch(url, { method: 'PUT', headers, body });

  // The checksum of a body that does not exist yet would be signed along.
  beforeAll(() => {
    s3.config.requestChecksumCalculation = async () => 'WHEN_REQUIRED';
  });
  afterAll(() => {
    s3.config.requestChecksumCalculation = async () => 'WHEN_SUPPORTED';
  });

  test('puts and gets with a plain HTTP client', async () => {
    const put = await upload(await sign(), { 'content-type': 'text/plain' });
    expect([put.status, put.headers.get('etag')]).toEqual([200, '"5d41402abc4b2a76b9719d911017c592"']);
    const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: 'signed/a b' }));
    const got = await fetch(url);
    expect([await got.text(), got.headers.get('content-type')]).toEqual(['hello', 'text/plain']);
  });

  test('takes the content type and the length that were signed only', async () => {
    const url = await sign({ ContentType: 'image/png', ContentLength: 5 });
    expect((await upload(url, { 'content-type': 'image/png' })).status).toBe(200);
    const refused = await Promise.all([
      upload(url, { 'content-type': 'text/html' }),
      upload(url, { 'content-type': 'image/png' }, 'longer'),
      upload(url.replace('signed/', 'signed2/'), { 'content-type': 'image/png' }),
    ]);
    for (const response of refused) {
      expect(response.status).toBe(403);
      expect(await response.text()).toContain('<Code>SignatureDoesNotMatch</Code>');
    }
  });

  test('takes no x-amz- header that was not signed', async () => {
    const response = await upload(await sign(), { 'x-amz-meta-owner': 'me' });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('x-amz-meta-owner');
  });

  test('ends', async () => {
    const signingDate = new Date(Date.now() - 61_000);
    const command = new GetObjectCommand({ Bucket, Key: 'signed/a b' });
    const response = await fetch(await getSignedUrl(s3, command, { expiresIn: 60, signingDate }));
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('Request has expired');
  });

  test('carries a checksum of the SDK in its query, which then holds', async () => {
    const url = await sign({ ChecksumSHA256: 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=' });
    expect((await upload(url, {}, 'other')).status).toBe(400);
    expect((await upload(url, {}, 'hello')).status).toBe(200);
  });
});

describe('what S3 has and this does not is refused by name:', () => {
  const signed = async (method: string, path: string) => {
    const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: 'x' }));
    return fetch(url.replace('/sites/x', path), { method });
  };

  test('a sub-resource', async () => {
    const acl = s3.send(new GetObjectAclCommand({ Bucket, Key: 'x' }));
    await expect(acl).rejects.toMatchObject({ ...status(501, 'NotImplemented'), Parameter: 'acl' });
  });

  test('a header', async () => {
    const tagged = put('x', 'x', { Tagging: 'a=b' });
    await expect(tagged).rejects.toMatchObject({ ...status(501, 'NotImplemented'), Header: 'x-amz-tagging' });
    const conditional = s3.send(new DeleteObjectCommand({ Bucket, Key: 'x', IfMatch: '"x"' }));
    await expect(conditional).rejects.toMatchObject(status(501, 'NotImplemented'));
  });

  test('a bucket that the template does not have', async () => {
    const command = new GetObjectCommand({ Bucket: 'nobodys', Key: 'x' });
    await expect(s3.send(command)).rejects.toMatchObject(status(404, 'NoSuchBucket'));
  });

  test('a malformed path', async () => {
    expect((await signed('GET', '/sites/%zz')).status).toBe(400);
  });
});

describe('a browser of another origin', () => {
  const ask = (path: string, headers: Record<string, string>, method = 'OPTIONS') =>
    fetch(`${backend.url}${path}`, { method, headers });
  const origin = 'https://app.example.com';

  test('is let in by the rules of the bucket', async () => {
    const response = await ask('/shared/x', {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'Content-Type',
    });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, PUT',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '60',
    });
    const read = await ask('/shared/x', { origin }, 'GET');
    expect(read.headers.get('access-control-allow-origin')).toBe(origin);
    expect(read.headers.get('access-control-expose-headers')).toBe('ETag');
  });

  test.each([
    [
      'another origin',
      '/shared/x',
      { origin: 'https://example.org', 'access-control-request-method': 'PUT' },
    ],
    ['another method', '/shared/x', { origin, 'access-control-request-method': 'DELETE' }],
    [
      'another header',
      '/shared/x',
      { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-other' },
    ],
    ['a bucket without rules', '/sites/x', { origin, 'access-control-request-method': 'GET' }],
  ])('is refused: %s', async (_, path, headers) => {
    const response = await ask(path, headers);
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect(await text(response.body as never)).toContain('<Code>AccessForbidden</Code>');
  });
});
