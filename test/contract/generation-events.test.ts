import { readFileSync } from 'node:fs';
import { newCaller } from '../support/cloud/client.ts';
import { cloud } from '../support/cloud/cloud.ts';
import { openEvents, until } from '../support/cloud/events.ts';
import { newKey } from '../support/cloud/keys.ts';
import { newToken } from '../support/cloud/tokens.ts';

const GENERATE = '/api/v1/generate';
const url = (path: string) => new URL(path, cloud().baseUrl);
const stream = (caller: ReturnType<typeof newCaller>, path: string, sent: Parameters<typeof openEvents>[1] = {}) =>
  openEvents(url(path), { ...sent, localAddress: caller.address });

/** Returns the events of the log. A slow generation also has some that say what is being written, with the ids of those before. */
const logged = ({ events }: Awaited<ReturnType<typeof stream>>) => events.filter(({ event }) => event !== 'writing');

describe('Accept: text/event-stream', () => {
  it('streams the events of the generation and ends with its result', async () => {
    const caller = newCaller();
    const source = await stream(caller, GENERATE, {
      method: 'POST',
      body: { prompt: 'a to-do list', duration: '5min' },
    });
    expect(source.status).toBe(200);
    expect(source.headers['content-type']).toBe('text/event-stream');
    await source.ended;
    const events = logged(source);
    const names = events.map(({ event }) => event);
    expect([names[0], names[1], names.at(-1)]).toEqual(['queued', 'attempt', 'done']);
    expect(names).toContain('plan');
    expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
    const files = events.filter(({ event }) => event === 'file').map(({ data }) => data);
    const { data: done } = events.at(-1) as {
      data: { files: { path: string; content: string }[]; model: string };
    };
    expect(files.map(({ path, language, content }) => ({ path, content, language }))).toEqual(done.files);
    expect(done.model).toBe('provider-a/blueprint');

    const again = await caller.send(`/api/v1/generations/${source.headers['x-generation-id']}/result`);
    expect({ ...again.json, cost: { usd: 0 } }).toEqual(done);
  });

  it('resumes after Last-Event-ID, and returns JSON after the last event', async () => {
    const caller = newCaller();
    const first = await stream(caller, GENERATE, { method: 'POST', body: { prompt: 'a kanban board' } });
    await first.ended;
    const path = `/api/v1/generations/${first.headers['x-generation-id']}`;
    const rest = await stream(caller, path, { headers: { 'last-event-id': '3' } });
    await rest.ended;
    const all = logged(first).map(({ id, event, data }) => ({ id, event, data }));
    expect(logged(rest).map(({ id, event, data }) => ({ id, event, data }))).toEqual(all.slice(3));
    const headers = { accept: 'text/event-stream', 'last-event-id': String(all.length) };
    expect(await caller.send(path, { headers })).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
      json: { status: 'succeeded' },
    });
  });

  it('does not end the generation when the client disconnects', async () => {
    const caller = newCaller();
    const source = await stream(caller, GENERATE, {
      method: 'POST',
      body: { prompt: 'a page', model: 'provider-d' },
    });
    await until(() => source.events.length > 0);
    source.close();
    const result = await caller.send(`/api/v1/generations/${source.headers['x-generation-id']}/result`);
    expect(result).toMatchObject({ status: 200, json: { model: 'provider-d/scripted' } });
  });

  it('returns a JSON error for an invalid request', async () => {
    const answer = await newCaller().post(GENERATE, {}, { accept: 'text/event-stream' });
    expect(answer).toMatchObject({ status: 400, headers: { 'content-type': 'application/json' } });
  });
});

describe('DELETE', () => {
  it('cancels the generation and ends requests that wait for it', async () => {
    const caller = newCaller();
    const waiting = caller.post(
      GENERATE,
      { prompt: 'a page', model: 'provider-b' },
      { 'idempotency-key': 'cancel-me' },
    );
    const started = await caller.post(
      GENERATE,
      { prompt: 'a page', model: 'provider-b' },
      { 'idempotency-key': 'cancel-me', prefer: 'respond-async' },
    );
    const path = `/api/v1/generations/${started.json.id}`;
    const canceled = await caller.send(path, { method: 'DELETE' });
    expect(canceled).toMatchObject({ status: 200, json: { status: 'canceled' } });
    expect(await caller.send(path, { method: 'DELETE' })).toMatchObject({
      status: 200,
      json: { status: 'canceled' },
    });
    const answer = await waiting;
    expect(answer).toMatchObject({
      status: 409,
      json: { error: expect.stringMatching(/^The generation was canceled\. Details: GET/) },
    });
    const events = await stream(caller, path);
    await events.ended;
    expect(events.events.at(-1)).toMatchObject({
      event: 'error',
      data: { status: 409, body: { error: 'The generation was canceled' } },
    });
  });

  it('returns 409 once the generation is over, and 404 for an unknown one', async () => {
    const caller = newCaller();
    const done = await caller.post(GENERATE, { prompt: 'a page' });
    const refused = await caller.send(`/api/v1/generations/${done.headers['x-generation-id']}`, {
      method: 'DELETE',
    });
    expect(refused).toMatchObject({
      status: 409,
      json: { error: expect.stringContaining('cannot be canceled') },
    });
    expect((await caller.send('/api/v1/generations/unknown', { method: 'DELETE' })).status).toBe(404);
  });
});

describe('Idempotency-Key', () => {
  it('joins the existing generation and rejects another body', async () => {
    const caller = newCaller();
    const post = (prompt: string, from = caller) => from.post(GENERATE, { prompt }, { 'idempotency-key': 'key-1' });
    const [first, second] = await Promise.all([post('a calculator'), post('a calculator')]);
    expect(first?.json).toEqual(second?.json);
    expect(first?.headers['x-generation-id']).toBe(second?.headers['x-generation-id']);
    expect(await post('a quiz')).toMatchObject({
      status: 422,
      json: { error: expect.stringContaining('Idempotency-Key') },
    });
    const other = await post('a calculator', newCaller());
    expect(other.headers['x-generation-id']).not.toBe(first?.headers['x-generation-id']);
    const wrong = await caller.post(GENERATE, { prompt: 'a' }, { 'idempotency-key': 'a b' });
    expect(wrong).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('Idempotency-Key must be') },
    });
  });
});

it.each([
  ['a pomodoro timer', 'timer', 'timer'],
  ['an Unreal Engine shooter', null, 'none'],
])('for %j, matched is %j', async (prompt, matched, header) => {
  const caller = newCaller();
  const { headers } = await caller.post(GENERATE, { prompt });
  expect(headers['x-generation-matched']).toBe(header);
  const { json } = await caller.send(`/api/v1/generations/${headers['x-generation-id']}`);
  expect(json.matched).toBe(matched);
});

it('longer durations produce more files', async () => {
  const counts = await Promise.all(
    ['auto', '5min', '10min'].map(async (duration) => {
      const { json } = await newCaller().post(GENERATE, { prompt: 'a pomodoro timer', duration });
      return json.fileCount as number;
    }),
  );
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  expect(new Set(counts).size).toBe(3);
});

describe('the owner of a generation', () => {
  const paths = (id: string): [method: string, path: string][] => [
    ['GET', `/api/v1/generations/${id}`],
    ['GET', `/api/v1/generations/${id}/result`],
    ['DELETE', `/api/v1/generations/${id}`],
  ];
  const generate = async (headers: Record<string, string>, model = 'provider-d') => {
    const answer = await newCaller().post(
      GENERATE,
      { prompt: 'a page', model },
      { ...headers, prefer: 'respond-async' },
    );
    return String(answer.headers['x-generation-id']);
  };
  const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

  it('is the key or token that started it; it is a 404 for all others', async () => {
    const [key, other, token] = [await newKey(), await newKey(), await newToken()];
    const pairs: [mine: string, theirs: string][] = [
      [key, other],
      [token, key],
    ];
    for (const [mine, theirs] of pairs) {
      const id = await generate(bearer(mine));
      for (const [method, path] of paths(id)) {
        for (const headers of [{}, bearer(theirs)]) {
          const refused = await newCaller().send(path, { method, headers });
          expect(refused).toMatchObject({
            status: 404,
            json: { error: expect.stringContaining('generation') },
          });
          expect(refused.headers).not.toHaveProperty('x-generation-id');
        }
      }
      const seen = await newCaller().send(`/api/v1/generations/${id}/result`, {
        headers: bearer(mine),
      });
      expect(seen.status).toBe(200);
    }
  });

  it('is not checked for an anonymous one: its id suffices, and is not logged', async () => {
    const id = await generate({}, 'provider-b');
    expect((await newCaller().send(`/api/v1/generations/${id}`)).status).toBe(200);
    const canceled = await newCaller().send(`/api/v1/generations/${id}`, {
      method: 'DELETE',
      headers: bearer(await newKey()),
    });
    expect(canceled.status).toBe(200);
    const lines = readFileSync(cloud().log, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"event":"request"') && line.includes('/generations/'));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.includes(id))).toEqual([]);
  });
});
