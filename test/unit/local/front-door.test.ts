import { createConnection } from 'node:net';
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
