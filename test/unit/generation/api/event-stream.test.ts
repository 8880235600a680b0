import { endId, eventStream } from '../../../../lambda/generation/api/event-stream.ts';
import { generationRoutes } from '../../../../lambda/generation/api/routes.ts';
import type { Generation } from '../../../../lambda/generation/generation.ts';
import { apiUrls } from '../../../../lambda/http/request.ts';
import { aGeneration, anAttempt } from '../../../support/a-generation.ts';
import { logLines } from '../../../support/log-lines.ts';

const generation = aGeneration({ log: [{ type: 'queued', at: 1 }, anAttempt(1, { startedAt: 2 })] });
const files = { content: async () => 'content', contents: async () => [], base: async () => new Map() };

/** Returns the event stream of the generation from `find`, with a clock that advances by `tick` on every reading. */
async function read(find: () => Generation | Error, after = 0, tick = 1_000, deadline = 20_000): Promise<string[]> {
  let now = 0;
  const get = async () => {
    const found = find();
    if (found instanceof Error) throw found;
    return found;
  };
  const ports = { generations: { get } as never, files, clock: () => (now += tick) };
  const texts: string[] = [];
  for await (const text of eventStream('j', after, deadline, ports)) texts.push(text);
  return texts;
}

/** Returns the texts without the comments that push events out. */
const events = (texts: string[]) => texts.filter((text) => text !== ':\n\n');

it('follows each event with a comment that pushes it out', async () => {
  const canceled: Generation = { ...generation, status: 'canceled' };
  const [, ...texts] = await read(() => canceled);
  expect(texts.map((text) => /^event: (\w+)/m.exec(text)?.[1] ?? text)).toEqual(
    ['queued', 'attempt', 'error'].flatMap((name) => [name, ':\n\n']),
  );
});

it('sends a comment after 15 seconds without events, and ends at its deadline', async () => {
  const texts = await read(() => generation, 2, 5_000, 60_000);
  expect(texts.filter((text) => text === ': keep-alive\n\n').length).toBeGreaterThanOrEqual(1);
  expect(texts.some((text) => text.includes('event:'))).toBe(false);
});

it('gives every event its position in the log as id, and resumes after one', async () => {
  const canceled: Generation = { ...generation, status: 'canceled' };
  const ids = (texts: string[]) =>
    texts.flatMap((text) => /^id: (\d+)\nevent: (\w+)/.exec(text)?.slice(1).join(' ') ?? []);
  expect(ids(await read(() => canceled))).toEqual(['1 queued', '2 attempt', '3 error']);
  expect(ids(await read(() => canceled, 1))).toEqual(['2 attempt', '3 error']);
  expect(endId(canceled)).toBe(3);
});

it('reports a fault with the last id, so that the client resumes at the same event', async () => {
  const texts = await read(() => new Error('no table'), 2);
  expect(logLines).toContainEqual(expect.stringContaining('no table'));
  expect(events(texts).at(-1)).toMatch(/^id: 2\nevent: error\ndata: {"status":500,/);
});

it('continues the stream once AWS is reachable again', async () => {
  const canceled: Generation = { ...generation, status: 'canceled' };
  let polls = 0;
  const unreachable = Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });
  const texts = await read(() => (++polls < 3 ? unreachable : canceled), 2);
  expect(events(texts).at(-1)).toMatch(/^id: 3\nevent: error\ndata: {"status":409,/);
});

describe('a request that waits for a long generation', () => {
  const ID = 'j'.repeat(21);
  const find = async () => ({ ...generation, id: ID });
  const away = Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });
  let reachable = true;
  const ports = {
    generations: { find, get: () => (reachable ? find() : Promise.reject(away)) },
    files,
    apiUrl: apiUrls('https://ptp.example'),
    clock: () => 200_000,
  } as never;
  const [, , result] = generationRoutes(ports);
  const call = (receivedAt: number) =>
    result?.call({
      id: 'r',
      method: 'GET',
      path: '/',
      target: { params: { id: ID } } as never,
      stage: 'api',
      query: {},
      sourceIp: '',
      headers: {},
      throughDistribution: true,
      rawBody: () => Buffer.of(),
      receivedAt,
    });

  it('is redirected to the result after 110 s', async () => {
    const response = await call(200_000 - 110_000);
    const Location = `https://ptp.example/api/v1/generations/${ID}/result`;
    expect(response).toEqual({
      statusCode: 303,
      headers: { 'X-Generation-Id': ID, Location },
      body: expect.objectContaining({ id: ID, status: 'running' }),
    });
  });

  it('names the generation in the error when AWS is out of reach until the end', async () => {
    reachable = false;
    await expect(call(200_000 - 110_000)).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(new RegExp(`look at the generation .* GET /api/v1/generations/${ID}$`)),
      headers: { 'X-Generation-Id': ID, 'Retry-After': '2' },
    });
    reachable = true;
  });
});

it('sends the files that are being written when they change, with the id before and without complete ones', async () => {
  const file = (path: string, characters: number) => ({ path, characters, attempt: 1 });
  const stored = { path: 'a.js', language: 'javascript', bytes: 9, characters: 9, key: 'k', attempt: 1 };
  const complete = { type: 'file', ...stored } as const;
  const states: Generation[] = [
    { ...generation, writing: [file('a.js', 5)] },
    { ...generation, writing: [file('a.js', 5)] },
    { ...generation, writing: [file('a.js', 9), file('b.js', 2)] },
    { ...generation, log: [...generation.log, complete], writing: [file('a.js', 9), file('b.js', 2)] },
    { ...generation, log: [...generation.log, complete], status: 'canceled' },
  ];
  let polls = 0;
  const texts = await read(() => states[polls++] as Generation, 2);
  const sent = (id: number, ...files: object[]) => `id: ${id}\nevent: writing\ndata: ${JSON.stringify({ files })}\n\n`;
  expect(events(texts).slice(1, -1)).toEqual([
    sent(2, file('a.js', 5)),
    sent(2, file('a.js', 9), file('b.js', 2)),
    expect.stringMatching(/^id: 3\nevent: file\n/),
    sent(3, file('b.js', 2)),
  ]);
});

it('sends the files of a plan, without what only attempts need', async () => {
  const files = [{ path: 'a.js', purpose: 'all', group: 1 }];
  const log = [...generation.log, { type: 'plan', files, shared: 'State' } as const];
  const texts = await read(() => ({ ...generation, log, status: 'canceled' }), 2);
  expect(events(texts)[1]).toBe(`id: 3\nevent: plan\ndata: ${JSON.stringify({ files })}\n\n`);
});
