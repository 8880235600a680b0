import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { openEvents, until } from '../../support/cloud/events.ts';

/** Starts a proxy of the service that holds each chunk of a response until the next one, as Lambda may do with small ones. */
async function holdingProxy() {
  const { hostname, port } = new URL(cloud().baseUrl);
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const { address } = newCaller();
    const forwarded = request({ hostname, port, method, path: url, headers, localAddress: address });
    forwarded.on('response', (response) => {
      let held: Buffer | undefined;
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.on('data', (chunk: Buffer) => {
        if (held) outgoing.write(held);
        held = chunk;
      });
      response.on('end', () => outgoing.end(held));
    });
    incoming.pipe(forwarded);
    outgoing.on('close', () => forwarded.destroy());
    forwarded.on('error', () => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

it('an event arrives without the next one, also when each chunk is held until the next', async () => {
  const proxy = await holdingProxy();
  // Its provider does not answer, so that no event follows.
  const body = { prompt: 'a page', model: 'provider-b' };
  const source = await openEvents(new URL('/api/v1/generate', proxy.url), { method: 'POST', body });
  await until(() => source.events.some(({ event }) => event === 'attempt'));
  const generation = `/api/v1/generations/${source.headers['x-generation-id']}`;
  expect((await newCaller().send(generation)).json.attempts).toHaveLength(1);
  source.close();
  await newCaller().send(generation, { method: 'DELETE' });
  await proxy.close();
});
