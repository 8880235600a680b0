import { createOpenAI } from '@ai-sdk/openai';
import type { ConfigOf } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { modelProvider } from './ai-sdk.ts';
import type { Provider } from './provider.ts';

/** https://platform.openai.com/docs/guides/images-vision */
const IMAGES = { types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'], byDefault: true };

/** Returns a provider for OpenAI's Responses API: https://platform.openai.com/docs/api-reference/responses/create */
export function openAi(config: ConfigOf<'openai'>, secret: ReadSecret): Provider {
  return modelProvider(config, secret, {
    images: IMAGES,
    open: (settings) => createOpenAI(settings).responses(config.model),
    options: ({ refused }) => ({
      openai: {
        // OpenAI would keep every response for 30 days.
        store: false,
        // Organizations that are not verified get no summaries.
        ...(refused.has('summary') && { reasoningSummary: null }),
      },
    }),
    reasons: true,
  });
}
