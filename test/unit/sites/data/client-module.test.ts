import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CLIENT_MODULE } from '../../../../lambda/sites/data/client-module.ts';
import { temporaryFolder } from '../../../support/at-end.ts';
import { TestSite, type Who } from './site.ts';

const SCHEMA = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string', maxLength: 9 },
    seats: { type: 'integer' },
    choice: { type: 'string', enum: ['a', 'b'] },
  },
};
const ALL = { create: 'visitor', read: 'visitor', update: 'visitor', delete: 'visitor', count: 'visitor' };

/** Timers that wait for `pass`. */
class Time {
  #now = 0;
  #timers = new Map<number, { at: number; run: () => void }>();
  #last = 0;
  readonly #real = { setTimeout, clearTimeout };

  install(): void {
    const set = (run: () => void, after = 0) => {
      this.#timers.set(++this.#last, { at: this.#now + after, run });
      return this.#last;
    };
    Object.assign(globalThis, { setTimeout: set, clearTimeout: (id: number) => this.#timers.delete(id) });
    jest.spyOn(performance, 'now').mockImplementation(() => this.#now);
  }

  restore(): void {
    Object.assign(globalThis, this.#real);
    this.#timers.clear();
  }

  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      // Everything that is under way ends first: nothing here waits for more than promises.
      for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
      const [next] = [...this.#timers].toSorted(([, one], [, other]) => one.at - other.at);
      if (next === undefined || next[1].at > end) break;
      this.#timers.delete(next[0]);
      this.#now = next[1].at;
      next[1].run();
    }
    this.#now = end;
  }
}

interface Client {
  DataError: new () => Error;
  me(): Promise<unknown>;
  collection(name: string): {
    create(fields: object): Promise<{ id: string }>;
    list(options: object): Promise<unknown>;
    get(id: string): Promise<unknown>;
    update(id: string, fields: object): Promise<unknown>;
    delete(id: string): Promise<unknown>;
    approve(item: string | object): Promise<unknown>;
    count(): Promise<unknown>;
    tally(): Promise<unknown>;
    watch(render: (items: { text: string }[]) => void, options?: object): () => void;
  };
}

const time = new Time();
let site: TestSite;
let who: Who;
let requests: string[];
/** Fails that many requests, after or before they took effect. */
let lost: { before: number; after: number };
/** Refuses that many requests of an address that made too many. */
let limited: number;
let hidden: boolean;
let onVisible: Set<() => void>;

const folder = temporaryFolder();
const file = join(folder, 'deep', '.data', 'client.js');
await mkdir(join(folder, 'deep', '.data'), { recursive: true });
await writeFile(join(folder, 'package.json'), '{"type":"module"}');
await writeFile(file, CLIENT_MODULE);
const client: Client = await import(pathToFileURL(file).href);

beforeEach(() => {
  site = new TestSite({ notes: { ...ALL, review: false, tally: 'choice', most: 3, schema: SCHEMA } });
  who = 'ann';
  requests = [];
  lost = { before: 0, after: 0 };
  limited = 0;
  hidden = false;
  onVisible = new Set();
  Object.assign(globalThis, {
    addEventListener: (_: string, listener: () => void) => onVisible.add(listener),
    removeEventListener: (_: string, listener: () => void) => onVisible.delete(listener),
    document: {
      get hidden() {
        return hidden;
      },
      addEventListener: (_: string, listener: () => void) => onVisible.add(listener),
      removeEventListener: (_: string, listener: () => void) => onVisible.delete(listener),
    },
  });
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (input, init = {}) => {
    const { method = 'GET', body, headers } = init;
    const [, url = ''] = String(input).split('/deep/.data/');
    if (lost.before-- > 0) throw new TypeError('Failed to fetch');
    if (limited-- > 0) return Response.json({ error: 'Too many requests', code: 'too_many' }, { status: 429 });
    const form = body instanceof URLSearchParams ? String(body) : undefined;
    const fields = Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
    const sent = await site.send(
      who,
      method,
      url,
      form === undefined ? { json: JSON.parse(String(body ?? null)), headers: fields } : { form, headers: fields },
    );
    requests.push(`${method} ${url} ${sent.status}`);
    if (lost.after-- > 0) throw new TypeError('Failed to fetch');
    const empty = [204, 304].includes(sent.status);
    // As API Gateway does, even for a response without a body.
    const described = { 'Content-Type': 'application/json', ...sent.headers };
    return new Response(empty ? null : sent.text, { status: sent.status, headers: described });
  });
});

afterEach(() => {
  jest.restoreAllMocks();
  time.restore();
});

it('does what the service does', async () => {
  const notes = client.collection('notes');
  const { id } = await notes.create({ text: 'One', choice: 'a' });
  expect(await notes.list({ limit: 1 })).toMatchObject({
    items: [{ id, text: 'One', mine: true }],
    next: null,
  });
  expect(await notes.list({ mine: true })).toMatchObject({ items: [{ id }] });
  expect(await notes.update(id, { choice: 'b' })).toMatchObject({ text: 'One', choice: 'b' });
  expect(await notes.get(id)).toMatchObject({ choice: 'b' });
  expect(await notes.count()).toBe(1);
  expect(await notes.tally()).toEqual({ a: 0, b: 1 });
  expect(await notes.delete(id)).toBeUndefined();
  expect(await client.me()).toMatchObject({ owner: false });
  who = 'owner';
  const more = await notes.create({ text: 'Two' });
  expect(await notes.approve(more.id)).toMatchObject({ text: 'Two' });
});

it('approves an item as it was listed', async () => {
  site = new TestSite({ notes: { ...ALL, review: true, schema: SCHEMA } });
  const notes = client.collection('notes');
  const item = await notes.create({ text: 'Nice' });
  const changed = (await notes.update(item.id, { text: 'Spam' })) as object;
  who = 'owner';
  await expect(notes.approve(item)).rejects.toMatchObject({ status: 409, code: 'conflict' });
  expect(await notes.approve(changed)).toMatchObject({ text: 'Spam' });
  expect(await notes.get(item.id)).not.toHaveProperty('waiting');
});

it('sends a form so that its numbers follow the schema', async () => {
  const form = new FormData();
  form.set('text', 'One');
  form.set('seats', '2');
  expect(await client.collection('notes').create(form)).toMatchObject({ text: 'One', seats: 2 });
});

it('changes an item by a form, which cannot tell a box without its tick from none', async () => {
  site = new TestSite({
    notes: { ...ALL, schema: { ...SCHEMA, properties: { ...SCHEMA.properties, done: { type: 'boolean' } } } },
  });
  const notes = client.collection('notes');
  const { id } = await notes.create({ text: 'One', seats: 1, choice: 'a', done: true });
  const form = new FormData();
  for (const [name, value] of Object.entries({ text: 'Two', seats: '2', choice: '', other: 'x' }))
    form.set(name, value);
  const changed = await notes.update(id, form);
  expect(changed).toMatchObject({ text: 'Two', seats: 2, done: true });
  expect(changed).not.toHaveProperty('choice');
});

it('lists and watches as many items as are wanted, over several pages', async () => {
  site = new TestSite({ notes: { ...ALL, schema: SCHEMA } });
  const notes = client.collection('notes');
  for (let i = 0; i < 205; i++) await site.send('ann', 'POST', 'notes', { json: { text: String(i) } });
  const counts = async (limit?: number) => {
    requests = [];
    const { items, next } = (await notes.list({ limit })) as { items: object[]; next: string | null };
    return [items.length, next !== null, requests.length];
  };
  expect([await counts(), await counts(101), await counts(500)]).toEqual([
    [50, true, 1],
    [101, true, 2],
    [205, false, 3],
  ]);
  time.install();
  const seen: number[] = [];
  const stop = notes.watch((items) => seen.push(items.length), { limit: 500 });
  await time.pass(100);
  requests = [];
  await time.pass(3_000);
  expect(requests).toEqual(['GET notes?limit=100 304']);
  await site.send('bob', 'POST', 'notes', { json: { text: 'Bob' } });
  await time.pass(30_000);
  expect(seen).toEqual([205, 206]);
  stop();
});

it('throws why a request was refused', async () => {
  const notes = client.collection('notes');
  const tooLong = notes.create({ text: 'x'.repeat(10) });
  await expect(tooLong).rejects.toMatchObject({
    name: 'DataError',
    status: 400,
    code: 'invalid',
    field: 'text',
    message: 'text must have at most 9 characters',
  });
  for (const text of ['1', '2', '3']) await notes.create({ text });
  await expect(notes.create({ text: '4' })).rejects.toMatchObject({ status: 409, code: 'full' });
  await expect(notes.get('other/..')).rejects.toMatchObject({ status: 404, code: 'not_found' });
});

it('repeats a creation whose response was lost, which is done once', async () => {
  time.install();
  site = new TestSite({ notes: { ...ALL, unique: 'visitor', schema: SCHEMA } });
  who = 'stranger';
  lost = { before: 1, after: 1 };
  const created = client.collection('notes').create({ text: 'One' });
  await time.pass(5_000);
  // The cookie was lost, too: a repeat without it is that of the same visitor.
  expect(await created).toMatchObject({ text: 'One', mine: true });
  expect(requests).toEqual(['POST notes 201', 'POST notes 201']);
  expect((await site.store.state('notes')).items).toBe(1);
});

it('waits for the first response with which a visitor is recognized, and only for that', async () => {
  // A page of its own: the others have created items.
  const page = (await import(`${pathToFileURL(file)}?first`)) as Client;
  const sent: string[] = [];
  const waiting: (() => void)[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_, init = {}) => {
    sent.push(init.method === 'POST' ? JSON.parse(String(init.body)).text : 'list');
    await new Promise<void>((resolve) => waiting.push(resolve));
    return Response.json({ id: 'a' }, { status: 201 });
  });
  const notes = page.collection('notes');
  const all = [notes.create({ text: 'a' }), notes.create({ text: 'b' }), notes.list({ mine: true }), notes.list({})];
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual(['a', 'list']);
  waiting.shift()?.();
  await all[0];
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual(['a', 'list', 'b', 'list']);
  for (const respond of waiting) respond();
  expect(await Promise.all(all)).toHaveLength(4);
});

describe('watch', () => {
  const texts: string[][] = [];
  const render = (items: { text: string }[]) => texts.push(items.map(({ text }) => text));
  beforeEach(() => {
    texts.length = 0;
    time.install();
  });

  it('renders what is there and what comes, and asks less often when nothing happens', async () => {
    const notes = client.collection('notes');
    const stop = notes.watch(render);
    await time.pass(2_900);
    expect(texts).toEqual([[]]);
    expect(requests).toEqual(['GET notes 200']);
    await site.send('bob', 'POST', 'notes', { json: { text: 'Bob' } });
    await time.pass(200);
    expect(texts).toEqual([[], ['Bob']]);
    requests.length = 0;
    await time.pass(600_000);
    expect(requests.length).toBeGreaterThan(20);
    expect(requests.length).toBeLessThan(30);
    expect(new Set(requests)).toEqual(new Set(['GET notes 304']));
    expect(texts).toHaveLength(2);
    stop();
    requests.length = 0;
    await time.pass(60_000);
    expect(requests).toEqual([]);
    expect(onVisible.size).toBe(0);
  });

  it('goes on asking every three seconds for what is live', async () => {
    const stop = client.collection('notes').watch(render, { live: true });
    await time.pass(600_000);
    expect(requests).toHaveLength(201);
    stop();
  });

  it('renders an own change at once', async () => {
    const notes = client.collection('notes');
    const stop = notes.watch(render, { limit: 5 });
    await time.pass(100);
    await notes.create({ text: 'One' });
    await time.pass(0);
    expect(texts).toEqual([[], ['One']]);
    stop();
  });

  it('asks nothing while the page is hidden, and soon after', async () => {
    const stop = client.collection('notes').watch(render);
    await time.pass(100);
    hidden = true;
    for (const listener of onVisible) listener();
    requests.length = 0;
    await time.pass(100_000);
    expect(requests).toEqual([]);
    hidden = false;
    for (const listener of onVisible) listener();
    await time.pass(0);
    expect(requests).toEqual(['GET notes 304']);
    stop();
  });

  it('renders again after a failure, at once when the network is back', async () => {
    const errors: unknown[] = [];
    const stop = client.collection('notes').watch(render, { onError: (error: unknown) => errors.push(error) });
    await time.pass(100);
    lost.before = 4;
    await time.pass(60_000);
    expect(errors).toHaveLength(4);
    expect(texts).toEqual([[]]);
    for (const listener of onVisible) listener();
    await time.pass(3_000);
    expect(texts).toEqual([[], []]);
    stop();
  });

  it('asks less often without a word when many people share the address, unless nothing is shown yet', async () => {
    const errors: { code?: string }[] = [];
    const onError = (error: object) => errors.push(error);
    const stop = client.collection('notes').watch(render, { onError });
    await time.pass(100);
    limited = 3;
    await time.pass(60_000);
    expect([texts, errors]).toEqual([[[]], []]);
    stop();
    limited = 1;
    const other = client.collection('notes').watch(render, { onError });
    await time.pass(10_000);
    expect([texts, errors]).toMatchObject([[[], []], [{ code: 'too_many' }]]);
    other();
  });

  it('reports a failure once, and goes on', async () => {
    const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    lost.before = 3;
    const stop = client.collection('notes').watch(render);
    await time.pass(60_000);
    expect(logged).toHaveBeenCalledTimes(1);
    expect(texts).toEqual([[]]);
    stop();
    const errors: unknown[] = [];
    const other = client.collection('others').watch(render, { onError: (error: unknown) => errors.push(error) });
    await time.pass(100);
    expect(errors).toMatchObject([{ code: 'not_found' }]);
    other();
  });
});
