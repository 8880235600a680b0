import type { ProviderConfig } from '../../contract/providers.ts';
import type { ReadSecret } from '../../platform/secrets.ts';
import { blueprint } from './blueprint.ts';
import type { Provider } from './provider.ts';
import { scripted } from './scripted.ts';

/** What providers need from outside. */
export interface ProviderPorts {
  readonly secret: ReadSecret;
}

/** The provider that a configuration describes. Costs nothing: what it needs is loaded and read when it writes. */
export function createProvider(config: ProviderConfig, { secret }: ProviderPorts): Provider {
  switch (config.kind) {
    case 'blueprint':
      return blueprint;
    case 'scripted':
      return scripted(config);
    case 'bedrock':
      return lazy(config.model, async () => (await import('./bedrock.ts')).bedrock(config, secret));
    case 'anthropic':
      return lazy(config.model, async () => (await import('./anthropic.ts')).anthropic(config, secret));
    case 'google':
      return lazy(config.model, async () => (await import('./google.ts')).google(config, secret));
    case 'openai-compatible':
      return lazy(config.model, async () =>
        (await import('./openai-compatible.ts')).openAiCompatible(config, secret),
      );
  }
}

/** The AI SDK is most of a bundle's cold start, and a stage with nothing but `blueprint` never runs it. */
function lazy(model: string, load: () => Promise<Provider>): Provider {
  return {
    model,
    async *write(request, signal) {
      yield* (await load()).write(request, signal);
    },
  };
}
