import { createOpenAI } from '@ai-sdk/openai';
import type { ConfigOf } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { without } from './adapt.ts';
import { modelProvider } from './ai-sdk.ts';

/** https://platform.openai.com/docs/guides/images-vision */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Only verified organizations get summaries: https://help.openai.com/en/articles/10910291-api-organization-verification */
const UNVERIFIED = without('reasoning summary', /reasoning summar|reasoning\.summary/);

/** Returns how to write with OpenAI's Responses API. */
export function openai(config: ConfigOf<'openai'>, secret: ReadSecret) {
  return modelProvider(config, secret, {
    imageTypes: IMAGE_TYPES,
    // The SDK leaves it out for the models that do not reason.
    reasoning: 'low',
    rules: [UNVERIFIED],
    model: (settings) => createOpenAI(settings).responses(config.model),
    providerOptions: (options) => {
      const reasons = options.reasoning !== undefined && options.reasoning !== 'none';
      const summarizes = reasons && !options.without.includes('reasoning summary');
      return {
        openai: {
          // By default, OpenAI keeps responses for 30 days.
          store: false,
          reasoningSummary: summarizes ? 'auto' : null,
          // The SDK does not know every model that reasons.
          ...(config.reasoning !== undefined && reasons && { forceReasoning: true }),
        },
      };
    },
  });
}
