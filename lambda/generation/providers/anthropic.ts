import { createAnthropic } from '@ai-sdk/anthropic';
import type { ConfigOf } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { modelProvider } from './ai-sdk.ts';
import { isThinkingClaude } from './traits.ts';

/** https://platform.claude.com/docs/en/build-with-claude/vision */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
const CACHE_MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** Returns how to write with Anthropic's Messages API. */
export function anthropic(config: ConfigOf<'anthropic'>, secret: ReadSecret) {
  return modelProvider(config, secret, {
    imageTypes: IMAGE_TYPES,
    reasoning: isThinkingClaude(config.model) ? 'low' : undefined,
    cacheMark: CACHE_MARK,
    model: (settings) => createAnthropic(settings)(config.model),
  });
}
