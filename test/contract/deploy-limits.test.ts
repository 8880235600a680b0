import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { newCaller } from '../support/cloud/client.ts';
import { testRows } from '../support/rows.ts';

const DEPLOY = '/api/v1/deploy';

const JSON_TYPE = { 'content-type': 'application/json' };

const GZIP = { ...JSON_TYPE, 'content-encoding': 'gzip' };

const MB = 1_048_576;

const post = (value: unknown) => newCaller().post(DEPLOY, gzipSync(JSON.stringify(value)), GZIP);

const file = (path: string, content: string) => ({ path, content });

const base64 = (path: string, bytes: number) => ({
  path,
  content: randomBytes(bytes).toString('base64'),
  encoding: 'base64',
});

const files = (count: number, content = '') => Array.from({ length: count }, (_, i) => file(`${i}.txt`, content));

describe('the limits of a deploy', () => {
  testRows([
    ['200 files', files(200)],
    ['1 MB in two-byte characters', [file('a.txt', 'ä'.repeat(MB / 2))]],
    ['1 MB in base64', [base64('a.bin', MB)]],
    ['10 MB', files(10, 'a'.repeat(MB))],
    ['200 files and 10 MB', files(200, 'ä'.repeat(26_214))],
  ])('accept what is within them', async (_, sent) => {
    const { status, json } = await post({ files: sent });
    expect({ status, fileCount: json.fileCount }).toEqual({ status: 201, fileCount: sent.length });
    const last = sent.at(-1);
    const { bytes } = await newCaller().send(`/d/${json.id}/${last?.path}`);
    const encoding = last && 'encoding' in last ? 'base64' : 'utf8';
    expect(bytes.equals(Buffer.from(last?.content ?? '', encoding))).toBe(true);
  });

  testRows([
    ['201 files', files(201), 400, /files has 201 entries: at most 200/],
    ['a byte over 1 MB', [file('a.txt', `${'ä'.repeat(MB / 2)}a`)], 413, /"a.txt" has 1,048,577 bytes/],
    ['a byte over 1 MB in base64', [base64('a.bin', MB + 1)], 413, /"a.bin" has 1,048,577 bytes/],
    ['a byte over 10 MB', [...files(10, 'a'.repeat(MB)), file('b', 'b')], 413, /have 10,485,761 bytes/],
  ])('reject what is over them', async (_, sent, status, error) => {
    expect(await post({ files: sent })).toMatchObject({
      status,
      json: { error: expect.stringMatching(error) },
    });
  });

  it('accept text that compresses a thousand to one', async () => {
    const json = JSON.stringify({ files: files(10, ' '.repeat(MB)) });
    const packed = gzipSync(json, { level: 9 });
    expect(json.length / packed.length).toBeGreaterThan(1000);
    expect((await newCaller().post(DEPLOY, packed, GZIP)).status).toBe(201);
  });
});

describe('a body that is larger than 64 MB once decompressed', () => {
  const member = gzipSync(Buffer.alloc(65 * MB, ' '));
  const bombs = {
    '65 MB': member,
    // A gzip file is a sequence of members (RFC 1952, 2.2).
    '1 GB': Buffer.concat(Array<Buffer>(16).fill(member)),
  };

  testRows(Object.entries(bombs))('is a 413', async (_, bomb) => {
    expect(await newCaller().post(DEPLOY, bomb, GZIP)).toMatchObject({
      status: 413,
      json: { error: 'The decompressed body is larger than 64 MB' },
    });
  });
});
