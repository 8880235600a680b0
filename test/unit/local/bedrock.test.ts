import { bedrockWarning } from '../../../local/providers.ts';
import { testRows } from '../../support/rows.ts';

const bedrock = { kind: 'bedrock', model: 'm' } as const;

testRows([
  { 'provider-a': { kind: 'blueprint' } },
  { 'provider-a': { ...bedrock, baseUrl: 'http://127.0.0.1:1' } },
] as const)('returns no warning without Bedrock, or for Bedrock at another URL', (providers) => {
  expect(bedrockWarning(providers)).toBeUndefined();
});

it('says that other providers follow', () => {
  const providers = {
    'provider-a': bedrock,
    'provider-b': { kind: 'blueprint' },
    'provider-c': bedrock,
  } as const;
  expect(bedrockWarning(providers)).toBe(
    'Amazon Bedrock (provider-a, provider-c) works on AWS only. Its attempts fail locally: generations continue with the next provider',
  );
});

it('says that there is no other provider', () => {
  expect(bedrockWarning({ 'provider-b': bedrock })).toBe(
    'Amazon Bedrock (provider-b) works on AWS only. Its attempts fail locally: every generation fails with 503, since there is no other provider',
  );
});
