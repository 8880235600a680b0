import type { ProvidersConfig } from '../lambda/contract/providers.ts';

/**
 * Locally, the secret that a provider's `apiKey` names is an environment variable.
 * @throws Error with a sentence for every provider whose variable is not set
 */
export function requireProviderKeys(providers: ProvidersConfig, env: NodeJS.ProcessEnv): void {
  const sentences = Object.entries(providers).flatMap(([name, config]) => {
    const apiKey = 'apiKey' in config ? config.apiKey : undefined;
    return apiKey === undefined || env[apiKey]?.trim()
      ? []
      : [
          `${name} needs an API key: set the environment variable ${apiKey}, or take ${name} out of the configuration.`,
        ];
  });
  if (sentences.length > 0) throw new Error(sentences.join('\n'));
}
