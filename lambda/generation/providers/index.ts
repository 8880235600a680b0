import type { Prices } from '../../contract/prices.ts';
import type { ModelConfig, ProviderConfig } from '../../contract/providers.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { blueprint } from './blueprint.ts';
import { mostTokensOf } from './most-tokens.ts';
import { FREE, type Provider } from './provider.ts';
import { scriptedProvider } from './scripted.ts';
import { traitsOf } from './traits.ts';

/** What providers are made with, besides their configuration. */
export interface ProviderSettings {
  readonly secret: ReadSecret;
  /** The configured prices. */
  readonly prices: Prices;
  readonly clock: Clock;
}

/** Returns the configured provider. Its code and its secret are loaded only when it writes. */
export function createProvider(config: ProviderConfig, settings: ProviderSettings): Provider {
  const { secret } = settings;
  switch (config.kind) {
    case 'blueprint':
      return blueprint;
    case 'scripted':
      return scriptedProvider(config);
    case 'bedrock':
      return lazy(config, settings, async () => (await import('./bedrock.ts')).bedrock(config, secret));
    case 'anthropic':
      return lazy(config, settings, async () => (await import('./anthropic.ts')).anthropic(config, secret));
    case 'openai':
      return lazy(config, settings, async () => (await import('./openai.ts')).openai(config, secret));
    case 'google':
      return lazy(config, settings, async () => (await import('./google.ts')).google(config, secret));
    case 'openai-compatible':
      return lazy(config, settings, async () =>
        (await import('./openai-compatible.ts')).openAiCompatible(config, secret),
      );
  }
}

/** Loads a provider when it writes: the AI SDK is most of the cold start, and `blueprint` does not need it. */
function lazy(
  config: ModelConfig,
  { prices, clock }: ProviderSettings,
  load: () => Promise<Pick<Provider, 'write'>>,
): Provider {
  const traits = traitsOf(config, prices, clock());
  return {
    ...traits,
    mostTokens: (request) => (traits.isFree ? FREE.mostTokens() : mostTokensOf(config, request)),
    async *write(request, signal) {
      yield* (await load()).write(request, signal);
    },
  };
}
