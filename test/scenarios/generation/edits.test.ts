import { newCaller } from '../../support/cloud/client.ts';
import { newKey } from '../../support/cloud/keys.ts';
import { deleteGenerated } from '../../support/cloud/stored-objects.ts';
import type { Script } from '../../support/vendors/index.ts';
import { oneModel } from '../clouds.ts';

const GENERATE = '/api/v1/generate';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00]);
const FILES = [
  { path: 'index.html', content: '<!doctype html>\n<title>Shop</title>\n<h1>Shop</h1>\n' },
  { path: 'style.css', content: 'h1 { color: red; }\r\n' },
  { path: 'notes.txt', content: 'no line feed' },
  { path: 'old.txt', content: 'old\n' },
  { path: 'photo.png', content: PNG.toString('base64'), encoding: 'base64' },
];
const block = (search: string, replace: string) => `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
const edit = (path: string, search: string, replace: string) =>
  `<edit path="${path}">\n${block(search, replace)}</edit>\n`;

/** Answers by the prompt, which is in the request; a repair repeats what was rejected. */
const script: Script = (_, { body }) => {
  const asked = JSON.stringify(body);
  const answer = asked.includes('a bad change')
    ? edit('index.html', 'nowhere', 'x') + edit('style.css', 'h1 { color: red; }', 'h1 { color: blue; }')
    : edit('index.html', '<h1>Shop</h1>', '<h1>Our shop</h1>') +
      edit('notes.txt', 'no line feed', 'still none') +
      '<delete path="old.txt"/>\n<file path="new.txt">\nnew\n</file>\n';
  return [{ text: `${answer}<done/>\n`, bytewise: true }, { finish: 'complete' }];
};

const running = await oneModel();
const { vendor } = running;
beforeAll(() => running.answerWith(script));

interface File {
  path: string;
  content: string;
  encoding?: 'base64';
}
const contents = (files: readonly File[]) =>
  Object.fromEntries(files.map(({ path, content, encoding }) => [path, Buffer.from(content, encoding ?? 'utf-8')]));
const idOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers['x-generation-id']);

it('changes the files of a request, and describes the change', async () => {
  const caller = newCaller(running.baseUrl);
  const answer = await caller.post(GENERATE, { prompt: 'a good change', files: FILES });
  expect(answer).toMatchObject({ status: 200, headers: { 'x-generation-status': 'succeeded' } });
  const after = contents(answer.json.files);
  expect(after).toEqual({
    ...contents(FILES.filter(({ path }) => path !== 'old.txt') as File[]),
    'index.html': Buffer.from('<!doctype html>\n<title>Shop</title>\n<h1>Our shop</h1>\n'),
    'notes.txt': Buffer.from('still none'),
    'new.txt': Buffer.from('new\n'),
  });
  expect(answer.json.fileCount).toBe(5);
  const { json } = await caller.send(`/api/v1/generations/${idOf(answer)}`);
  expect(json.changes.map(({ path, change }: { path: string; change: string }) => [path, change])).toEqual([
    ['index.html', 'changed'],
    ['new.txt', 'added'],
    ['notes.txt', 'changed'],
    ['old.txt', 'deleted'],
  ]);
  expect(json.files.map(({ path }: File) => path)).toEqual(answer.json.files.map(({ path }: File) => path));
});

it('computes what a generation changed once, and reads it afterwards', async () => {
  const caller = newCaller(running.baseUrl);
  const id = idOf(await caller.post(GENERATE, { prompt: 'a good change', files: FILES }));
  const read = () => caller.send(`/api/v1/generations/${id}`);
  const first = await read();
  expect(first.json.changes).toHaveLength(4);
  // What it was computed from.
  expect(await deleteGenerated(id, '.zip', running)).toBe(1);
  expect(await read()).toMatchObject({ status: 200, json: first.json });
  // Without both, there is nothing to compute it from.
  expect(await deleteGenerated(id, '.json', running)).toBe(1);
  expect((await read()).status).toBe(500);
});

it('sends rejected changes back once, then reports them', async () => {
  const caller = newCaller(running.baseUrl);
  const before = vendor.requests.length;
  const locked = ['*.txt'];
  const answer = await caller.post(GENERATE, { prompt: 'a bad change', files: FILES, locked });
  expect(answer).toMatchObject({ status: 200, headers: { 'x-generation-status': 'incomplete' } });
  expect(contents(answer.json.files)).toEqual({
    ...contents(FILES as File[]),
    'style.css': Buffer.from('h1 { color: blue; }\r\n'),
  });
  const { json } = await caller.send(`/api/v1/generations/${idOf(answer)}`);
  expect(json.problems).toEqual([expect.stringMatching(/^index\.html: not changed, because .*does not occur/)]);
  expect(json.attempts.map(({ kind }: { kind: string }) => kind)).toEqual(['write', 'repair']);
  expect(vendor.requests.length - before).toBe(2);
  expect(JSON.stringify(vendor.requests.at(-1)?.body)).toContain('index.html: not changed');
  expect(JSON.stringify(vendor.requests.at(-1)?.body)).toContain('*.txt');
});

it('walks the history by from, and returns to any point of it', async () => {
  const caller = newCaller();
  const first = await caller.post(GENERATE, { prompt: 'a to-do list', model: 'provider-a' });
  const edited = (prompt: string, from: string) => caller.post(GENERATE, { prompt, from, model: 'provider-a' });
  const second = await edited('change the title to "Chores"', idOf(first));
  const third = await edited('use #aa0000 as the accent colour', idOf(second));
  expect([second.status, third.status]).toEqual([200, 200]);
  const history: string[] = [];
  for (let id: string | undefined = idOf(third); id !== undefined; ) {
    history.push(id);
    id = (await caller.send(`/api/v1/generations/${id}`)).json.from;
  }
  expect(history).toEqual([idOf(third), idOf(second), idOf(first)]);
  const back = await edited('use the dark theme', idOf(first));
  const was = contents(first.json.files);
  expect(Object.entries(contents(back.json.files)).filter(([path, is]) => !was[path]?.equals(is))).toHaveLength(1);
  const deployed = await caller.post('/api/v1/deploy', { files: second.json.files });
  expect(deployed).toMatchObject({ status: 201, json: { title: 'Chores' } });
});

it('streams a deletion, joins by the idempotency key, and refuses what a parent does not allow', async () => {
  const caller = newCaller(running.baseUrl);
  const headers = { 'idempotency-key': 'edit-1' };
  const body = { prompt: 'a good change', files: FILES };
  const [one, two] = [await caller.post(GENERATE, body, headers), await caller.post(GENERATE, body, headers)];
  expect(idOf(one)).toBe(idOf(two));
  expect(await caller.post(GENERATE, { ...body, locked: ['a'] }, headers)).toMatchObject({ status: 422 });
  const stream = await caller.send(`/api/v1/generations/${idOf(one)}`, {
    headers: { accept: 'text/event-stream' },
  });
  expect(stream.text).toContain('event: deleted\ndata: {"path":"old.txt"}');

  const refused = async (request: object, status: number, words: string, by = caller) =>
    expect(await by.post(GENERATE, { prompt: 'x', ...request })).toMatchObject({
      status,
      json: { error: expect.stringContaining(words) },
    });
  await refused({ from: idOf(one), files: FILES }, 400, 'exclude each other');
  await refused({ locked: ['a'] }, 400, 'from or files');
  await refused({ files: [{ path: '../x', content: '' }] }, 400, '../x');
  await refused({ files: [{ path: 'x', content: 'x'.repeat(1_048_577) }] }, 413, '1,048,577 bytes');
  await refused({ files: [{ path: 'x', content: '!', encoding: 'base64' }] }, 400, 'base64');
  await refused({ from: 7 }, 400, 'from');
  for (const from of ['', 'nope', '../../etc/passwd', 'A'.repeat(12), 'A'.repeat(21), 'x'.repeat(5_000)])
    await refused({ from }, 404, 'from');
  const own = newCaller();
  const hangs = { prompt: 'a page', model: 'provider-b' };
  const { id } = (await own.post(GENERATE, hangs, { prefer: 'respond-async' })).json;
  await refused({ from: id }, 409, 'has not ended', own);
  await own.send(`/api/v1/generations/${id}`, { method: 'DELETE' });
  await refused({ from: id }, 409, 'has no project', own);
});

describe('from another caller', () => {
  const prompt = 'change the title to "Mine"';
  /** The suite's own cloud: keys belong to it. */
  const send = (from: string, headers: Record<string, string> = {}) =>
    newCaller().post(GENERATE, { prompt, from, model: 'provider-a' }, headers);
  const bearer = async () => ({ authorization: `Bearer ${await newKey()}` });

  it('reads generations of the same key and anonymous ones, and no others', async () => {
    const [mine, other] = [await bearer(), await bearer()];
    const owned = await newCaller().post(GENERATE, { prompt: 'a quiz', model: 'provider-a' }, mine);
    const anonymous = await newCaller().post(GENERATE, { prompt: 'a quiz', model: 'provider-a' });
    const statuses = [
      await send(idOf(owned), mine),
      await send(idOf(owned), other),
      await send(idOf(owned)),
      await send(idOf(anonymous)),
      await send(idOf(anonymous), other),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 404, 404, 200, 200]);
  });

  it('reads deployments of the same key or token, and no others', async () => {
    const [mine, other] = [await bearer(), await bearer()];
    const files = (await newCaller().post(GENERATE, { prompt: 'a quiz', model: 'provider-a' })).json.files;
    const owned = await newCaller().post('/api/v1/deploy', { files }, mine);
    const anonymous = await newCaller().post('/api/v1/deploy', { files });
    const token = { 'x-deployment-token': String(anonymous.headers['x-deployment-token']) };
    const wrong = { 'x-deployment-token': `${token['x-deployment-token'].slice(0, -2)}xx` };
    const statuses = [
      await send(owned.json.id, mine),
      await send(owned.json.id, other),
      await send(owned.json.id),
      await send(anonymous.json.id, token),
      await send(anonymous.json.id, wrong),
      await send(anonymous.json.id),
      await send(anonymous.json.id, mine),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 404, 404, 200, 404, 404, 404]);
    await newCaller().send(`/api/v1/deployments/${owned.json.id}`, { method: 'DELETE', headers: mine });
    expect((await send(owned.json.id, mine)).status).toBe(404);
  });
});
