import { requireProviderKeys } from '../../../local/providers.ts';
import { testRows } from '../../support/rows.ts';

const providers = {
  'provider-a': { kind: 'anthropic', model: 'm', apiKey: 'ANTHROPIC_API_KEY' },
  'provider-b': { kind: 'openai-compatible', model: 'm', baseUrl: 'http://127.0.0.1:1/v1' },
  'provider-c': { kind: 'google', model: 'm', apiKey: 'GOOGLE_API_KEY' },
  'provider-d': { kind: 'blueprint' },
} as const;

it('accepts a configuration with all keys', () => {
  requireProviderKeys(providers, { ANTHROPIC_API_KEY: 'a', GOOGLE_API_KEY: 'b' });
});

testRows([{}, { GOOGLE_API_KEY: ' ' }])('names every provider without a key and its variable', (env) => {
  expect(() => requireProviderKeys(providers, env)).toThrow(
    new Error(
      'provider-a needs an API key: set the environment variable ANTHROPIC_API_KEY, or remove provider-a from the configuration\n' +
        'provider-c needs an API key: set the environment variable GOOGLE_API_KEY, or remove provider-c from the configuration',
    ),
  );
});
