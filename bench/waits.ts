import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { atMost, exactly, type Figure, percentile } from './figure.ts';
import { measureMs, share } from './ratio.ts';
import { startBenchService } from './service.ts';

const WAITS = 1_000;
/** Waits that begin in a second: the service shares the processors of this machine with those who call it. */
const PER_SECOND = 20;
const DEPLOYS = 100;
/** Spreads the deploys over the flood. */
const DEPLOY_EVERY_MS = 400;
/** Requests of one address in a minute; one of them is the generation that is waited for. */
const LIMIT = 10;

const STRANGER = '127.0.0.2';
const HANGING = { kind: 'scripted', script: 'hang' };

/** Measures the deploys of other callers while one address opens 1,000 waits for a generation that does not end. */
export async function waitsBench(): Promise<Figure[]> {
  const config = { rateLimit: { anonymous: LIMIT }, providers: { 'provider-a': HANGING } };
  const { baseUrl, close } = await startBenchService(config);
  try {
    for (let i = 0; i < 10; i++) await deploy(baseUrl);
    const quiet = await deploys(baseUrl);
    // All of its requests are in one window.
    const { headers } = await send(baseUrl, STRANGER, 'POST', '/api/v1/generate', { prompt: 'a page' });
    const url = `/api/v1/generations/${headers['x-generation-id']}`;
    const statuses: number[] = [];
    const waits: Promise<unknown>[] = [];
    const opened = (async () => {
      for (let i = 0; i < WAITS; i++) {
        const wait = send(baseUrl, STRANGER, 'GET', `${url}/result`);
        waits.push(wait.then(({ status }) => statuses.push(status)));
        await setTimeout(1_000 / PER_SECOND);
      }
    })();
    // The functions that the flood holds have started by then, which takes processors that the deploys share here, but not on Lambda.
    while (statuses.length < LIMIT) await setTimeout(50);
    const flooded = await deploys(baseUrl);
    await opened;
    const refused = WAITS - LIMIT + 1;
    while (statuses.length < refused) await setTimeout(50);
    await send(baseUrl, '127.0.0.3', 'DELETE', url);
    await Promise.all(waits);
    return [
      exactly(`of ${WAITS} waits of one address, refused`, count(statuses, 429), refused),
      atMost('of 100 deploys of others meanwhile, failed', flooded.failed, 0),
      share('deploys while one address waits / before, p95', { atMost: 2 }, flooded.p95, quiet.p95, 'ms'),
    ];
  } finally {
    await close();
  }
}

const count = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length;

let callers = 0;

/** Deploys a page from an address of its own. @returns whether it succeeded */
async function deploy(baseUrl: string): Promise<boolean> {
  callers++;
  const address = `127.1.${callers >> 8}.${callers & 255}`;
  const files = [{ path: 'index.html', content: '<title>Another caller</title>' }];
  return (await send(baseUrl, address, 'POST', '/api/v1/deploy', { files })).status === 201;
}

async function deploys(baseUrl: string) {
  const samples: number[] = [];
  let failed = 0;
  for (let i = 0; i < DEPLOYS; i++) {
    const ms = await measureMs(async () => {
      if (!(await deploy(baseUrl))) failed++;
    });
    samples.push(ms);
    await setTimeout(Math.max(0, DEPLOY_EVERY_MS - ms));
  }
  return { p95: percentile(samples, 0.95), failed };
}

function send(baseUrl: string, localAddress: string, method: string, path: string, body?: unknown) {
  const { hostname, port } = new URL(baseUrl);
  const headers = { 'content-type': 'application/json', prefer: 'respond-async' };
  return new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
    const to = { host: '127.0.0.1', port, method, path, localAddress, agent: false };
    const outgoing = request({ ...to, headers: { host: `${hostname}:${port}`, ...headers } }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    });
    outgoing.on('error', reject);
    outgoing.end(body && JSON.stringify(body));
  });
}
