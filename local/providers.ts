import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import * as z from 'zod';
import { PROVIDER_NAMES } from '../lambda/contract/generate.ts';
import type { ConfigOf, ProviderConfig, ProvidersConfig } from '../lambda/contract/providers.ts';

/** The time in which all servers of this machine must have listed their models. */
const PATIENCE_MS = 300;

/** A local server may load its model before the first token. */
const LOADING = { generation: { firstTokenSeconds: 90 } };

interface Found {
  readonly provider: ProviderConfig;
  readonly description: string;
}

interface Discovery {
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

type HostedModel = ConfigOf<'anthropic' | 'openai' | 'google' | 'openai-compatible'>;

/**
 * Vendors, best first, with the model for each: generally available, and in the price range of everyday work. Checked
 * on 2026-11-22 in the model lists of platform.claude.com, developers.openai.com, ai.google.dev and openrouter.ai (an
 * alias of the current model). All accept images.
 */
export const VENDORS: readonly (readonly [name: string, provider: HostedModel & { readonly apiKey: string }])[] = [
  ['Anthropic', { kind: 'anthropic', model: 'claude-sonnet-5-5', apiKey: 'ANTHROPIC_API_KEY' }],
  ['OpenAI', { kind: 'openai', model: 'gpt-6.1-sol', apiKey: 'OPENAI_API_KEY' }],
  ['Google', { kind: 'google', model: 'gemini-3.8-flash', apiKey: 'GOOGLE_GENERATIVE_AI_API_KEY' }],
  [
    'OpenRouter',
    {
      kind: 'openai-compatible',
      baseUrl: 'https://openrouter.ai/api/v1',
      model: '~anthropic/claude-sonnet-latest',
      apiKey: 'OPENROUTER_API_KEY',
      images: true,
    },
  ],
];

/** Families of local models that write code, best first; any other model follows. */
const FAMILIES = 'qwen3.*coder|qwen.*coder|devstral|deepseek.*coder|codestral|gpt-oss|code'
  .split('|')
  .map((pattern) => new RegExp(pattern, 'i'));

/** An id is printed on the terminal and becomes part of the template. */
const PRINTABLE = /^[ -~]{1,200}$/;

/** Embeddings, classifiers, speech, and base models, which only complete text. */
const CANNOT_CHAT = /embed|rerank|guard|whisper|tts|\b(bge|minilm|clip)\b|-base\b/i;

/** A model in the list of a server; `size` in bytes, if the list has it. */
interface ListedModel {
  readonly id: string;
  readonly size?: number | undefined;
}

/** Returns the model that writes code best: of the best family, the largest. */
export function bestModel(models: readonly ListedModel[]): string | undefined {
  const rank = ({ id }: ListedModel) => {
    const family = FAMILIES.findIndex((pattern) => pattern.test(id));
    return family < 0 ? FAMILIES.length : family;
  };
  return models
    .filter(({ id }) => PRINTABLE.test(id) && !CANNOT_CHAT.test(id))
    .toSorted((a, b) => rank(a) - rank(b) || (b.size ?? 0) - (a.size ?? 0))[0]?.id;
}

/** A port of the loopback interface that may have a model server, and the protocol of its model list. */
export type ServerAddress = readonly [port: number, protocol: keyof typeof LISTS];

interface ModelServer {
  readonly origin: string;
  readonly model: string;
}

const HOST = '127.0.0.1';

/** The largest list that is read: the port may belong to any program. */
const MAX_CHARACTERS = 1_000_000;

const tag = z.object({ name: z.string(), size: z.number().optional(), remote_host: z.string().optional() });

const LISTS = {
  /** https://docs.ollama.com/api/tags; a model with a `remote_host` runs on that host. */
  ollama: {
    path: '/api/tags',
    schema: z
      .object({ models: z.array(tag) })
      .transform(({ models }): ListedModel[] =>
        models.filter((model) => !model.remote_host).map(({ name, size }) => ({ id: name, size })),
      ),
  },
  /** https://platform.openai.com/docs/api-reference/models/list */
  openai: {
    path: '/v1/models',
    schema: z
      .object({ data: z.array(z.object({ id: z.string() })) })
      .transform(({ data }): readonly ListedModel[] => data),
  },
} as const;

/**
 * Returns the default ports of Ollama, LM Studio, llama.cpp and vLLM, best first. The port in OLLAMA_HOST, which
 * Ollama's own commands read, replaces Ollama's.
 */
export function serverAddresses({ OLLAMA_HOST = '' }: NodeJS.ProcessEnv): ServerAddress[] {
  const ollama = Number(/:(\d{1,5})\/?$/.exec(OLLAMA_HOST)?.[1] ?? 11_434);
  const others = [1_234, 8_080, 8_000].map((port): ServerAddress => [port, 'openai']);
  return [[ollama, 'ollama'], ...others];
}

/** Returns the servers that list a model before `signal` is aborted, in the order of `addresses`. */
async function findServers(addresses: readonly ServerAddress[], signal: AbortSignal): Promise<ModelServer[]> {
  // Whatever fails, is slow or says something else is no model server.
  const found = await Promise.all(addresses.map((address) => ask(address, signal).catch(() => undefined)));
  return found.filter((server) => server !== undefined);
}

async function ask([port, protocol]: ServerAddress, signal: AbortSignal): Promise<ModelServer | undefined> {
  const { path, schema } = LISTS[protocol];
  // Unlike fetch, this neither follows redirects, which could leave this machine, nor uses a proxy.
  const request = get({ host: HOST, port, path, signal, agent: false });
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      if (response.statusCode !== 200 || text.length > MAX_CHARACTERS) return undefined;
    }
    const model = bestModel(schema.parse(JSON.parse(text)));
    return model === undefined ? undefined : { origin: `http://${HOST}:${port}`, model };
  } finally {
    request.destroy();
  }
}

/**
 * Checks the environment variables that provide the secrets of `apiKey` locally.
 * @throws Error with a line for every provider whose variable is not set
 */
export function requireProviderKeys(providers: ProvidersConfig, env: NodeJS.ProcessEnv): void {
  const problems = Object.entries(providers).flatMap(([name, config]) => {
    const apiKey = 'apiKey' in config ? config.apiKey : undefined;
    return apiKey === undefined || env[apiKey]?.trim()
      ? []
      : [`${name} needs an API key: set the environment variable ${apiKey}, or remove ${name} from the configuration`];
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/**
 * Returns a warning if a provider uses Amazon Bedrock, which does not know the roles of the local cloud. A provider
 * with a `baseUrl` may use another service.
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
