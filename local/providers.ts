import { PROVIDER_NAMES } from '../../lambda/contract/generate.ts';
import type { ProviderConfig } from '../../lambda/contract/providers.ts';
import { VENDORS } from './models.ts';
import { findServers, type ServerAddress, serverAddresses } from './servers.ts';

/** How long the servers of this machine have, together, to list their models. */
const PATIENCE_MS = 300;

/** A local server may load its model before the first token. */
const LOADING = { generation: { firstTokenSeconds: 90 } };

interface Found {
  readonly provider: ProviderConfig;
  readonly description: string;
}

export interface Discovery {
  /** Keys of the stage's configuration: `providers`, and `generation` if a provider is local. */
  readonly config: object;
  /** One line that says which provider is which. */
  readonly summary: string;
}

/**
 * Finds the models that this machine can use: of vendors whose API keys are in the environment, then of servers on the
 * loopback interface, then the embedded `blueprint`. Reads only whether a key is set.
 */
export async function discover(
  env: NodeJS.ProcessEnv,
  addresses: readonly ServerAddress[] = serverAddresses(env),
  signal: AbortSignal = AbortSignal.timeout(PATIENCE_MS),
): Promise<Discovery> {
  const local = await localModels(addresses, signal);
  const found = [...hostedModels(env), ...local];
  const used = found.slice(0, PROVIDER_NAMES.length - 1);
  const blueprint: Found = { provider: { kind: 'blueprint' }, description: 'blueprint (starter projects)' };
  const named = [...used, blueprint].map((one, i) => ({ name: PROVIDER_NAMES[i] ?? '', ...one }));
  const providers = Object.fromEntries(named.map(({ name, provider }) => [name, provider]));
  const rest = found.slice(used.length).map(({ description }) => description);
  return {
    config: { providers, ...(used.some((one) => local.includes(one)) && LOADING) },
    summary: [
      `Providers: ${named.map(({ name, description }) => `${name} is ${description}`).join(', ')}`,
      ...(found.length === 0 ? ['found no API key in the environment and no local model server'] : []),
      ...(rest.length > 0 ? [`not used: ${rest.join(', ')}`] : []),
    ].join('; '),
  };
}

function hostedModels(env: NodeJS.ProcessEnv): Found[] {
  // With a base URL, which the vendors' SDKs read, the key belongs to that server.
  const baseUrl = (apiKey: string) => env[apiKey.replace('API_KEY', 'BASE_URL')];
  return VENDORS.filter(([, { apiKey }]) => env[apiKey]?.trim() && !baseUrl(apiKey)?.trim()).map(
    ([name, provider]) => ({
      provider,
      description: `${provider.model} (${name}, billed to ${provider.apiKey})`,
    }),
  );
}

async function localModels(addresses: readonly ServerAddress[], signal: AbortSignal): Promise<Found[]> {
  const servers = await findServers(addresses, signal);
  return servers.map(({ origin, model }) => ({
    provider: { kind: 'openai-compatible', baseUrl: `${origin}/v1`, model },
    description: `${model} (${origin})`,
  }));
}
