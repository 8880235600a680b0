import {
  DeleteObjectCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { closeAtEnd } from '../support/at-end.ts';
import { account, allow, apiError, bucketAs, role, startTestBackend } from '../support/test-backend.ts';

const Bucket = 'sites';
const publisher = role('Publisher', allow('s3:*', ['arn:aws:s3:::sites', 'arn:aws:s3:::sites/*']));

const backend = closeAtEnd(await startTestBackend(account([publisher], [{ name: Bucket, policy: [] }])));
const { client: s3, put, get } = bucketAs(backend.url, publisher, Bucket);

describe('an object', () => {
  test.each([
    ['with parent segments', '../../escape'],
    ['that is a parent folder', '..'],
    ['with empty segments', '/a//b/'],
    ['with escapes', "ä ö+ü&?#%25%2F it's (a) *key*!"],
    ['of 1,024 bytes', 'x'.repeat(1024)],
    ['of 1,020 bytes in 340 characters', '日本'.repeat(170)],
  ])('can have any key, such as one %s', async (_, key) => {
    await put(key, key);
    expect(await get(key)).toBe(key);
    const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: key }));
    expect(Contents?.map(({ Key }) => Key)).toContain(key);
  });

  test('has a key of at most 1,024 bytes', async () => {
    await expect(put('x'.repeat(1025), 'x')).rejects.toMatchObject(apiError(400, 'KeyTooLongError'));
  });

  test('has a case-sensitive key', async () => {
    await put('Case', 'upper');
    await put('case', 'lower');
    expect(await get('Case')).toBe('upper');
  });

  test('can be deleted repeatedly', async () => {
    await put('gone', 'x');
    for (let time = 0; time < 2; time++) await s3.send(new DeleteObjectCommand({ Bucket, Key: 'gone' }));
    await expect(get('gone')).rejects.toMatchObject(apiError(404, 'NoSuchKey'));
  });

  test('can be read to its end while it is replaced', async () => {
    const before = Buffer.alloc(4_000_000, 'a');
    await put('replaced', before);
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: 'replaced' }));
    await put('replaced', 'short');
    expect(before.equals((await Body?.transformToByteArray()) ?? new Uint8Array())).toBe(true);
    expect(await get('replaced')).toBe('short');
  });
});

describe('a damaged upload is rejected:', () => {
  test.each([
    ['Content-MD5', { ContentMD5: Buffer.alloc(16).toString('base64') }, 'BadDigest'],
    ['an invalid Content-MD5', { ContentMD5: 'abc' }, 'InvalidDigest'],
    ['CRC32', { ChecksumCRC32: 'AAAAAA==' }, 'BadDigest'],
    ['SHA-256', { ChecksumSHA256: Buffer.alloc(32).toString('base64') }, 'BadDigest'],
    ['an unsupported checksum', { ChecksumSHA1: Buffer.alloc(20).toString('base64') }, 'NotImplemented'],
  ])('%s', async (_, checksum, code) => {
    await expect(put('damaged', 'hello', checksum)).rejects.toMatchObject({ name: code });
    await expect(get('damaged')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test('over 64 MB', async () => {
    const body = Buffer.alloc(64 * 1024 * 1024 + 1);
    await expect(put('large', body)).rejects.toMatchObject(apiError(400, 'EntityTooLarge'));
  });
});

describe('conditions', () => {
  test('If-None-Match: * lets exactly one of many writers succeed', async () => {
    const writers = Array.from({ length: 8 }, (_, index) => put('once', `${index}`, { IfNoneMatch: '*' }));
    const outcomes = await Promise.allSettled(writers);
    const winner = outcomes.findIndex((outcome) => outcome.status === 'fulfilled');
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
    expect(lost).toHaveLength(7);
    for (const error of lost) expect(error).toMatchObject(apiError(412, 'PreconditionFailed'));
    expect(await get('once')).toBe(String(winner));
  });

  test('a reader with the current version gets 304', async () => {
    const { ETag = '' } = await put('read', 'x');
    const read = (input: object) => s3.send(new GetObjectCommand({ Bucket, Key: 'read', ...input }));
    await expect(read({ IfNoneMatch: ETag })).rejects.toMatchObject(apiError(304));
    await expect(read({ IfModifiedSince: new Date() })).rejects.toMatchObject(apiError(304));
    await expect(read({ IfNoneMatch: '"other"', IfModifiedSince: new Date() })).resolves.toBeDefined();
  });
});

describe('a range', () => {
  test.each([
    ['bytes=3-5', '345', 'bytes 3-5/10'],
    ['bytes=5-3', '0123456789', undefined],
  ])('%s is %s', async (Range, expected, contentRange) => {
    await put('digits', '0123456789');
    const response = await s3.send(new GetObjectCommand({ Bucket, Key: 'digits', Range }));
    expect(response.ContentRange).toBe(contentRange);
    expect(response.ContentLength).toBe(expected.length);
    expect(await response.Body?.transformToString()).toBe(expected);
  });

  test('that begins after the end is not satisfiable', async () => {
    await put('digits', '0123456789');
    const command = new GetObjectCommand({ Bucket, Key: 'digits', Range: 'bytes=10-' });
    await expect(s3.send(command)).rejects.toMatchObject(apiError(416, 'InvalidRange'));
  });
});

describe('a listing', () => {
  const keys = ['l/1', 'l/a/1', 'l/a/2', 'l/b/1', 'l/ä', 'l/\u{1f600}', 'l/\uffee', 'l/&<\r'];
  beforeAll(() => Promise.all(keys.map((key) => put(key, 'x'))));

  test('has pages, in UTF-8 order of the keys', async () => {
    const found: (string | undefined)[] = [];
    const pages = paginateListObjectsV2({ client: s3, pageSize: 3 }, { Bucket, Prefix: 'l/' });
    for await (const { Contents = [] } of pages) found.push(...Contents.map(({ Key }) => Key));
    expect(found).toEqual(keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  });
});

describe('rejects what it does not support, by name:', () => {
  test('a sub-resource', async () => {
    const acl = s3.send(new GetObjectAclCommand({ Bucket, Key: 'x' }));
    await expect(acl).rejects.toMatchObject({ ...apiError(501, 'NotImplemented'), Parameter: 'acl' });
  });

  test('a header', async () => {
    const colder = put('x', 'x', { StorageClass: 'GLACIER' });
    await expect(colder).rejects.toMatchObject({
      ...apiError(501, 'NotImplemented'),
      Header: 'x-amz-storage-class',
    });
    const conditional = s3.send(new DeleteObjectCommand({ Bucket, Key: 'x', IfMatch: '"x"' }));
    await expect(conditional).rejects.toMatchObject(apiError(501, 'NotImplemented'));
  });

  test('a bucket that is not in the template', async () => {
    const command = new GetObjectCommand({ Bucket: 'nobodys', Key: 'x' });
    await expect(s3.send(command)).rejects.toMatchObject(apiError(404, 'NoSuchBucket'));
  });

  test('a malformed path', async () => {
    const response = await fetch(`${backend.url}/sites/%zz`);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('InvalidURI')]);
  });
});
