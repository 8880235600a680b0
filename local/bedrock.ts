import type { ProvidersConfig } from '../lambda/contract/providers.ts';

/**
 * Amazon Bedrock is called with a function's role, and the local cloud's roles are none of AWS's.
 * @returns a sentence if there is such a provider; one with a `baseUrl` may be served by something else
 */
export function bedrockWarning(providers: ProvidersConfig): string | undefined {
  const entries = Object.entries(providers);
  const names = entries
    .filter(([, config]) => config.kind === 'bedrock' && config.baseUrl === undefined)
    .map(([name]) => name);
  if (names.length === 0) return undefined;
  const then =
    names.length === entries.length
      ? 'there is no other provider, so every generation will be a 503'
      : 'generations will go on with the next provider';
  return `Amazon Bedrock (${names.join(', ')}) works only on AWS: here it fails, and ${then}.`;
}
