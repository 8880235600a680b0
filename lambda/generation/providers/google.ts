import { createGoogle } from '@ai-sdk/google';
import type { ConfigOf } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { modelProvider } from './ai-sdk.ts';

/** https://ai.google.dev/gemini-api/docs/image-understanding */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** https://ai.google.dev/gemini-api/docs/thinking: the models from Gemini 2.5. */
const THINKS = /gemini-(?!1|2\.0|pro-vision)/;

/** Without thoughts, a model that thinks is silent. */
const WITH_THOUGHTS = { google: { thinkingConfig: { includeThoughts: true } } };

/** Returns how to write with Google's Gemini API. */
export function google(config: ConfigOf<'google'>, secret: ReadSecret) {
  return modelProvider(config, secret, {
    imageTypes: IMAGE_TYPES,
    reasoning: THINKS.test(config.model) ? 'low' : undefined,
    model: (settings) => createGoogle(settings)(config.model),
    providerOptions: ({ reasoning }) =>
      reasoning === undefined || reasoning === 'none' ? {} : WITH_THOUGHTS,
  });
}
