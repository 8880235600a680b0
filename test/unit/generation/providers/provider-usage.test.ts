import { readFileSync } from 'node:fs';
import type { TokenUsage } from '../../../../lambda/contract/prices.ts';
import { providerConfig } from '../../../../lambda/contract/providers.ts';
import { createProvider } from '../../../../lambda/generation/providers/index.ts';
import { contextTokensOf } from '../../../../lambda/generation/providers/traits.ts';
import { REQUEST } from '../../../support/attempt-request.ts';
import { png } from '../../../support/images.ts';
import { testRows } from '../../../support/rows.ts';
import { VENDOR_KINDS, type VendorKind } from '../../../support/vendors/index.ts';
import { collect, connect, KEY, outcomeOf, textsOf, useVendors } from '../../../support/vendors/provider.ts';
import { type Finish, USAGE } from '../../../support/vendors/script.ts';

useVendors();

const USED: TokenUsage = {
  input: 9_000,
  cachedInput: 6_000,
  cacheWrite: 1_000,
  output: 7_000,
  reasoning: 2_000,
};

/** The counts that a vendor's protocol has no field for. */
const UNREPORTED: Readonly<Record<VendorKind, Partial<TokenUsage>>> = {
  anthropic: {},
  bedrock: { reasoning: 0 },
  google: { cacheWrite: 0 },
  openai: {},
  'openai-compatible': { cacheWrite: 0 },
};

describe.each(VENDOR_KINDS)('%s', (kind) => {
  testRows<[Finish]>([['complete'], ['length'], ['refused']])(
    'reports the tokens that the vendor counted',
    async (finish) => {
      const { events } = await outcomeOf(kind, [{ text: 'a' }, { finish, usage: USED }]);
      expect(events.slice(1)).toEqual([
        { type: 'usage', usage: { ...USED, ...UNREPORTED[kind] } },
        { type: 'end', reason: finish },
      ]);
    },
  );

  it('bounds the tokens of a call by what it sends', async () => {
    const more = { maxOutputTokens: 9_000 };
    const prices = { 'a-model': { input: 1, output: 1 } };
    const { vendor, provider, write } = await connect(kind, [{ finish: 'complete' }], more, undefined, {}, prices);
    const most = provider.mostTokens(REQUEST);
    await collect(write());
    const sent = textsOf(vendor.requests[0]?.body).join('');
    expect(sent).toContain(REQUEST.prompt);
    expect(most.input).toBeGreaterThanOrEqual(Buffer.byteLength(sent) / 3);
    expect(most.input).toBeLessThan(Buffer.byteLength(sent) / 2);
    expect(most.output).toBe(9_000);
  });

  it('bounds the output by the limit that the vendor named', async () => {
    const prices = { 'a-model': { input: 1, output: 1 } };
    const limits = { outputTokens: 4_096 };
    const { provider, write } = await connect(kind, [{ finish: 'complete' }], {}, undefined, limits, prices);
    expect(provider.mostTokens(REQUEST).output).toBe(32_000);
    await collect(write());
    expect(provider.mostTokens(REQUEST).output).toBe(4_096);
  });
});

it('reports no tokens if the vendor counted none', async () => {
  const usage = { ...USAGE, input: 0, output: 0 };
  const { events } = await outcomeOf('openai-compatible', [{ text: 'a' }, { finish: 'complete', usage }]);
  expect(events.map(({ type }) => type)).toEqual(['text', 'end']);
});

const PHOTO = readFileSync(new URL('../../../../docs/images/console.webp', import.meta.url));

testRows<[model: Readonly<Record<string, unknown>>, least: number, most: number]>([
  [{ kind: 'anthropic', model: 'claude-sonnet-5-5' }, 1_000, 4_784],
  [{ kind: 'openai', model: 'gpt-6.1-sol' }, 1_000, 20_000],
  [{ kind: 'google', model: 'gemini-3.8-flash' }, 2_240, 20_000],
  [{ kind: 'openai', model: 'gpt-6.1-sol', images: false }, 0, 0],
])('counts the images that a model is shown', async ({ kind, ...more }, least, most) => {
  const { provider } = await connect(kind as VendorKind, [], more, async () => KEY);
  const images = [{ path: 'assets/photo.webp', content: PHOTO }];
  const described = provider.mostTokens({ ...REQUEST, images: [{ path: 'assets/photo.webp', content: '' }] });
  const tokens = provider.mostTokens({ ...REQUEST, images }).input - described.input;
  // The size in pixels is part of the text.
  expect(tokens).toBeGreaterThanOrEqual(least);
  expect(tokens).toBeLessThanOrEqual(most + 20);
});

it('counts the pictures of a review', async () => {
  const { provider } = await connect('anthropic', [], { model: 'claude-sonnet-5-5' }, async () => KEY);
  const review = { ...REQUEST, kind: 'review', amends: true } as const;
  const screenshots = new Map([
    [390, png(390, 844)],
    [1280, png(1280, 800)],
  ] as const);
  const tokens = provider.mostTokens({ ...review, screenshots }).input - provider.mostTokens(review).input;
  // 13 × 27 and 40 × 25 squares, of which a small picture counts as 2,240 tokens.
  expect(tokens).toBe(2 * 2_240);
});

testRows<[config: Readonly<Record<string, unknown>>, output: number]>([
  [{ model: 'claude-sonnet-5-5' }, 32_000],
  [{ model: 'claude-opus-4-6' }, 32_000],
  [{ model: 'claude-haiku-4-5' }, 38_400],
  [{ model: 'claude-haiku-4-5', reasoning: 'high' }, 70_400],
  [{ model: 'claude-haiku-4-5', reasoning: 'none' }, 32_000],
])('counts the budget of thoughts that the SDK adds', async (more, output) => {
  const { vendor, provider, write } = await connect('anthropic', [{ finish: 'complete' }], more);
  await collect(write());
  expect(provider.mostTokens(REQUEST).output).toBe(output);
  expect(vendor.requests[0]?.body.max_tokens).toBeLessThanOrEqual(output);
});

const secret = async () => 'key';

const compatible = (baseUrl: string) => ({ kind: 'openai-compatible', model: 'm', baseUrl });
const hosted = (kind: string) => ({ kind, model: 'm', apiKey: 'A_KEY' });
const OPENROUTER = compatible('https://openrouter.ai/api/v1');

testRows<[config: object, quiet: boolean, parallel: number, contextTokens: number]>([
  [hosted('anthropic'), false, 4, 100_000],
  [hosted('google'), false, 4, 100_000],
  [{ kind: 'bedrock', model: 'm' }, false, 4, 100_000],
  [hosted('openai'), true, 4, 100_000],
  [{ ...hosted('openai'), reasoning: 'none', parallel: 8, contextTokens: 5_000 }, false, 8, 5_000],
  [OPENROUTER, false, 4, 24_000],
  [{ ...OPENROUTER, reasoning: 'low' }, true, 4, 24_000],
  [{ ...OPENROUTER, reasoning: 'none' }, false, 4, 24_000],
  [compatible('http://localhost:11434/v1'), false, 1, 24_000],
  [compatible('http://127.1.2.3:11434/v1'), false, 1, 24_000],
  [compatible('http://[::1]:11434/v1'), false, 1, 24_000],
  [compatible('http://gpu.localhost/v1'), false, 1, 24_000],
  [compatible('http://10.0.0.9/v1'), false, 1, 24_000],
  [compatible('http://172.31.0.9/v1'), false, 1, 24_000],
  [compatible('http://172.32.0.9/v1'), false, 4, 24_000],
  [compatible('http://192.168.1.9/v1'), false, 1, 24_000],
  [{ ...compatible('http://192.168.1.9/v1'), parallel: 2 }, false, 2, 24_000],
  [{ kind: 'blueprint' }, false, 1, expect.any(Number) as never],
  [{ kind: 'scripted', script: 'answer' }, false, 1, expect.any(Number) as never],
])('knows the limits of each kind', (config, quiet, parallel, contextTokens) => {
  const parsed = providerConfig.parse(config);
  expect(createProvider(parsed, { secret, prices: {}, clock: Date.now })).toMatchObject({ quiet, parallel });
  if ('model' in parsed) expect(contextTokensOf(parsed)).toBe(contextTokens);
});
