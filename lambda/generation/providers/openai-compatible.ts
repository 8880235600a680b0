import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ConfigOf } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { modelProvider } from './ai-sdk.ts';
import type { Provider } from './provider.ts';

/** https://platform.openai.com/docs/guides/images-vision. Most local models accept none. */
const IMAGES = { types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'], byDefault: false };

/** Returns a provider for OpenAI's chat completions API, or a compatible one. */
export function openAiCompatible(config: ConfigOf<'openai-compatible'>, secret: ReadSecret): Provider {
  return modelProvider(config, secret, IMAGES, (settings) =>
    createOpenAICompatible({ ...settings, baseURL: config.baseUrl, name: config.kind })(config.model),
  );
}
