import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { lookup } from 'node:dns';
import { createServer, type RequestListener, type Server } from 'node:http';
import { post } from '../../../lambda/webhooks/post.ts';
import { type Served, serve } from '../../support/serve.ts';

const servers: Served[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Starts a receiver and returns its port. */
async function receiver(receive: RequestListener | Server): Promise<number> {
  const served = await serve(typeof receive === 'function' ? createServer(receive) : receive);
  servers.push(served);
  return served.port;
}

/** A resolver of names that returns these addresses, one list for each call. */
function resolver(...answers: string[][]) {
  const names: string[] = [];
  const resolve = (name: string, _: unknown, callback: (...result: unknown[]) => void) => {
    const addresses = answers[Math.min(names.push(name), answers.length) - 1] ?? [];
    setImmediate(
      callback,
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { names, resolve: resolve as unknown as typeof lookup };
}

const local = { allowPrivate: true };

it('sends JSON with the headers, and returns the status', async () => {
  const port = await receiver((request, response) => {
    const { method, headers } = request;
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const same = method === 'POST' && body === '{"a":"ü"}' && headers['webhook-id'] === '1';
      response.writeHead(same && headers['content-type'] === 'application/json' ? 202 : 500).end('thanks');
    });
  });
  expect(await post(`http://127.0.0.1:${port}/`, { 'webhook-id': '1' }, '{"a":"ü"}', local)).toBe(202);
});

it('does not follow redirects', async () => {
  let requests = 0;
  const port = await receiver((_, response) => {
    requests++;
    response.writeHead(307, { location: '/again' }).end();
  });
  expect(await post(`http://127.0.0.1:${port}/`, {}, '{}', local)).toBe(307);
  expect(requests).toBe(1);
});

it('gives up on a receiver that does not respond', async () => {
  const port = await receiver(() => {});
  const attempt = post(`http://127.0.0.1:${port}/`, {}, '{}', { ...local, timeoutMs: 100 });
  await expect(attempt).rejects.toThrow('No response within 0.1 s');
});

it('gives up on a name that does not resolve in time', async () => {
  const attempt = post('https://slow.test/', {}, '{}', {
    allowPrivate: false,
    resolve: (() => {}) as unknown as typeof lookup,
    timeoutMs: 100,
  });
  await expect(attempt).rejects.toThrow('No response within 0.1 s');
});

it('does not wait for data that never ends', async () => {
  const port = await receiver((_, response) => {
    response.writeHead(200).flushHeaders();
    setInterval(() => response.write('x'.repeat(20_000)), 1).unref();
  });
  expect(await post(`http://127.0.0.1:${port}/`, {}, '{}', { ...local, timeoutMs: 60_000 })).toBe(200);
});

it('does not wait for a body that never comes', async () => {
  const timeout = new AbortController();
  jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  // The time is over once the response has begun, however long that takes this machine.
  const end = () => setImmediate(() => timeout.abort());
  subscribe('http.client.response.finish', end);
  const port = await receiver((_, response) => response.writeHead(200).flushHeaders());
  expect(await post(`http://127.0.0.1:${port}/`, {}, '{}', local)).toBe(200);
  unsubscribe('http.client.response.finish', end);
  jest.restoreAllMocks();
});

describe('without private addresses', () => {
  const attempt = (url: string, { resolve }: ReturnType<typeof resolver>) =>
    post(url, {}, '{}', { allowPrivate: false, resolve, timeoutMs: 60_000 });

  it.each([
    ['10.0.0.1'],
    ['93.184.216.34', '169.254.169.254'],
    ['2606:4700::1111', '::1'],
    ['::ffff:127.0.0.1'],
    ['fd00:ec2::254'],
  ])('connects to no name with the addresses %s', async (...addresses) => {
    const names = resolver(addresses);
    await expect(attempt('https://receiver.test/', names)).rejects.toThrow(
      `receiver.test must have public addresses only, not ${addresses.join(', ')}`,
    );
  });

  it('resolves no literal address, and refuses it', async () => {
    const names = resolver(['93.184.216.34']);
    for (const host of ['127.0.0.1', '0x7f000001', '[::1]', 'localhost'])
      await expect(attempt(`https://${host}/`, names)).rejects.toThrow('The URL must be at a public address');
    expect(names.names).toEqual([]);
  });

  it('connects to the address that was checked, whatever the name resolves to later', async () => {
    let connections = 0;
    const port = await receiver(createServer().on('connection', () => connections++));
    // TEST-NET would be refused; this block is public and assigned to nobody.
    const names = resolver(['240.0.0.1'], ['127.0.0.1']);
    await expect(attempt(`https://receiver.test:${port}/`, names)).rejects.toThrow('240.0.0.1');
    const rebound = resolver(['192.0.1.1'], ['127.0.0.1']);
    await expect(attempt(`https://receiver.test:${port}/`, rebound)).rejects.toThrow();
    expect(rebound.names).toEqual(['receiver.test']);
    expect(connections).toBe(0);
  });

  it('fails for a name without addresses', async () => {
    await expect(attempt('https://receiver.test/', resolver([]))).rejects.toThrow('not none');
  });
});
