import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ConfigOf } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { modelProvider } from './ai-sdk.ts';
import type { Provider } from './provider.ts';

/** Returns a provider for OpenAI's chat completions API, or a compatible one. */
export function openAiCompatible(config: ConfigOf<'openai-compatible'>, secret: ReadSecret): Provider {
  return modelProvider(config, secret, (settings) =>
    createOpenAICompatible({ ...settings, baseURL: config.baseUrl, name: config.kind })(config.model),
  );
}
