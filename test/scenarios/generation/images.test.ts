import { main } from '../../../cli/keys.ts';
import { Client } from '../../../client/client.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { openEvents } from '../../support/cloud/events.ts';
import { operate } from '../../support/cloud/keys.ts';
import { NO_RATE_LIMIT, startVariant } from '../../support/cloud/variant.ts';
import { png } from '../../support/images.ts';
import { type Script, startVendor } from '../../support/vendors/index.ts';

const GENERATE = '/api/v1/generate';
const ASSETS = '/api/v1/assets/user-assets/';
const PHOTO = png(30, 20);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');

/** Overwrites and deletes an image, which must have no effect. */
const PAGE = `<file path="assets/photo.png">
not an image
</file>
<delete path="assets/photo.png"/>
<file path="index.html">
<!doctype html>
<title>Album</title>
<img src="assets/photo.png" alt="A photo">
</file>
`;
const script: Script = (_, { body }) => {
  const answer = JSON.stringify(body).includes('with notes') ? '<file path="notes.txt">\nnew\n</file>\n' : PAGE;
  return [{ text: `${answer}<done/>\n` }, { finish: 'complete' }];
};

const vendor = await startVendor('openai-compatible', script);
const running = closeAtEnd(
  await startVariant({
    ...NO_RATE_LIMIT,
    PROVIDERS: {
      'provider-a': { kind: 'openai-compatible', model: 'm', images: true, baseUrl: vendor.baseUrl },
      'provider-b': { kind: 'blueprint' },
    },
  }),
);
afterAll(() => vendor.close());

const createKey = async (...args: string[]) =>
  (await operate(main, ['create', '--name', 'images', ...args], running.stateDir)).trimEnd();
const key = await createKey('--scopes', 'assets:write');
const client = new Client({ baseUrl: running.baseUrl, key });
const upload = async (content: Uint8Array, name: string, type = 'image/png') =>
  (await client.assets.upload(content, { name, type })).asset_id;
const withKey = () => ({ 'x-api-key': key });
const generate = (body: object, headers: Record<string, string> = withKey()) =>
  newCaller(running.baseUrl).post(GENERATE, { prompt: 'an album', ...body }, headers);
const bytesOf = (files: readonly { path: string; content: string; encoding?: 'base64' }[], path: string) => {
  const file = files.find((one) => one.path === path);
  return file && Buffer.from(file.content, file.encoding ?? 'utf-8');
};

it('shows images to the model, and gives them with the project, its events and its page, byte for byte', async () => {
  const assets = [await upload(PHOTO, 'Photo.PNG'), await upload(SVG, 'logo.svg', 'image/svg+xml')];
  const before = vendor.requests.length;
  const body = { prompt: 'an album', assets };
  const stream = await openEvents(new URL(GENERATE, running.baseUrl), {
    method: 'POST',
    headers: withKey(),
    body,
  });
  await stream.ended;
  expect(stream.events.map(({ event, data }) => data.path ?? event)).toEqual([
    'queued',
    'assets/photo.png',
    'assets/logo.svg',
    'attempt',
    'index.html',
    'attempt',
    'look',
    'done',
  ]);
  const [{ body: asked } = {}, ...others] = vendor.requests.slice(before);
  expect(others).toEqual([]);
  expect(asked.messages[1].content.slice(1, -1)).toEqual([
    { type: 'text', text: 'assets/photo.png:' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PHOTO.toString('base64')}` } },
  ]);
  const { files, fileCount } = stream.events.at(-1)?.data ?? {};
  expect(fileCount).toBe(3);
  for (const from of [files, stream.events.flatMap(({ data }) => (data.path ? [data] : []))]) {
    expect(bytesOf(from, 'assets/photo.png')).toEqual(PHOTO);
    expect(bytesOf(from, 'assets/logo.svg')).toEqual(SVG);
  }
  const { id, url } = await client.deploy({ files });
  const image = await newCaller(running.baseUrl).send(`/d/${id}/assets/photo.png`);
  expect(image).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' } });
  expect([image.bytes, url]).toEqual([PHOTO, expect.stringContaining(id)]);

  const generation = String(stream.headers['x-generation-id']);
  const again = await generate({
    prompt: 'with notes',
    from: generation,
    assets: [assets[0], await upload(png(1, 1), 'photo.png')],
  });
  expect(bytesOf(again.json.files, 'assets/photo.png')).toEqual(PHOTO);
  expect(bytesOf(again.json.files, 'assets/photo-2.png')).toEqual(png(1, 1));
  const { json } = await newCaller(running.baseUrl).send(`/api/v1/generations/${again.headers['x-generation-id']}`, {
    headers: withKey(),
  });
  expect(json.changes).toContainEqual({ path: 'assets/photo-2.png', change: 'added' });
});

it('shows images in a starter that has a place for them', async () => {
  const assets = [await upload(PHOTO, 'Our Bakery.png'), await upload(png(2, 2), 'bread.png')];
  const about = { assets, model: 'provider-b', duration: '5min' };
  const landing = await generate({ ...about, prompt: 'a landing page for a bakery', deploy: true });
  const page = String(bytesOf(landing.json.files, 'index.html'));
  expect(page).toContain('<img class="art" src="assets/our-bakery.png" alt="our bakery">');
  expect(page).not.toContain('<svg class="art"');
  expect(String(bytesOf(landing.json.files, 'service-worker.js'))).toContain('assets/our-bakery.png');
  const { id } = landing.json.deployment;
  const { bytes } = await newCaller(running.baseUrl).send(`/d/${id}/assets/our-bakery.png`);
  expect(bytes).toEqual(PHOTO);
  const portfolio = await generate({ ...about, prompt: 'a portfolio for a photographer' });
  expect(String(bytesOf(portfolio.json.files, 'index.html')).match(/(?<=<img class="art" src=")[^"]+/g)).toEqual([
    'assets/our-bakery.png',
    'assets/bread.png',
  ]);
});

it('adds images to a starter, and says which ones it does not show', async () => {
  const assets = [await upload(PHOTO, 'board.png')];
  const answer = await generate({ prompt: 'a snake game', model: 'provider-b', assets });
  expect(answer).toMatchObject({ status: 200, headers: { 'x-generation-matched': 'snake' } });
  expect(bytesOf(answer.json.files, 'assets/board.png')).toEqual(PHOTO);
  const { json } = await newCaller(running.baseUrl).send(`/api/v1/generations/${answer.headers['x-generation-id']}`, {
    headers: withKey(),
  });
  expect(json.problems).toEqual([expect.stringMatching(/^assets\/board.png: .* does not show it$/)]);
});

it('refuses what is not an uploaded image of the caller', async () => {
  const photo = await upload(PHOTO, 'photo.png');
  const pending = (await newCaller(running.baseUrl).post(ASSETS, { attributes: { size: 9 } }, withKey())).json.asset_id;
  const text = await upload(Buffer.from('%PDF-1.7'), 'a.pdf', 'application/pdf');
  const large = await upload(Buffer.concat([PHOTO, Buffer.alloc(1_048_577)]), 'large.png');
  const [unscoped, other] = [await createKey(), await createKey('--scopes', 'assets:write')];
  const refused = async (assets: unknown, status: number, words: string, headers = withKey()) =>
    expect(await generate({ assets }, headers)).toMatchObject({
      status,
      json: { error: expect.stringContaining(words) },
    });
  await refused([photo], 401, 'needs an API key', {} as never);
  await refused([photo], 403, 'lacks the scope assets:write', { 'x-api-key': unscoped });
  await refused([photo], 404, photo, { 'x-api-key': other });
  for (const id of ['A'.repeat(21), '', '../../etc/passwd']) await refused([id], 404, 'assets');
  await refused([pending], 409, 'is not marked as uploaded');
  await refused([text], 400, 'is of type application/pdf');
  await refused([large], 413, 'reduce its width and height');
  await refused([], 400, 'assets is empty');
  await refused([photo, photo], 400, 'twice');
  await refused(Array(6).fill(photo), 400, '6 entries');
  await refused(photo, 400, 'must be an array');
});
