import { createConnection } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { frontDoor } from '../../../local/cloud/front-door.ts';
import { listen } from '../../../local/cloud/listen.ts';

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
