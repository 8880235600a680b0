import type { ProvidersConfig } from '../lambda/contract/providers.ts';

/**
 * Checks the environment variables that provide the secrets of `apiKey` locally.
 * @throws Error with a line for every provider whose variable is not set
 */
export function requireProviderKeys(providers: ProvidersConfig, env: NodeJS.ProcessEnv): void {
  const problems = Object.entries(providers).flatMap(([name, config]) => {
    const apiKey = 'apiKey' in config ? config.apiKey : undefined;
    return apiKey === undefined || env[apiKey]?.trim()
      ? []
      : [
          `${name} needs an API key: set the environment variable ${apiKey}, or remove ${name} from the configuration`,
        ];
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
