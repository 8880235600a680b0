import type { ProviderConfig } from '../../contract/providers.ts';
import { blueprint } from './blueprint.ts';
import type { Provider } from './provider.ts';
import { scripted } from './scripted.ts';

/** The provider that a configuration describes. */
export function createProvider(config: ProviderConfig): Provider {
  switch (config.kind) {
    case 'blueprint':
      return blueprint;
    case 'scripted':
      return scripted(config);
  }
}
