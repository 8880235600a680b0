import { writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DnsRecords, resolverOf } from '../../local/cloud/dns.ts';
import { frontDoor } from '../../local/cloud/front-door.ts';
import { cutWhenIdle } from '../../local/cloud/http.ts';
import { listen } from '../../local/cloud/listen.ts';
import { temporaryFolder } from '../support/at-end.ts';

it('a client that sends a long body after a request line that is none reads the response', async () => {
  await using resources = new AsyncDisposableStack();
  const distributions = { forHost: () => ({ domainName: '', handle: () => Promise.reject(new Error()) }) };
  const url = await listen(
    frontDoor(distributions as never, new Map(), undefined, () => {}),
    0,
    resources,
  );
  for (let round = 0; round < 20; round++) {
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST /caf\xe9 HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n', 'latin1');
    const responded = text(socket);
    for (let part = 0; part < 30; part++) {
      await new Promise((sent) => socket.write(Buffer.alloc(10_000), sent));
    }
    socket.end();
    expect(await responded).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  }
});

it.each([
  ['a buffer', () => Buffer.alloc(5_000, 'x')],
  ['a stream', () => Readable.from(Array.from({ length: 50 }, () => Buffer.alloc(100, 'x')))],
])('counts the bytes that a response sends, with its headers: %s', async (_, body) => {
  await using resources = new AsyncDisposableStack();
  const sent = Promise.withResolvers<number>();
  const response = { status: 200, headers: [], servedBy: 'test', onSent: sent.resolve };
  const distributions = { forHost: () => ({ handle: async () => ({ ...response, body: body() }) }) };
  const url = await listen(
    frontDoor(distributions as never, new Map(), undefined, () => {}),
    0,
    resources,
  );
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
  socket.end('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const received = (await text(socket)).length;
  expect(received).toBeGreaterThan(5_000);
  expect(await sent.promise).toBe(received);
});

const folder = temporaryFolder();
const records = new DnsRecords(folder);
const resolver = new (resolverOf(records))();

const write = (content: string) => writeFileSync(join(folder, 'dns.json'), content);

it('answers from the records, which may change at any time', async () => {
  await expect(resolver.resolveTxt('a.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  write(
    JSON.stringify({
      'a.example.com': { TXT: ['one', 'x'.repeat(255)], CNAME: 'b.example.com' },
      'example.com': { SOA: 'ns.example.com' },
    }),
  );
  expect(await resolver.resolveTxt('A.example.com')).toEqual([['one'], ['x'.repeat(255)]]);
  expect(await resolver.resolveCname('a.example.com')).toEqual(['b.example.com']);
  expect(await resolver.resolveSoa('example.com')).toMatchObject({ nsname: 'ns.example.com' });
  for (const asked of [
    resolver.resolveSoa('a.example.com'),
    resolver.resolveTxt('example.com'),
    resolver.resolveCname('example.com'),
  ])
    await expect(asked).rejects.toMatchObject({ code: 'ENODATA' });
  await expect(resolver.resolveTxt('b.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

it('fails, and says why, while the file is invalid', async () => {
  write(JSON.stringify({ 'a.example.com': { MX: ['b'] } }));
  const logged = jest.spyOn(console, 'error').mockReturnValue();
  await expect(resolver.resolveTxt('a.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('MX of a.example.com'));
  logged.mockRestore();
});

it('cutWhenIdle fails if its source has failed before', async () => {
  const source = new PassThrough();
  source.once('error', () => {});
  source.destroy(new Error('the function died'));
  await new Promise((resolve) => setImmediate(resolve));
  await expect(cutWhenIdle(source, 60_000).toArray()).rejects.toThrow('the function died');
});
