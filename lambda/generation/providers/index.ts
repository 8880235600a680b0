import type { Prices } from '../../contract/prices.ts';
import type { ModelConfig, ProviderConfig } from '../../contract/providers.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { blueprint } from './blueprint.ts';
import { mostTokensOf } from './most-tokens.ts';
import { FREE, type Provider } from './provider.ts';
import { scriptedProvider } from './scripted.ts';
import { traitsOf } from './traits.ts';

/** The dependencies of providers, besides their configuration. */
export interface ProviderSettings {
  readonly secret: ReadSecret;
  /** The configured prices. */
  readonly prices: Prices;
  readonly clock: Clock;
}

/** Returns the configured provider. Its code and its secret are loaded only when it writes. */
export function createProvider(config: ProviderConfig, settings: ProviderSettings): Provider {
  if (config.kind === 'blueprint') return blueprint;
  if (config.kind === 'scripted') return scriptedProvider(config);
  return modelOf(config, settings);
}

/** Loads the AI SDK when a model writes: it is most of the cold start, and `blueprint` does not need it. */
function modelOf(config: ModelConfig, { secret, prices, clock }: ProviderSettings): Provider {
  const traits = traitsOf(config, prices, clock());
  return {
    ...traits,
    mostTokens: (request) => (traits.isFree ? FREE.mostTokens() : mostTokensOf(config, request)),
    async *write(request, signal) {
      const { vendorProvider } = await import('./vendors.ts');
      yield* (await vendorProvider(config, secret)).write(request, signal);
    },
  };
}
