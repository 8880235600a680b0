import { createServer } from 'node:http';
import { S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { VISIT } from '../../../lambda/platform/aws.ts';
import { SiteStore } from '../../../lambda/visits/site-store.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { serve } from '../../support/serve.ts';

let requests = 0;
/** Responds to each path with as many of its ten bytes as the path ends with; none leaves out the headers, too. */
const server = createServer(({ url = '' }, response) => {
  requests++;
  const [, digit] = /(\d+)\.zip/.exec(url) ?? [];
  if (digit === '0') return;
  response.writeHead(200, { 'content-length': 10 });
  response.write('x'.repeat(Number(digit)));
});
const { url: endpoint } = closeAtEnd(await serve(server));

const archive = (version: string) => {
  const s3 = new S3Client({
    ...VISIT,
    endpoint,
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  });
  const store = new SiteStore({
    s3,
    bucket: 'sites',
    db: {} as DynamoDBDocumentClient,
    table: '',
    clock: Date.now,
  });
  return store.archive('id', { version });
};

it('reads an archive', async () => {
  expect(Buffer.from(await archive('10')).toString()).toBe('xxxxxxxxxx');
});

it.each([
  ['headers', '0', 2, { name: 'TimeoutError' }],
  ['the rest of a body', '5', 1, { name: 'AbortError', cause: { name: 'TimeoutError' } }],
])('gives up if S3 never sends %s', async (_, version, attempts, error) => {
  requests = 0;
  await expect(archive(version)).rejects.toMatchObject(error);
  expect(requests).toBe(attempts);
});
