import { browser } from './browser.ts';
import { sharedOrigin } from './clouds.ts';
import { watchedPage } from './open-project.ts';

const cloud = await sharedOrigin();

/** What a page of the service does with the client. Stringified: it runs in the browser. */
const PROGRAM = `(async (baseUrl) => {
  const { Client } = await import(baseUrl + '/client.js');
  const client = new Client({ baseUrl });
  const types = [];
  const generation = client.generate({ prompt: 'a pomodoro timer' });
  for await (const { type } of generation) types.push(type);
  const { files } = await generation;
  const dot = new Uint8Array([0xef, 0xbb, 0xbf, 0xff]);
  const random = crypto.getRandomValues(new Uint8Array(60_000));
  const projectId = crypto.randomUUID();
  const first = await client.deploy({ projectId, files: [...files, { path: 'dot.bin', content: dot }] });
  const large = Array.from({ length: 110 }, (_, i) => ({ path: 'large/' + i, content: random }));
  const second = await client.deploy({ files: [{ path: 'index.html', content: '<title>Large</title>' }, ...large] });
  const { versions } = await client.deployments.get(second.id, { token: second.token });
  const archive = await client.deployments.archive(first.id, { token: first.token });
  return { types, first, second, versions, zip: String.fromCharCode(...archive.slice(0, 2)) };
})`;

it.each([
  ['of the service itself', (own: string) => own],
  // Another origin, so that every call and header passes the CORS protocol.
  ['of another origin', (own: string) => own.replace('localhost', '127.0.0.1')],
])('generates and deploys on a page %s', async (_, originOf) => {
  // The policy of the start page allows its own script only.
  const { page, faults } = await watchedPage(browser, 'http:', { bypassCSP: true });
  await page.goto(originOf(cloud.baseUrl));
  // biome-ignore lint/suspicious/noExplicitAny: the result of the program above
  const result: any = await page.evaluate(`${PROGRAM}(${JSON.stringify(cloud.baseUrl)})`);
  expect([result.types.at(0), result.types.at(-1)]).toEqual(['queued', 'done']);
  expect(result.first).toMatchObject({
    created: true,
    version: expect.stringMatching(/./),
    token: expect.stringMatching(/^ptd_/),
  });
  expect(result.second).toMatchObject({ fileCount: 111, title: 'Large' });
  expect(result.versions).toMatchObject([{ version: result.second.version, live: true }]);
  expect(result.zip).toBe('PK');
  const dot = await (await fetch(`${result.first.url}/dot.bin`)).arrayBuffer();
  expect([...new Uint8Array(dot)]).toEqual([0xef, 0xbb, 0xbf, 0xff]);
  await page.goto(result.first.url);
  expect(await page.title()).toContain('Pomodoro');
  expect(faults).toEqual([]);
});
