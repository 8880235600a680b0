import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { main } from '../../../cli/keys.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import { startVariant, type Variant } from '../../support/cloud/variant.ts';

/**
 * Calls that use only the limiter's table. They are invalid where valid ones would have an effect, so that admitted
 * ones fail validation, which needs no table.
 */
const CALLS: [name: string, method: string, path: string, live: number, unreachable: number][] = [
  ['generate', 'POST', '/api/v1/generate', 400, 503],
  ['deploy', 'POST', '/api/v1/deploy', 400, 502],
  ['assets', 'POST', '/api/v1/assets/user-assets/', 400, 503],
  ['usage', 'GET', '/api/v1/usage?from=yesterday', 400, 503],
  ['no route', 'POST', '/api/v1/nothing', 404, 503],
];

describe('while the limiter’s table is unreachable', () => {
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
    await Promise.all(
      CALLS.map(async ([, method, path, live]) =>
        expect((await call(method, path, known)).status).toBe(live),
      ),
    );
    await running.killBackend();
  });
  afterAll(() => running.close());

  /** Tests every call with an address, with a key that the function has cached, and with one that it has not. */
  const refusesAll = () => {
    let calls: Map<string, ReturnType<typeof call>[]> | undefined;
    /** All at once, since they wait for the timeouts of their functions. */
    const callAll = () =>
      new Map(
        CALLS.map(([name, method, path]) => [
          name,
          [undefined, known, unknown].map((key) => call(method, path, key)),
        ]),
      );

    it.each(CALLS)('%s is rejected', async (name, _method, _path, _live, unreachable) => {
      calls ??= callAll();
      const answers = await Promise.all(calls.get(name) ?? []);
      expect(answers).toHaveLength(3);
      for (const { status, headers, text, json } of answers) {
        expect({ status, text }).toEqual({
          status: unreachable,
          text: expect.stringMatching(/Try again in a few/),
        });
        expect(headers).toMatchObject({
          'content-type': 'application/json',
          'retry-after': expect.stringMatching(/^[1-9]\d*$/),
          'x-request-id': expect.any(String),
        });
        expect(json).toEqual({ error: expect.stringMatching(/cannot be reached|is unreachable/) });
        expect(text).not.toMatch(/\n\s+at |node_modules|127\.0\.0\.1|ECONN|Timeout/);
      }
    });
  };

  describe('and refuses connections', refusesAll);

  describe('and accepts connections without a response', () => {
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
