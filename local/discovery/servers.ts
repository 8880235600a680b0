import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import * as z from 'zod';
import { bestModel, type ListedModel } from './models.ts';

/** A port of the loopback interface that may have a model server, and the protocol of its model list. */
export type ServerAddress = readonly [port: number, protocol: keyof typeof LISTS];

export interface ModelServer {
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
 * Returns the default ports of Ollama, LM Studio, llama.cpp and vLLM, best first. The port in OLLAMA_HOST, which Ollama's
 * own commands read, replaces Ollama's.
 */
export function serverAddresses({ OLLAMA_HOST = '' }: NodeJS.ProcessEnv): ServerAddress[] {
  const ollama = Number(/:(\d{1,5})\/?$/.exec(OLLAMA_HOST)?.[1] ?? 11_434);
  const others = [1_234, 8_080, 8_000].map((port): ServerAddress => [port, 'openai']);
  return [[ollama, 'ollama'], ...others];
}

/** Returns the servers that list a model before `signal` is aborted, in the order of `addresses`. */
export async function findServers(
  addresses: readonly ServerAddress[],
  signal: AbortSignal,
): Promise<ModelServer[]> {
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
