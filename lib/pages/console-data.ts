import { PROVIDER_NAMES } from '../../lambda/contract/generate.ts';
import type { ConsoleData } from '../../web/console/data.ts';
import type { StageConfig } from '../config.ts';

/** Returns what the console knows of its service. Responses name the models, too. */
export function consoleData({ providers, siteDomain, customDomains, look }: StageConfig): ConsoleData {
  const known = PROVIDER_NAMES.flatMap((name) => {
    const config = providers[name];
    return config ? [{ name, model: 'model' in config ? config.model : config.kind }] : [];
  });
  return {
    isolated: siteDomain !== undefined,
    domains: customDomains,
    looks: look.enabled,
    providers: known,
  };
}
