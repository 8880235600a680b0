import { providerConfig } from '../../../../lambda/contract/providers.ts';
import { createProvider } from '../../../../lambda/generation/providers/index.ts';
import { contextTokensOf } from '../../../../lambda/generation/providers/traits.ts';
import { testRows } from '../../../support/rows.ts';

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
