import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ConfigOf } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { without } from './adapt.ts';
import { modelProvider } from './ai-sdk.ts';

/** https://platform.openai.com/docs/guides/images-vision. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/**
 * Parameters that OpenAI's newer models and some other servers do not accept:
 * - https://platform.openai.com/docs/api-reference/chat/create#chat_create-max_tokens
 * - https://github.com/openai/openai-agents-python/issues/442 (Mistral)
 */
const RULES = [
  without('max_tokens', /max_tokens'? is not supported|use 'max_completion_tokens'/i),
  without('stream_options', /stream_options|include_usage/),
];

/** Returns how to write with a server that is compatible with OpenAI's chat completions API. */
export function openAiCompatible(config: ConfigOf<'openai-compatible'>, secret: ReadSecret) {
  return modelProvider(config, secret, {
    imageTypes: IMAGE_TYPES,
    reasoning: undefined,
    rules: RULES,
    model: (settings, { without }) =>
      createOpenAICompatible({
        ...settings,
        baseURL: config.baseUrl,
        name: config.kind,
        includeUsage: !without.includes('stream_options'),
        transformRequestBody: without.includes('max_tokens') ? withMaxCompletionTokens : (body) => body,
      })(config.model),
  });
}

function withMaxCompletionTokens({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens };
}
