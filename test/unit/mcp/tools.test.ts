import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { GenerationResource } from '../../../client/client.ts';
import { filesOf, generationResult, summary } from '../../../lambda/mcp/generations.ts';
import { refuseBatch } from '../../../lambda/mcp/server.ts';
import { argumentErrors, type Call, problemText } from '../../../lambda/mcp/tool.ts';
import { TOOLS } from '../../../lambda/mcp/tools.ts';
import { testRows } from '../../support/rows.ts';

const described = TOOLS.map(({ listed }) => listed);

it.each(described)('$name has schemas that validators compile, and says what it does', (tool) => {
  const ajv = addFormats.default(new Ajv2020({ strictSchema: false }));
  for (const schema of [tool.inputSchema, tool.outputSchema]) {
    expect(schema).toMatchObject({ type: 'object' });
    expect(() => ajv.compile(schema as object)).not.toThrow();
  }
  expect([tool.title, tool.description]).toEqual([expect.stringMatching(/^[A-Z]/), expect.stringMatching(/\.$/)]);
  for (const [name, property] of Object.entries((tool.inputSchema as unknown as { properties: object }).properties))
    expect([name, property]).toEqual([name, expect.objectContaining({ description: expect.any(String) })]);
});

it('says which tools change something, and which of them what visitors see', () => {
  const effects = described.map(({ name, annotations: { readOnlyHint, destructiveHint, idempotentHint } }) => [
    name,
    ...(readOnlyHint ? ['reads'] : []),
    ...(destructiveHint ? ['replaces'] : []),
    ...(idempotentHint ? ['idempotent'] : []),
  ]);
  expect(effects).toEqual([
    ['generate'],
    ['get_generation', 'reads', 'idempotent'],
    ['deploy', 'replaces'],
    ['build', 'reads', 'idempotent'],
    ['get_deployment', 'reads', 'idempotent'],
    ['get_screenshot', 'reads', 'idempotent'],
    ['change_deployment', 'replaces', 'idempotent'],
    ['claim', 'replaces', 'idempotent'],
    ['rollback', 'replaces', 'idempotent'],
    ['read_data', 'reads', 'idempotent'],
    ['list_deployments', 'reads', 'idempotent'],
    ['list_generations', 'reads', 'idempotent'],
  ]);
});

const generation: GenerationResource = {
  id: 'g',
  status: 'succeeded',
  prompt: 'p',
  model: 'auto',
  duration: 'auto',
  createdAt: 1,
  attempts: [],
  files: [{ path: 'a.txt', language: 'plaintext', bytes: 1 }],
};

it('shows a model the text of files, and names those that are not text', async () => {
  const image = {
    path: 'a.png',
    content: 'iVBORw0KGgo=',
    language: 'plaintext',
    encoding: 'base64',
  } as const;
  const { data, text } = await generationResult(generation, {} as Call, [
    { path: 'a.txt', content: 'one', language: 'plaintext' },
    image,
  ]);
  expect(text?.slice(1)).toEqual(['a.txt:\none', 'a.png is not text: only the structured result has it']);
  expect(data).toMatchObject({ contents: [{ content: 'one' }, image] });
});

it('refuses to return more than fits into the context of a model, but deploys it', async () => {
  const file = (path: string) => ({ path, content: 'x'.repeat(150_000), language: 'plaintext' });
  const files = [file('a.txt'), file('b.txt')];
  const call = { client: { generations: { result: async () => ({ files }) } } } as unknown as Call;
  expect(await filesOf(generation, call, ['b.txt'])).toEqual([files[1]]);
  await expect(filesOf(generation, call, ['a.txt', 'b.txt'])).rejects.toThrow(
    'These files have 300000 characters: read at most 200000 at once',
  );
  expect(await filesOf(generation, call)).toEqual(files);
});

testRows([
  ['is running', 'call get_generation'],
  ['is incomplete', 'call deploy'],
  ['has succeeded', 'call deploy'],
  ['has failed', 'The provider is overloaded. To try again, call generate'],
] as const)('says what to do about a generation by its status', (state, next) => {
  const status = state.split(' ')[1] as GenerationResource['status'];
  const attempt = { provider: 'provider-a', model: 'm', kind: 'write', startedAt: 1 } as const;
  const attempts = [{ ...attempt, outcome: 'overloaded', reason: 'The provider is overloaded' } as const];
  const text = summary({ ...generation, status, attempts, problems: ['a.css is missing.'] });
  expect(text).toContain(`Generation g ${state}: 1 file (a.txt). a.css is missing.`);
  expect(text).toContain(next);
});

testRows([
  ['generate', {}, 'prompt is required: a description of what to build'],
  ['get_deployment', {}, 'id is required: the id of the resource'],
  ['read_data', { id: 'x', name: 'y' }, 'read_data does not take name, only id, collection, limit, cursor, token'],
  ['list_generations', { limit: 0 }, 'limit: Too small: expected number to be >=1'],
  ['deploy', {}, 'Send either generationId or files'],
  ['deploy', { files: [{ path: 'a' }] }, 'files.0.content: content is required: '],
])('explains wrong arguments of %s', (name, args, message) => {
  const tool = TOOLS.find(({ listed }) => listed.name === name);
  const error = tool?.input.safeParse(args).error;
  expect(tool && error && argumentErrors(error, tool)).toMatch(message);
});

it('lists the problems of source with their places and lines', () => {
  const problems = [
    { message: 'Unexpected }', path: 'src/a.ts', line: 3, column: 7, excerpt: '  const a = }' },
    { message: 'There is no index.html' },
  ];
  expect(problemText(problems).split('\n')).toEqual([
    'The build failed, and nothing changed. These 2 problems must be mended first:',
    'src/a.ts:3:7: Unexpected }',
    '    const a = }',
    'There is no index.html',
  ]);
});

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const request = (body: string) => new Request('https://mcp/', { method: 'POST', body });

testRows(['[]', `[${PING}]`, `[${PING},${PING}]`, ` \n\t[${PING}]`, `\ufeff[${PING}]`])(
  'refuses a batch of any length',
  async (body) => {
    expect(await refuseBatch(request(body))).toEqual({
      statusCode: 400,
      body: {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32_600,
          message: expect.stringContaining('send each message in a request of its own'),
        },
      },
    });
  },
);

testRows([PING, `{"params":[${PING}]}`, '[', ''])('leaves other requests to the server', async (body) => {
  const sent = request(body);
  expect(await refuseBatch(sent)).toBeUndefined();
  expect(await sent.text()).toBe(body);
});
