import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import type { ConfigOf } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { modelProvider } from './ai-sdk.ts';
import { type Provider, ProviderFailure } from './provider.ts';

/**
 * The errors of a model without a subscription in AWS Marketplace (AccessDeniedException), and of one of Anthropic's without
 * the use case form (ResourceNotFoundException).
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-access.html
 */
const NO_ACCESS = /^HTTP (403|404): .*(access|marketplace|use case)/i;

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageBlock.html */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Of the many models of Bedrock, those that accept images in all of their versions. */
const SEES = /anthropic\.claude-|amazon\.nova-(?!micro)/;

const CLAUDE = /anthropic\.claude-/;

/** https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html */
const CACHES = /anthropic\.claude-|amazon\.nova-/;
const CACHE_MARK = { bedrock: { cachePoint: { type: 'default' } } };

/** Returns a provider for Bedrock's Converse API, with the credentials and by default the region of the function. */
export function bedrock(config: ConfigOf<'bedrock'>, secret: ReadSecret): Provider {
  const region = config.region === undefined ? {} : { region: config.region };
  const { model } = config;
  const provider = modelProvider(config, secret, {
    images: { types: IMAGE_TYPES, byDefault: SEES.test(model) },
    open: (settings) => createAmazonBedrock({ ...settings, ...region })(model),
    ...(CACHES.test(model) && { cacheMark: CACHE_MARK }),
    reasons: CLAUDE.test(model),
  });
  return {
    ...provider,
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
  return new ProviderFailure('credentials', `${error.message}. ${instruction}`);
}
