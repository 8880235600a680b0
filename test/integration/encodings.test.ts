import { gzipSync } from 'node:zlib';
import { newCaller } from './client.ts';

const base64 = (path: string, bytes: Buffer) => ({
  path,
  content: bytes.toString('base64'),
  encoding: 'base64',
});
const deploy = async (...files: object[]) => (await newCaller().post('/api/v1/deploy', { files })).json;

describe('a .svgz file', () => {
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><title>Zipped</title></svg>`);
  const zipped = gzipSync(svg);
  let path: string;
  beforeAll(async () => {
    path = `/d/${(await deploy(base64('a.svgz', zipped))).id}/a.svgz`;
  });
  const get = (headers: Record<string, string>, method = 'GET') =>
    newCaller().send(path, { headers, method });

  it('is sent compressed, or decoded, as the visitor accepts, and the edge keeps the two apart', async () => {
    for (const _ of ['from the function', 'from the edge']) {
      for (const accepted of ['gzip, deflate, br', 'gzip']) {
        const { status, headers, bytes } = await get({ 'accept-encoding': accepted });
        expect([status, headers]).toMatchObject([
          200,
          { 'content-type': 'image/svg+xml', 'content-encoding': 'gzip', vary: 'Accept-Encoding' },
        ]);
        expect(bytes.equals(zipped)).toBe(true);
      }
      for (const accepted of ['identity', 'br']) {
        const { status, headers, text } = await get({ 'accept-encoding': accepted });
        expect([status, headers['content-type'], text]).toEqual([200, 'image/svg+xml', svg.toString()]);
        expect(headers).not.toHaveProperty('content-encoding');
      }
    }
  });

  it('is told to be compressed by HEAD and 304 too, and cut into ranges as it is sent', async () => {
    const accept = { 'accept-encoding': 'gzip' };
    const head = await get(accept, 'HEAD');
    expect([head.status, head.headers]).toMatchObject([
      200,
      { 'content-encoding': 'gzip', 'content-length': String(zipped.length) },
    ]);
    const etag = String(head.headers.etag);
    expect((await get({ ...accept, 'if-none-match': etag })).status).toBe(304);
    expect((await get({ 'if-none-match': etag })).status).toBe(200);
    const part = await get({ ...accept, range: 'bytes=0-3' });
    expect([part.status, part.bytes.equals(zipped.subarray(0, 4))]).toEqual([206, true]);
    const decoded = await get({ range: 'bytes=0-3' });
    expect([decoded.status, decoded.text]).toEqual([206, '<svg']);
  });
});
