import { hash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { callsOf } from './aws-calls.ts';
import { exactly, type Figure } from './figure.ts';
import type { Invoke } from './invoke.ts';
import { projectOf } from './project.ts';
import { type Bound, measureMs, ratio, share } from './ratio.ts';

/** The average size of 200 files of together 10 MB. */
const FILE_BYTES = 52_428;
const { files } = projectOf(200, FILE_BYTES);
const others = files.slice(1).map(({ path, content }) => ({ path, sha256: hash('sha256', content) }));
const gzipBody = (sent: readonly object[]) =>
  gzipSync(JSON.stringify({ projectId: 'incremental', files: sent }));

const [changed] = projectOf(1, FILE_BYTES).files;
const all = gzipBody(files);
const one = gzipBody([{ path: 'changed.js', content: changed?.content }, ...others]);

/** Counts the bytes and the calls to AWS of a deploy of one changed file of 200. */
export async function incrementalCosts(invoke: Invoke): Promise<Figure[]> {
  const deploy = async (body: Buffer) => {
    const event = { path: '/api/v1/deploy', body: body.toString('base64') };
    const response = await invoke({ ...event, headers: { 'Content-Encoding': 'gzip' } });
    if (response.status >= 300) throw new Error(`the deploy failed: ${response.status} ${response.body}`);
  };
  await deploy(all);
  const calls = await callsOf(() => deploy(one));
  const image = { path: 'a.webp', content: randomBytes(FILE_BYTES).toString('base64'), encoding: 'base64' };
  const sent = (name: string, limit: Bound, body: Buffer) =>
    share(`${name}, bytes sent / its bytes`, limit, body.length, FILE_BYTES, 'bytes');
  return [
    sent('deploy of 1 source file of 200', { atMost: 1.1 }, one),
    sent('deploy of 1 image of 200', 'none', gzipBody([image, ...others])),
    exactly('deploy of 1 file of 200, S3 reads', calls.s3Reads, 1),
    exactly('deploy of 1 file of 200, S3 writes', calls.s3Writes, 1),
    // The request also counts its caller, and the deploy notes who sent it: one write each.
    exactly('deploy of 1 file of 200, DynamoDB writes', calls.writes - 2, 2),
    exactly('deploy of 1 file of 200, DynamoDB reads', calls.reads, 0),
  ];
}

/** Measures the deploy of one changed file of 200 against the deploy of all of them, both compressed, over HTTP. */
export async function incrementalTime(baseUrl: string): Promise<Figure> {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const deploy = async (body: Buffer<ArrayBuffer>) => {
    const response = await fetch(`${baseUrl}/api/v1/deploy`, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status >= 300) throw new Error(`the deploy failed: ${response.status} ${text}`);
  };
  await deploy(all);
  return ratio(
    'deploy of 1 file of 200 / deploy of all, over HTTP',
    { atMost: 1 },
    () => measureMs(() => deploy(one)),
    () => measureMs(() => deploy(all)),
    { seconds: 20 },
  );
}
