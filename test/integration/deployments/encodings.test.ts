import { gzipSync } from 'node:zlib';
import { newCaller } from '../../support/cloud/client.ts';
import { encodeAs } from '../../support/encode.ts';

const base64 = (path: string, bytes: Buffer) => ({
  path,
  content: bytes.toString('base64'),
  encoding: 'base64',
});
const deploy = async (...files: object[]) => (await newCaller().post('/api/v1/deploy', { files })).json;

describe('a page in an encoding other than UTF-8', () => {
  it.each([
    ['windows-1252', 'Caf\u00e9 \u201cMont\u00e9\u201d', '<meta charset="iso-8859-1">', ''],
    ['shift_jis', '日本 表示', '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">', ''],
    ['utf-16le', '日本', '', '\ufeff'],
    ['utf-16be', '日本', '', '\ufeff'],
    ['utf-8', '日本', '', '\ufeff'],
  ])('%s keeps its title, charset, and bytes except for prefixes', async (charset, title, head, mark) => {
    const html = (base: string) =>
      `${mark}<!doctype html>${head}<title>${title}</title><img src="${base}${title[0]}.png" alt="${title}">`;
    const bytes = encodeAs(charset, html('/'));
    const deployed = await deploy(base64('index.html', bytes), base64(`${title[0]}.png`, Buffer.from('PNG')));
    expect(deployed.title).toBe(title);
    const caller = newCaller();
    const answer = await caller.send(`/d/${deployed.id}/`);
    expect(answer.headers['content-type']).toBe(`text/html; charset=${charset}`);
    expect(answer.bytes.equals(encodeAs(charset, html(`/d/${deployed.id}/`)))).toBe(true);
    // The zip, in which nothing is rewritten.
    expect((await caller.send(`/d/${deployed.id}.zip`)).bytes.includes(bytes)).toBe(true);
  });
});

describe('a .svgz file', () => {
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><title>Zipped</title></svg>`);
  const zipped = gzipSync(svg);
  let path: string;
  beforeAll(async () => {
    path = `/d/${(await deploy(base64('a.svgz', zipped))).id}/a.svgz`;
  });
  const get = (headers: Record<string, string>, method = 'GET') =>
    newCaller().send(path, { headers, method });

  it('is served compressed or decoded, as the visitor accepts, with separate cache entries', async () => {
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

  it('has its encoding for HEAD and 304 too, and ranges of the compressed bytes', async () => {
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
