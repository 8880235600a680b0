import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { main } from '../../cli/keys-command.ts';
import { newCaller } from './client.ts';
import { operate } from './keys.ts';
import { startVariant, type Variant } from './variant.ts';

/**
 * Calls that need no table but the limiter's: wrong where a right one would do something. Who is let in is told what is
 * wrong with them, whether or not a table can be reached.
 */
const CALLS: [name: string, method: string, path: string, letIn: number, away: number][] = [
  ['generate', 'POST', '/api/v1/generate', 400, 503],
  ['deploy', 'POST', '/api/v1/deploy', 400, 502],
  ['assets', 'POST', '/api/v1/assets/user-assets/', 400, 503],
  ['usage', 'GET', '/api/v1/usage?from=yesterday', 400, 503],
  ['no route', 'POST', '/api/v1/nothing', 404, 503],
];

/** More than the 3 s that an outage may take to be told, on a machine that does something else as well. */
const PATIENCE_MS = 6_000;

describe('when the table of the limiter is away', () => {
  let running: Variant;
  let known: string;
  let unknown: string;

  const newKey = async () => {
    const create = ['create', '--name', 'n', '--scopes', 'assets:write'];
    return (await operate(main, create, running.stateDir)).trim();
  };
  const call = (method: string, path: string, key?: string) =>
    newCaller(running.baseUrl).send(path, {
      method,
      headers: key === undefined ? {} : { 'x-api-key': key },
      ...(method === 'POST' ? { body: { attributes: 7 } } : {}),
    });

  beforeAll(async () => {
    running = await startVariant();
    [known, unknown] = [await newKey(), await newKey()];
    for (const [, method, path, letIn] of CALLS) expect((await call(method, path, known)).status).toBe(letIn);
    await running.killBackend();
  });
  afterAll(() => running.close());

  /** Every call is refused for an address, for a key that the function has looked up, and for one that it has not. */
  const refusesAll = () =>
    it.each(CALLS)('%s is refused', async (_, method, path, _letIn, away) => {
      const started = Date.now();
      const answers = await Promise.all([undefined, known, unknown].map((key) => call(method, path, key)));
      expect(Date.now() - started).toBeLessThan(PATIENCE_MS);
      for (const { status, headers, text, json } of answers) {
        expect({ status, text }).toEqual({ status: away, text: expect.stringMatching(/Try again in a few/) });
        expect(headers).toMatchObject({
          'content-type': 'application/json',
          'retry-after': expect.stringMatching(/^[1-9]\d*$/),
          'x-request-id': expect.any(String),
        });
        expect(json).toEqual({ error: expect.stringMatching(/cannot be reached|is unreachable/) });
        expect(text).not.toMatch(/\n\s+at |node_modules|127\.0\.0\.1|ECONN|Timeout/);
      }
    });

  describe('and takes no connections', refusesAll);

  describe('and takes connections but never answers', () => {
    const sockets: Socket[] = [];
    let silent: Server;

    beforeAll(async () => {
      silent = createServer((socket) => sockets.push(socket.on('error', () => {})));
      await once(silent.listen(running.backendPort, '127.0.0.1'), 'listening');
    });
    afterAll(async () => {
      expect(sockets.length).toBeGreaterThan(0);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
    });

    refusesAll();
  });
});
