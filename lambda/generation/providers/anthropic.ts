import { createAnthropic } from '@ai-sdk/anthropic';
import type { ConfigOf } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { modelProvider } from './ai-sdk.ts';
import type { Provider } from './provider.ts';

/** https://platform.claude.com/docs/en/build-with-claude/vision */
const IMAGES = { types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'], byDefault: true };

/** https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
const CACHE_MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** Returns a provider for Anthropic's Messages API. */
export function anthropic(config: ConfigOf<'anthropic'>, secret: ReadSecret): Provider {
  return modelProvider(config, secret, {
    images: IMAGES,
    open: (settings) => createAnthropic(settings)(config.model),
    cacheMark: CACHE_MARK,
    reasons: true,
  });
}
