import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ConfigOf } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { modelProvider } from './ai-sdk.ts';
import type { Provider } from './provider.ts';

/** https://platform.openai.com/docs/guides/images-vision. Most local models accept none. */
const IMAGES = { types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'], byDefault: false };

/** Returns a provider for a server with OpenAI's chat completions API. */
export function openAiCompatible(config: ConfigOf<'openai-compatible'>, secret: ReadSecret): Provider {
  return modelProvider(config, secret, {
    images: IMAGES,
    open: (settings, { refused }) =>
      createOpenAICompatible({
        ...settings,
        baseURL: config.baseUrl,
        name: config.kind,
        includeUsage: !refused.has('stream_options'),
        transformRequestBody: refused.has('max_tokens') ? withCompletionTokens : (body) => body,
      })(config.model),
    // Unknown servers may refuse the parameter.
    reasons: false,
  });
}

/** GPT-5 and later refuse `max_tokens`. https://platform.openai.com/docs/api-reference/chat/create */
function withCompletionTokens({ max_tokens, ...body }: Readonly<Record<string, unknown>>) {
  return { ...body, max_completion_tokens: max_tokens };
}
