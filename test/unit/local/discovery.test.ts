import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { parseConfig } from '../../../lib/config.ts';
import { bestModel, discover, type ServerAddress, serverAddresses } from '../../../local/providers.ts';
import { testRows } from '../../support/rows.ts';
import { type Served, serve } from '../../support/serve.ts';

const KEYS = {
  ANTHROPIC_API_KEY: 'secret-of-anthropic',
  OPENAI_API_KEY: 'secret-of-openai',
  GOOGLE_GENERATIVE_AI_API_KEY: 'secret-of-google',
  OPENROUTER_API_KEY: 'secret-of-openrouter',
};

const BLUEPRINT = { kind: 'blueprint' };

const servers: Served[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) void server.close();
});

/** Starts a server on the loopback interface and returns its port. */
async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  const served = await serve(server);
  servers.push(served);
  return served.port;
}

/** Starts a server that responds to one path. */
const serving = (path: string, respond: (response: ServerResponse) => void) =>
  listening(
    createServer(({ url }, response) =>
      url === path ? respond(response) : void response.writeHead(404).end('404 page not found'),
    ),
  );

const json = (path: string, body: unknown) =>
  serving(path, (response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });

const openAiList = (...ids: string[]) => ({
  object: 'list',
  data: ids.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'me' })),
});

/** A deadline that never comes, since a busy machine may take any time. */
const patiently = (addresses: ServerAddress[], env: NodeJS.ProcessEnv = {}) =>
  discover(env, addresses, new AbortController().signal);

/** Returns the providers, after checking that a configuration accepts them. */
const providersOf = ({ config }: Awaited<ReturnType<typeof discover>>) => {
  const { providers } = parseConfig(config, 'that was discovered');
  return providers;
};

it('is blueprint alone without keys and servers, and says so', async () => {
  const found = await patiently([]);
  expect(found).toEqual({
    config: { providers: { 'provider-a': BLUEPRINT } },
    summary:
      'Providers: provider-a is blueprint (starter projects); found no API key in the environment and no local model server',
  });
});

it('uses a vendor whose key is set, before blueprint', async () => {
  const found = await patiently([], { GOOGLE_GENERATIVE_AI_API_KEY: 'secret' });
  const provider = { kind: 'google', model: 'gemini-3.8-flash', apiKey: 'GOOGLE_GENERATIVE_AI_API_KEY' };
  expect(providersOf(found)).toEqual({ 'provider-a': provider, 'provider-b': BLUEPRINT });
  expect(found.summary).toBe(
    'Providers: provider-a is gemini-3.8-flash (Google, billed to GOOGLE_GENERATIVE_AI_API_KEY), ' +
      'provider-b is blueprint (starter projects)',
  );
});

it('uses the three best, then blueprint, and names the rest', async () => {
  const port = await json('/v1/models', openAiList('gpt-oss-20b'));
  const found = await patiently([[port, 'openai']], KEYS);
  expect(Object.values(providersOf(found)).map((one) => ('apiKey' in one ? one.apiKey : one.kind))).toEqual([
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'blueprint',
  ]);
  expect(found.config).not.toHaveProperty('generation');
  expect(found.summary).toMatch(
    `; not used: ~anthropic/claude-sonnet-latest (OpenRouter, billed to OPENROUTER_API_KEY), gpt-oss-20b (http://127.0.0.1:${port})`,
  );
});

it('keeps the value of every key out of the configuration and the summary', async () => {
  for (const [name, secret] of Object.entries(KEYS)) {
    const found = JSON.stringify(await patiently([], { [name]: secret }));
    expect(found).toContain(name);
    expect(found).not.toContain(secret);
  }
});

it.each([[{ OPENAI_API_KEY: ' ' }], [{ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://proxy.example/v1' }]])(
  'ignores a key that is empty or belongs to another server: %j',
  async (env) => {
    expect(providersOf(await patiently([], env))).toEqual({ 'provider-a': BLUEPRINT });
  },
);

it('uses the models of local servers, in the order of their ports, and waits longer for their first token', async () => {
  const ollama = await json('/api/tags', {
    models: [
      { name: 'qwen3-coder:480b-cloud', size: 382, remote_host: 'https://ollama.com' },
      { name: 'qwen2.5-coder:1.5b', size: 986_062_089 },
      { name: 'qwen2.5-coder:32b', size: 19_851_349_669 },
    ],
  });
  const lmStudio = await json('/v1/models', openAiList('text-embedding-nomic-embed-text-v1.5', 'phi-4'));
  const found = await patiently(
    [
      [ollama, 'ollama'],
      [lmStudio, 'openai'],
    ],
    { OPENROUTER_API_KEY: 'k' },
  );
  const local = (port: number, model: string) => ({
    kind: 'openai-compatible',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    model,
  });
  expect(Object.values(providersOf(found)).slice(1)).toEqual([
    local(ollama, 'qwen2.5-coder:32b'),
    local(lmStudio, 'phi-4'),
    BLUEPRINT,
  ]);
  expect(found.config).toMatchObject({ generation: { firstTokenSeconds: 90 } });
});

const NO_MODEL_SERVERS: [string, () => Promise<number>][] = [
  ['has models that cannot chat', () => json('/v1/models', openAiList('bge-m3', 'whisper-large-v3'))],
  ['lists null, as Go does for nothing', () => json('/v1/models', { object: 'list', data: null })],
  ['has control characters in its ids', () => json('/v1/models', openAiList('\u001b[2Jqwen3-coder'))],
  ['responds with HTML', () => serving('/v1/models', (response) => response.end('<!doctype html>'))],
  [
    'does not speak HTTP',
    () => listening(createTcpServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_10.0\r\n'))),
  ],
  [
    'is not there',
    async () => {
      const { port, close } = await serve(createServer());
      await close();
      return port;
    },
  ],
];

it.each(NO_MODEL_SERVERS)('passes over a port that %s, and uses the next', async (_, start) => {
  const addresses: ServerAddress[] = [
    [await start(), 'openai'],
    [await json('/v1/models', openAiList('devstral')), 'openai'],
  ];
  const found = Object.values(providersOf(await patiently(addresses)));
  expect(found).toEqual([expect.objectContaining({ model: 'devstral' }), BLUEPRINT]);
});

it('follows no redirect', async () => {
  let asked = false;
  const elsewhere = await serving('/v1/models', (response) => {
    asked = true;
    response.end(JSON.stringify(openAiList('phi-4')));
  });
  const port = await serving('/v1/models', (response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${elsewhere}/v1/models` }).end(),
  );
  expect(providersOf(await patiently([[port, 'openai']]))).toEqual({ 'provider-a': BLUEPRINT });
  expect(asked).toBe(false);
});

it('reads a response without an end up to a limit', async () => {
  let closed: Promise<unknown> | undefined;
  const port = await serving('/v1/models', (response) => {
    closed = once(response, 'close');
    const more = () => void (response.destroyed || response.write(' '.repeat(65_536), more));
    more();
  });
  expect(providersOf(await patiently([[port, 'openai']]))).toEqual({ 'provider-a': BLUEPRINT });
  await closed;
});

it.each([
  ['says nothing', () => {}],
  ['sends a part', (response: ServerResponse) => void response.write('{"object":"list",')],
])('gives up on a server that %s', async (_, respond) => {
  const port = await serving('/v1/models', respond);
  // With the deadline of `npm start`.
  expect(providersOf(await discover({}, [[port, 'openai']]))).toEqual({ 'provider-a': BLUEPRINT });
});

testRows([
  [['llama3.3:70b', 'gpt-oss:20b'], 'gpt-oss:20b'],
  [['qwen2.5-coder:7b', 'Qwen/Qwen3-Coder-30B-A3B-Instruct-FP8'], 'Qwen/Qwen3-Coder-30B-A3B-Instruct-FP8'],
  [['qwen2.5-coder:7b-base', 'codellama:7b'], 'codellama:7b'],
  [['nomic-embed-text:latest', 'llama3.2:3b', 'gemma3:4b'], 'llama3.2:3b'],
])('chooses the best model of a list', (ids, expected) => {
  expect(bestModel(ids.map((id) => ({ id })))).toBe(expected);
});

testRows([
  [{}, 11_434],
  [{ OLLAMA_HOST: '0.0.0.0' }, 11_434],
])('asks Ollama at its port', (env, port) => {
  expect(serverAddresses(env)).toEqual([
    [port, 'ollama'],
    [1_234, 'openai'],
    [8_080, 'openai'],
    [8_000, 'openai'],
  ]);
});
