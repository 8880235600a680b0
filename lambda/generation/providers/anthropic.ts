import { createAnthropic } from '@ai-sdk/anthropic';
import type { ConfigOf } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { modelProvider } from './ai-sdk.ts';
import type { Provider } from './provider.ts';

/** https://platform.claude.com/docs/en/build-with-claude/vision */
const IMAGES = { types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'], byDefault: true };

/** Returns a provider for Anthropic's Messages API. */
export function anthropic(config: ConfigOf<'anthropic'>, secret: ReadSecret): Provider {
  return modelProvider(config, secret, IMAGES, (settings) => createAnthropic(settings)(config.model));
}
