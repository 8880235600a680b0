import { bedrockWarning } from '../../../local/bedrock.ts';

const bedrock = { kind: 'bedrock', model: 'm' } as const;

it.each([
  { 'provider-a': { kind: 'blueprint' } },
  { 'provider-a': { ...bedrock, baseUrl: 'http://127.0.0.1:1' } },
] as const)('has nothing to say of %j', (providers) => {
  expect(bedrockWarning(providers)).toBeUndefined();
});

it('says that the others take over', () => {
  const providers = {
    'provider-a': bedrock,
    'provider-b': { kind: 'blueprint' },
    'provider-c': bedrock,
  } as const;
  expect(bedrockWarning(providers)).toBe(
    'Amazon Bedrock (provider-a, provider-c) works only on AWS: here it fails, and generations will go on with the next provider.',
  );
});

it('says that there is no other', () => {
  expect(bedrockWarning({ 'provider-b': bedrock })).toBe(
    'Amazon Bedrock (provider-b) works only on AWS: here it fails, and there is no other provider, so every generation will be a 503.',
  );
});
