import { createGoogle } from '@ai-sdk/google';
import type { ConfigOf } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { modelProvider } from './ai-sdk.ts';
import type { Provider } from './provider.ts';

/** https://ai.google.dev/gemini-api/docs/image-understanding */
const IMAGES = { types: ['image/png', 'image/jpeg', 'image/webp'], byDefault: true };

/** Without its thoughts, a model that thinks would be taken for a silent one. https://ai.google.dev/gemini-api/docs/thinking */
const THOUGHTS = { google: { thinkingConfig: { includeThoughts: true } } };

/** Returns a provider for Google's Gemini API. */
export function google(config: ConfigOf<'google'>, secret: ReadSecret): Provider {
  return modelProvider(config, secret, {
    images: IMAGES,
    open: (settings) => createGoogle(settings)(config.model),
    options: ({ refused }) => (refused.has('reasoning') ? {} : THOUGHTS),
    reasons: true,
  });
}
