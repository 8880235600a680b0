import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { main as keysMain } from '../../../cli/keys.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { until } from '../../support/cloud/events.ts';
import { operate } from '../../support/cloud/keys.ts';
import { NO_RATE_LIMIT, startVariant } from '../../support/cloud/variant.ts';
import { withinOneDay } from '../../support/one-day.ts';
import { ptp } from '../../support/ptp.ts';
import { testRows } from '../../support/rows.ts';
import { type Script, type Step, startVendor } from '../../support/vendors/index.ts';

const GENERATE = '/api/v1/generate';
/** At the list price of claude-sonnet-5-5: 2,000 × $2, 6,000 × $0.10, 1,000 × $2.50 and 7,000 × $10 per million. */
const USED = { input: 9_000, cachedInput: 6_000, cacheWrite: 1_000, output: 7_000, reasoning: 0 };
const USD = 0.0771;

const page = (body: string): Step => ({
  text: `<file path="index.html">\n<!doctype html>\n<title>A</title>\n${body}\n</file>\n<done/>\n`,
});
const FINISH: Step = { finish: 'complete', usage: USED };
const MISSING = '<script src="app.js"></script>';
const REPAIR: Step = { text: '<file path="app.js">\nlet a = 1;\n</file>\n<done/>\n' };

/** Answers by the prompt, which is in the request. */
const script: Script = (_, { body }) => {
  const asked = JSON.stringify(body);
  if (asked.includes('Correct exactly')) return [REPAIR, { finish: 'complete' }];
  return [page(asked.includes('a broken page') ? MISSING : '<p>a</p>'), FINISH];
};

const vendors = await Promise.all([startVendor('bedrock', script), startVendor('openai-compatible', script)]);
const [bedrock, local] = vendors.map(({ baseUrl }) => baseUrl);
const hosted = { kind: 'bedrock', region: 'us-east-1', baseUrl: bedrock, parallel: 1 };
const compatible = { kind: 'openai-compatible', baseUrl: local };
const PROVIDERS = {
  'provider-a': { ...hosted, model: 'global.anthropic.claude-sonnet-5-5' },
  'provider-b': { ...hosted, model: 'vendor.unheard-of' },
  'provider-c': { ...compatible, model: 'free' },
  'provider-d': { ...compatible, model: 'priced' },
};
await withinOneDay();
const running = closeAtEnd(
  await startVariant({
    ...NO_RATE_LIMIT,
    PROVIDERS,
    PROVIDER_NAMES: Object.keys(PROVIDERS),
    PRICES: { priced: { input: 1, cachedInput: 0.5, output: 2 } },
  }),
);
const key = { 'x-api-key': (await operate(keysMain, ['create', '--name', 'test'], running.stateDir)).trimEnd() };
afterAll(() => Promise.all(vendors.map((vendor) => vendor.close())));

/** Generates, and returns the resource of the generation. */
async function generated(prompt: string, model: string, headers = {}) {
  const { post, send } = newCaller(running.baseUrl);
  const response = await post(GENERATE, { prompt, model }, headers);
  const { json } = await send(`/api/v1/generations/${response.headers['x-generation-id']}`, { headers });
  return json;
}

it('has the tokens as the vendor counts them, and what they cost', async () => {
  const generation = await generated('a cached page', 'provider-a');
  expect(generation).toMatchObject({ status: 'succeeded', cost: { usd: USD } });
  expect(generation.cost).not.toHaveProperty('repairsUsd');
  expect(generation.attempts).toMatchObject([{ usage: { ...USED, basis: 'reported' }, cost: { usd: USD } }]);
});

it('says that the price of a model is not known', async () => {
  const generation = await generated('an unpriced page', 'provider-b');
  expect(generation.attempts).toMatchObject([{ provider: 'provider-b', usage: { ...USED, basis: 'reported' } }]);
  expect(generation.attempts[0]).not.toHaveProperty('cost');
  expect(generation).not.toHaveProperty('cost');
  expect(generation.costUnknown).toMatch(/^The price of provider-b\/vendor.unheard-of is not known: /);
});

it('is free for models at private addresses, unless they have a configured price', async () => {
  const free = await generated('a page', 'provider-c');
  const reported = { input: 9_000, cachedInput: 6_000, output: 7_000, basis: 'reported' };
  expect(free.attempts).toMatchObject([{ model: 'provider-c/free', usage: reported }]);
  expect(free.cost).toEqual({ usd: 0 });
  const priced = await generated('a page', 'provider-d');
  expect(priced.attempts).toMatchObject([{ model: 'provider-d/priced', usage: reported }]);
  expect(priced.cost).toEqual({ usd: 0.02 });
});

it('is in the usage of the key, by day and operation', async () => {
  const { send } = newCaller(running.baseUrl);
  await generated('a page', 'provider-a', key);
  await generated('a page', 'provider-b', key);
  const generate = async () => {
    const { json } = await send('/api/v1/usage', { headers: key });
    return { totals: json.totals, operation: json.days.at(-1)?.operations.generate };
  };
  await until(async () => (await generate()).operation?.cost.unpriced === 1);
  const { totals, operation } = await generate();
  expect(operation.cost).toEqual({ usd: USD, unpriced: 1 });
  expect(totals.cost).toEqual({ usd: USD, unpriced: 1 });
  const id = key['x-api-key']?.split('_')[1] ?? '';
  const printed = await operate(keysMain, ['usage', id], running.stateDir);
  expect(printed).toMatch(/\tgenerate\t2\t.*\t0\.0771$/m);
});

testRows<[prompt: string, model: string, line: RegExp | undefined]>([
  ['a page', 'provider-a', /^Cost: \$0\.077$/m],
  ['a broken page', 'provider-a', /^Cost: \$0\.077, of which \$0\.0002 for repairs$/m],
  ['a page', 'provider-b', /^Cost: unknown\. The price of provider-b\/vendor\.unheard-of is not known/m],
  ['a page', 'provider-c', undefined],
])('is a line of ptp generate, unless it is free', async (prompt, model, line) => {
  const folder = join(running.stateDir, 'ptp');
  rmSync(folder, { recursive: true, force: true });
  const args = ['generate', prompt, '--model', model, '-o', folder];
  const { code, stderr } = await ptp(args, { env: { PTP_URL: running.baseUrl } });
  expect(code).toBe(0);
  if (line === undefined) expect(stderr).not.toContain('Cost');
  else expect(stderr).toMatch(line);
});
