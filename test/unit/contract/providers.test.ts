import { providersConfig } from '../../../lambda/contract/providers.ts';
import { testRows } from '../../support/rows.ts';

const problems = (config: unknown) =>
  providersConfig
    .safeParse({ 'provider-b': config })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

testRows([
  [{ kind: 'blueprint' }],
  [{ kind: 'bedrock', model: 'eu.amazon.nova-pro-v1:0' }],
  [
    {
      kind: 'bedrock',
      model: 'm',
      region: 'us-gov-west-1',
      baseUrl: 'https://vpce-1.example',
      maxOutputTokens: 1,
    },
  ],
  [{ kind: 'openai', model: 'm', apiKey: 'OPENAI_API_KEY', reasoning: 'none', parallel: 8 }],
  [{ kind: 'google', model: 'm', apiKey: 'GOOGLE_KEY_2', baseUrl: 'https://proxy.example/v1beta/' }],
  [{ kind: 'openai-compatible', model: 'qwen3:8b', baseUrl: 'http://127.0.0.1:11434/v1' }],
  [
    {
      kind: 'openai-compatible',
      model: 'm',
      baseUrl: 'https://openrouter.ai/api/v1',
      apiKey: 'OPENROUTER_API_KEY',
    },
  ],
])('accepts every kind of provider', (config) => {
  expect(providersConfig.parse({ 'provider-b': config })).toEqual({ 'provider-b': config });
});

testRows([
  [{}, 'kind', 'is required: one of bedrock, anthropic, openai, google, openai-compatible, blueprint'],
  [{ kind: 'gpt' }, 'kind', 'must be one of bedrock'],
  [{ kind: 'openai', model: 'm' }, 'apiKey', 'is required: the name of the secret that holds the key'],
  [{ kind: 'google', apiKey: 'K' }, 'model', "is required: the vendor's name of a model"],
  [{ kind: 'openai-compatible', model: 'm' }, 'baseUrl', 'is required: the URL of the server'],
  [{ kind: 'bedrock', model: '' }, 'model', 'is empty'],
  [{ kind: 'bedrock', model: 'm', region: 'Virginia' }, 'region', 'such as us-east-1'],
  [{ kind: 'bedrock', model: 'm', maxOutputTokens: 0 }, 'maxOutputTokens', 'at least 1'],
  [{ kind: 'bedrock', model: 'm', apiKey: 'K' }, '', '"apiKey"'],
  [{ kind: 'bedrock', model: 'm', reasoning: 'max' }, 'reasoning', 'must be one of none, low, medium, high, not "max"'],
  [{ kind: 'bedrock', model: 'm', parallel: 0 }, 'parallel', 'must be at least 1'],
  [{ kind: 'bedrock', model: 'm', parallel: 9 }, 'parallel', 'must be at most 8'],
  [{ kind: 'blueprint', model: 'm' }, '', '"model"'],
])('explains what is wrong with a provider', (config, field, message) => {
  expect(problems(config)).toEqual([expect.stringContaining(message)]);
  expect(problems(config)?.[0]).toMatch(field === '' ? /^provider-b:/ : `provider-b.${field}:`);
});

testRows(['127.0.0.1:11434/v1', 'localhost', 'https://a/v1?key=1', 'https://a/v1#x', 'https://me:pass@a/v1'])(
  'rejects a URL that is no base of an API',
  (baseUrl) => {
    expect(problems({ kind: 'openai-compatible', model: 'm', baseUrl })).toEqual([
      expect.stringContaining('such as http://127.0.0.1:11434/v1'),
    ]);
  },
);

testRows(['sk-ant-api03-abc', 'sk-proj-0123', 'AIzaSyD0123456789', '0123456789abcdef0123456789abcdef'])(
  'rejects a key without repeating it',
  (apiKey) => {
    const [problem] = problems({ kind: 'anthropic', model: 'm', apiKey }) ?? [];
    expect(problem).toContain('looks like a key');
    expect(problem).not.toContain(apiKey);
  },
);

testRows(['anthropic', 'MY-KEY', '2KEYS', ''])('rejects an invalid name of a secret', (apiKey) => {
  expect(problems({ kind: 'anthropic', model: 'm', apiKey })).toEqual([
    expect.stringContaining('must be the name of a secret'),
  ]);
});
