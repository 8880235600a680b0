import type { ProvidersConfig } from '../lambda/contract/providers.ts';

/**
 * Returns a warning if a provider uses Amazon Bedrock, which does not know the roles of the local cloud. A provider with
 * a `baseUrl` may use another service.
 */
export function bedrockWarning(providers: ProvidersConfig): string | undefined {
  const entries = Object.entries(providers);
  const names = entries
    .filter(([, config]) => config.kind === 'bedrock' && config.baseUrl === undefined)
    .map(([name]) => name);
  if (names.length === 0) return undefined;
  const then =
    names.length === entries.length
      ? 'every generation fails with 503, since there is no other provider'
      : 'generations continue with the next provider';
  return `Amazon Bedrock (${names.join(', ')}) works on AWS only. Its attempts fail locally: ${then}`;
}
