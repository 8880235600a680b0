import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { GenerationEvent, Project } from '../../../client/client.ts';
import { failure, json, type Received, type Reply, reset, startService } from './scripted-service.ts';

const ID = 'V1StGXR8_Z5jdHi6B-myT';
const DONE = { files: [{ path: 'a', content: '😀ü', language: 'html' }], fileCount: 1, model: 'm' };
const RESOURCE = { id: ID, status: 'succeeded', matched: 'timer', prompt: 'a' };

/** What the service logs of a generation, and its end. */
const EVENTS: GenerationEvent[] = [
  { id: 1, type: 'queued', data: { at: 1 } },
  { id: 2, type: 'file', data: { path: 'a', language: 'html', bytes: 6, content: '😀ü' } },
  { id: 3, type: 'done', data: { tokensUsed: 1, duration: 1, prompt: 'a', ...DONE } },
];
const render = ({ id, type, data }: { id: number; type: string; data: unknown }) =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
const failed = (status: number) =>
  render({ id: 3, type: 'error', data: { status, body: { error: `Failed ${status}` } } });
const [QUEUED = '', FILE = '', END = ''] = EVENTS.map(render);

/** Begins a stream as the service does. */
function stream(response: ServerResponse): ServerResponse {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'x-generation-id': ID,
    'x-request-id': 'r',
  });
  return response;
}
/** Sends these parts of a stream and ends it. */
const ending =
  (...parts: string[]): Reply =>
  (response) =>
    stream(response).end(`retry: 1000\n\n${parts.join(':\n\n')}`);
/** Sends these parts of a stream and loses the connection. */
const losing =
  (...parts: string[]): Reply =>
  (response) =>
    stream(response).write(parts.join(''), () => response.socket?.destroy());

/** Responds with a generation that is over, as the service does, to requests for its events and for itself. */
const resuming: Reply = (response, request) => {
  if (request.headers.accept !== 'text/event-stream') return json(200, RESOURCE)(response, request);
  return ending(...[QUEUED, FILE, END].slice(Number(request.headers['last-event-id'] ?? 0)))(response, request);
};

const collect = async (generation: AsyncIterable<GenerationEvent>) => {
  const events: GenerationEvent[] = [];
  for await (const event of generation) events.push(event);
  return events;
};
const lines = (received: readonly Received[]) =>
  received.map(({ method, path, headers }) => `${method} ${path} ${headers['last-event-id'] ?? '-'}`);
const PATH = `/api/v1/generations/${ID}`;

describe('a generation', () => {
  it('is awaited for its project, with its id, status and starter', async () => {
    const { client, received } = await startService([ending(QUEUED, FILE, END), resuming]);
    const project = await client.generate({ prompt: 'a', duration: '5min' });
    expect(project).toEqual({ ...EVENTS[2]?.data, id: ID, status: 'succeeded', matched: 'timer' });
    expect(received[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/generate',
      json: { prompt: 'a', duration: '5min' },
    });
    expect(lines(received.slice(1))).toEqual([`GET ${PATH} -`]);
  });

  it('has the methods of a promise', async () => {
    const { client, received } = await startService([ending(QUEUED, FILE, END), resuming]);
    const generation: Promise<Project> = client.generate({ prompt: 'a' });
    const over = jest.fn();
    expect(await generation.finally(over)).toMatchObject({ id: ID });
    expect(over).toHaveBeenCalledTimes(1);
    expect(await generation.catch(() => 'failed')).toMatchObject({ id: ID });
    expect(received).toHaveLength(2);
  });

  it('passes its failure to catch, and through finally', async () => {
    const { client } = await startService([ending(QUEUED, failed(503))]);
    const generation = client.generate({ prompt: 'a' });
    const over = jest.fn();
    expect(await generation.catch(({ status }) => status)).toBe(503);
    expect(await generation.finally(over).catch(({ status }) => status)).toBe(503);
    expect(over).toHaveBeenCalledTimes(1);
  });

  it('is iterated over for its events', async () => {
    const { client, received } = await startService([ending(QUEUED, FILE, END)]);
    expect(await collect(client.generate({ prompt: 'a' }))).toEqual(EVENTS);
    expect(received).toHaveLength(1);
  });

  it('is started once, and only when it is used', async () => {
    const { client, received } = await startService([ending(QUEUED, FILE, END), resuming]);
    const generation = client.generate({ prompt: 'a' });
    await setTimeout(20);
    expect(received).toHaveLength(0);
    const [first, second, project, id] = await Promise.all([
      collect(generation),
      collect(generation),
      generation,
      generation.id,
    ]);
    expect([first, second, await collect(generation)]).toEqual([EVENTS, EVENTS, EVENTS]);
    expect(await generation).toBe(project);
    expect(id).toBe(ID);
    expect(lines(received)).toEqual(['POST /api/v1/generate -', `GET ${PATH} -`]);
  });

  it('has its id as soon as the service has created it', async () => {
    const { client, received } = await startService([(response) => stream(response).write(QUEUED), resuming]);
    const generation = client.generate({ prompt: 'a' });
    expect(await generation.id).toBe(ID);
    expect(await collect(generation)).toEqual(EVENTS);
    expect(lines(received)).toEqual(['POST /api/v1/generate -', `GET ${PATH} 1`]);
  });

  it('closes the connection once nobody reads it, and continues after the last event', async () => {
    let closed = Promise.resolve<unknown>(undefined);
    const { client, received } = await startService([
      (response) => {
        closed = new Promise((resolve) => response.on('close', resolve));
        stream(response).write(QUEUED + FILE);
      },
      resuming,
    ]);
    const generation = client.generate({ prompt: 'a' });
    for await (const event of generation) if (event.type === 'file') break;
    await closed;
    expect((await generation).id).toBe(ID);
    expect(lines(received)).toEqual(['POST /api/v1/generate -', `GET ${PATH} 2`, `GET ${PATH} -`]);
  });

  it('is found by its id: get, result, events, cancel', async () => {
    const { client, received } = await startService([resuming]);
    expect(await client.generations.get(ID)).toEqual(RESOURCE);
    expect(await client.generations.result(ID)).toMatchObject({ ...DONE, status: 'succeeded' });
    expect(await collect(client.generations.events(ID, { lastEventId: 1 }))).toEqual(EVENTS.slice(1));
    expect(await client.generations.cancel(ID)).toEqual(RESOURCE);
    expect(lines(received)).toEqual([
      `GET ${PATH} -`,
      `GET ${PATH} -`,
      `GET ${PATH} -`,
      `GET ${PATH} 1`,
      `DELETE ${PATH} -`,
    ]);
  });

  it('has no events after the last one', async () => {
    const { client } = await startService([json(200, RESOURCE)]);
    expect(await collect(client.generations.events(ID, { lastEventId: 3 }))).toEqual([]);
  });
});

describe('a lost connection', () => {
  it('before the response repeats the request under its key', async () => {
    const { client, received } = await startService([reset, json(503), ending(QUEUED, FILE, END), resuming]);
    await client.generate({ prompt: 'a' }, { idempotencyKey: 'k' });
    expect(lines(received)).toEqual([...Array(3).fill('POST /api/v1/generate -'), `GET ${PATH} -`]);
    expect(received.slice(0, 3).map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k', 'k']);
  });

  it('is given up after five minutes without progress, which an event or a comment is', async () => {
    const nothing = ending();
    const { client, waits, received } = await startService([
      ending(QUEUED),
      nothing,
      json(503, {}, { 'retry-after': '9' }),
      ending(FILE),
      nothing,
      ending(': keep-alive\n\n'),
      nothing,
    ]);
    expect(await failure(client.generate({ prompt: 'a' }))).toMatchObject({ status: 0, code: 'network' });
    expect(waits).toEqual([1, 2, 9, 1, 2, 1, 2, 4, 8, ...Array(19).fill(15)]);
    expect(lines(received.slice(-1))).toEqual([`GET ${PATH} 2`]);
  });

  it('is noticed by its silence', async () => {
    const silent: Reply = (response) => stream(response).write(QUEUED);
    const { client, waits } = await startService([silent, resuming], { silenceMs: 50 });
    expect(await collect(client.generate({ prompt: 'a' }))).toEqual(EVENTS);
    expect(waits).toEqual([1]);
  });

  it('does not repeat an event that the service sends again', async () => {
    const { client } = await startService([ending(QUEUED, FILE), ending(QUEUED, FILE, END)]);
    expect(await collect(client.generate({ prompt: 'a' }))).toEqual(EVENTS);
  });
});

describe('the files that are being written', () => {
  const written = (characters: number) => ({ files: [{ path: 'a', characters, attempt: 1 }] });
  const writing = (characters: number) => `event: writing\ndata: ${JSON.stringify(written(characters))}\n\n`;
  const event = (id: number, characters: number) => ({ id, type: 'writing', data: written(characters) });
  const [queued, file, done] = EVENTS;

  it('are events with the id of the event before them', async () => {
    const { client } = await startService([ending(QUEUED, writing(5), writing(9), FILE, END)]);
    const events = [queued, event(1, 5), event(1, 9), file, done];
    expect(await collect(client.generate({ prompt: 'a' }))).toEqual(events);
  });

  it('do not change where a lost connection is resumed', async () => {
    const { client, received } = await startService([
      losing(QUEUED, writing(5)),
      losing(writing(7)),
      ending(writing(9), FILE, END),
    ]);
    const events = [queued, event(1, 5), event(1, 7), event(1, 9), file, done];
    expect(await collect(client.generate({ prompt: 'a' }))).toEqual(events);
    expect(lines(received)).toEqual(['POST /api/v1/generate -', `GET ${PATH} 1`, `GET ${PATH} 1`]);
  });

  it('are followed from the event that a caller saw last', async () => {
    const { client, received } = await startService([losing(writing(5)), ending(FILE, END)]);
    const events = client.generations.events(ID, { lastEventId: 1 });
    expect(await collect(events)).toEqual([event(1, 5), file, done]);
    expect(lines(received)).toEqual([`GET ${PATH} 1`, `GET ${PATH} 1`]);
  });
});

describe('a failed generation', () => {
  it.each([
    [409, 'conflict'],
    [503, 'providers_failed'],
    [504, 'generation_timed_out'],
  ])('is an error of status %d at the end of its events, without a retry', async (status, code) => {
    const { client, received, waits } = await startService([ending(QUEUED, failed(status))]);
    const generation = client.generate({ prompt: 'a' });
    const events: GenerationEvent[] = [];
    const iterating = failure(
      (async () => {
        for await (const event of generation) events.push(event);
      })(),
    );
    const expected = {
      status,
      code,
      message: `Failed ${status}`,
      body: { error: `Failed ${status}` },
      requestId: 'r',
    };
    expect(await iterating).toMatchObject(expected);
    expect(await failure(generation)).toMatchObject(expected);
    expect(await failure(generation.id.then(() => generation))).toMatchObject(expected);
    expect(events).toEqual(EVENTS.slice(0, 1));
    expect([received.length, waits]).toEqual([1, []]);
  });

  it('is not one that the service failed to read, which is resumed', async () => {
    const { client, received } = await startService([ending(QUEUED, failed(500)), resuming]);
    expect(await collect(client.generate({ prompt: 'a' }))).toEqual(EVENTS);
    expect(lines(received)).toEqual(['POST /api/v1/generate -', `GET ${PATH} 1`]);
  });

  it('can be a request that was rejected', async () => {
    const { client } = await startService([json(400, { error: 'prompt is empty' })]);
    const generation = client.generate({ prompt: '' });
    const expected = { status: 400, code: 'invalid_request', message: 'prompt is empty' };
    expect(await failure(generation)).toMatchObject(expected);
    expect(await failure(generation.id)).toMatchObject(expected);
    expect(await failure(collect(generation))).toMatchObject(expected);
  });
});

it('stops waiting when its signal is aborted, and does not cancel', async () => {
  const controller = new AbortController();
  const { client, received } = await startService([(response) => stream(response).write(QUEUED)]);
  const generation = client.generate({ prompt: 'a' }, { signal: controller.signal });
  const reason = new Error('Enough');
  for await (const event of generation) {
    expect(event).toEqual(EVENTS[0]);
    controller.abort(reason);
    break;
  }
  expect(await failure(generation)).toBe(reason);
  expect(received).toHaveLength(1);
});

it('names a header of the service that a proxy has removed', async () => {
  const { client, waits } = await startService([
    (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(QUEUED),
  ]);
  expect(await failure(client.generate({ prompt: 'a' }))).toMatchObject({
    code: 'invalid_response',
    message: expect.stringContaining('has no X-Generation-Id: let the proxy'),
  });
  expect(waits).toEqual([]);
});
