import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import type { ConfigOf } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { without } from './adapt.ts';
import { modelProvider } from './ai-sdk.ts';
import { type Provider, ProviderFailure } from './provider.ts';
import { isThinkingClaude } from './traits.ts';

/**
 * The errors of a model without a subscription in AWS Marketplace (AccessDeniedException), and of one of Anthropic's without
 * the use case form (ResourceNotFoundException).
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-access.html
 */
const NO_ACCESS = /^HTTP (403|404): .*(access|marketplace|use case)/i;

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageBlock.html */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Bedrock refuses cache points for other models: https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html */
const CACHES = /anthropic\.claude-|amazon\.nova-/;
const CACHE_POINT = { amazonBedrock: { cachePoint: { type: 'default' } } };
const NO_CACHE = without('cache marks', /prompt caching/);

/** Without a display, newer models of Anthropic think silently. */
const WITH_THOUGHTS = { amazonBedrock: { reasoningConfig: { display: 'summarized' } } };

/** Returns how to write with Bedrock's Converse API, with the credentials and by default the region of the function. */
export function bedrock(config: ConfigOf<'bedrock'>, secret: ReadSecret): Pick<Provider, 'write'> {
  const { model } = config;
  const region = config.region === undefined ? {} : { region: config.region };
  const isClaude = model.includes('anthropic.');
  const provider = modelProvider(config, secret, {
    imageTypes: IMAGE_TYPES,
    reasoning: isThinkingClaude(model) ? 'low' : undefined,
    rules: [NO_CACHE],
    ...(CACHES.test(model) && { cacheMark: CACHE_POINT }),
    model: (settings) => createAmazonBedrock({ ...settings, ...region })(model),
    providerOptions: ({ reasoning }) =>
      isClaude && reasoning !== undefined && reasoning !== 'none' ? WITH_THOUGHTS : {},
  });
  return {
    async *write(request, signal) {
      try {
        yield* provider.write(request, signal);
      } catch (error) {
        throw withInstruction(error);
      }
    },
  };
}

function withInstruction(error: unknown): unknown {
  if (!(error instanceof ProviderFailure) || !NO_ACCESS.test(error.message)) return error;
  const instruction =
    'The account needs a Marketplace subscription of the model, and for Anthropic the use case form: call the model once in the Bedrock console';
  const { isRejected } = error;
  return new ProviderFailure('credentials', `${error.message}. ${instruction}`, { isRejected });
}
