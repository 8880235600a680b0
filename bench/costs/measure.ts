import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../lambda/contract/limits.ts';
import { readAssembly, type Template } from '../../local/cloud/template/template.ts';
import { type Usage, usage } from '../../local/cloud/usage.ts';
import { startVendor } from '../../test/support/vendors/index.ts';
import { filesIn, Model, messageOf, recorded } from '../../test/support/vendors/model.ts';
import { startBenchService } from '../service.ts';
import { canaryOf } from './canary.ts';
import type { Calls, Measured, RequestName } from './measured.ts';
import { TOKENS_PER_SECOND } from './tokens.ts';

const PORT = 3_180;

/** The cheapest of so many: others may include what happens in the background, such as a first read of the configuration. */
const TIMES = 3;

/** After a response, until nothing has been used for this time: the end of a generation is written after it. */
const QUIET_MS = 1_000;

/** More than all requests before the last one, which is to be refused. */
const LIMIT = 200;

const PROMPT = 'a timer';
const PAGE = ['index.html', 'style.css', 'script.js'].map((path) => ({ path, content: `/* ${path} */` }));

/** Characters per second that the model writes. */
const PACE = TOKENS_PER_SECOND * LIMITS.charactersPerToken;

const configOf = (baseUrl: string) => ({
  providers: {
    'provider-a': { kind: 'blueprint' },
    'provider-b': { kind: 'openai-compatible', model: 'm', baseUrl },
  },
  // A model on this machine is free unless it has a price, and then its attempts are no part of a budget.
  prices: { m: { input: 1, output: 1 } },
  rateLimit: { windowSeconds: 3_600, anonymous: LIMIT, reads: 1_000_000 },
  canary: { enabled: true },
});

/** Measures every request against a local cloud of its own. */
export async function measure(): Promise<Measured> {
  const uses: Usage[] = [];
  usage.subscribe((use) => void uses.push(use as Usage));
  const model = new Model(filesIn(recorded('snake')));
  const vendor = await startVendor('openai-compatible', (_number, { body }) => [
    { text: model.answer(messageOf(body.messages)), pace: PACE },
    { finish: 'complete' },
  ]);
  const service = await startBenchService(configOf(vendor.baseUrl), PORT);
  const send = sender(service.baseUrl);
  const callsOf = async (perform: () => Promise<unknown>): Promise<Calls> => {
    await quiet(uses);
    uses.length = 0;
    await perform();
    await quiet(uses);
    return callsIn(uses);
  };
  const cheapestOf = async (perform: () => Promise<unknown>): Promise<Calls> => {
    await perform();
    const all: Calls[] = [];
    for (let i = 0; i < TIMES; i++) all.push(await callsOf(perform));
    return all.toSorted((a, b) => size(a) - size(b))[0] as Calls;
  };
  try {
    const generated = await send.post('/api/v1/generate', { prompt: PROMPT });
    const generation = `/api/v1/generations/${generated.headers.get('x-generation-id')}`;
    const project = { files: PAGE, projectId: 'costs' };
    const deployed = await send.post('/api/v1/deploy', project);
    const token = { 'x-deployment-token': deployed.headers.get('x-deployment-token') ?? '' };
    // The last ten versions are kept, in the item that visits read.
    for (let version = 1; version < 11; version++) await send.post('/api/v1/deploy', project, token);
    const runCanary = canaryOf(service.stateDir);
    for (let version = 0; version < 11; version++) await runCanary();
    const page = new URL(((await deployed.json()) as { url: string }).url).pathname;
    const calls: Partial<Record<RequestName, Calls>> = {
      read: await cheapestOf(() => send.get(generation)),
      result: await cheapestOf(() => send.get(`${generation}/result`)),
      deploy: await cheapestOf(() => send.post('/api/v1/deploy', { files: PAGE })),
      redeploy: await cheapestOf(() => send.post('/api/v1/deploy', project, token)),
      generate: await cheapestOf(() => send.post('/api/v1/generate', { prompt: PROMPT })),
      generateAndDeploy: await cheapestOf(() =>
        send.post('/api/v1/generate', { prompt: PROMPT, deploy: true }),
      ),
      visit: await cheapestOf(() => send.get(`${page}/`)),
      zip: await cheapestOf(() => send.get(`${page}.zip`)),
      canary: await cheapestOf(runCanary),
    };
    calls.generateWithModel = await callsOf(() =>
      send.post('/api/v1/generate', { prompt: PROMPT, model: 'provider-b' }),
    );
    while ((await send.any('/api/v1/deploy', {})) !== 429);
    calls.refused = await cheapestOf(() => send.any('/api/v1/deploy', {}));
    const { Resources } = readAssembly(join(service.stateDir, 'cdk.out')).template;
    const secrets = Object.values(Resources).filter(({ Type }) => Type === 'AWS::SecretsManager::Secret');
    return {
      requests: calls as Record<RequestName, Calls>,
      memoryMb: memoryIn(Resources),
      secrets: secrets.length,
      alarms: alarmsIn(Resources),
    };
  } finally {
    await Promise.all([service.close(), vendor.close()]);
  }
}

function sender(baseUrl: string) {
  const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(baseUrl + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const checked = async (response: Response) => {
    if (response.ok) return response;
    throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  };
  return {
    get: async (path: string) => (await checked(await fetch(baseUrl + path))).arrayBuffer(),
    post: async (...sent: Parameters<typeof post>) => checked(await post(...sent)),
    /** Returns the status, whatever it is. */
    any: async (...sent: Parameters<typeof post>) => (await post(...sent)).status,
  };
}

/** Resolves when nothing was used for a while. */
async function quiet(uses: readonly Usage[]): Promise<void> {
  for (let before = -1; before !== uses.length; ) {
    before = uses.length;
    await sleep(QUIET_MS);
  }
}

function callsIn(uses: readonly Usage[]): Calls {
  const sum = (of: (use: Usage) => number) => uses.reduce((total, use) => total + of(use), 0);
  const isRead = (operation: string) =>
    operation === 'GET' || operation === 'HEAD' || operation === 'GET tagging';
  const invoked = uses.flatMap((use) => (use.service === 'lambda' ? [shortName(use.function)] : []));
  const byName = Object.groupBy(invoked, (name) => name);
  return {
    readUnits: sum((use) => (use.service === 'dynamodb' ? use.readUnits : 0)),
    writeUnits: sum((use) => (use.service === 'dynamodb' ? use.writeUnits : 0)),
    s3Reads: sum((use) => (use.service === 's3' && isRead(use.operation) ? 1 : 0)),
    // Deleting an object is free.
    s3Writes: sum((use) => (use.service === 's3' && /^(PUT|POST|GET bucket)/.test(use.operation) ? 1 : 0)),
    transitions: sum((use) => (use.service === 'states' ? 1 : 0)),
    invocations: Object.fromEntries(Object.entries(byName).map(([name, all]) => [name, all?.length ?? 0])),
  };
}

const size = ({ readUnits, writeUnits, s3Reads, s3Writes, transitions, invocations }: Calls) =>
  Object.values(invocations).reduce((sum, count) => sum + count, 0) +
  readUnits +
  writeUnits +
  s3Reads +
  s3Writes +
  transitions;

/** Returns a function's name without the hash that the CDK adds to logical ids. */
const shortName = (name: string) => name.replace(/[0-9A-F]{8}$/, '');

/** Returns how many metrics the alarms watch, each of which costs, and how many alarms combine others. */
function alarmsIn(resources: Template['Resources']): Measured['alarms'] {
  const all = Object.values(resources);
  const metrics = all
    .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
    .map(({ Properties }) => {
      const { Metrics = [] } = (Properties ?? {}) as { Metrics?: readonly { MetricStat?: object }[] };
      return Math.max(1, Metrics.filter(({ MetricStat }) => MetricStat).length);
    });
  const composites = all.filter(({ Type }) => Type === 'AWS::CloudWatch::CompositeAlarm').length;
  return { metrics: metrics.reduce((sum, count) => sum + count, 0), composites };
}

/** Returns the memory of every function in MB, by its name. */
function memoryIn(resources: Template['Resources']): Record<string, number> {
  const functions = Object.entries(resources).filter(
    ([id, { Type }]) => Type === 'AWS::Lambda::Function' && !id.startsWith('CustomCDK'),
  );
  return Object.fromEntries(
    functions.map(([id, { Properties = {} }]) => [shortName(id), Number(Properties.MemorySize ?? 128)]),
  );
}
