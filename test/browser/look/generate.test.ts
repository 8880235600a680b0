import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromiumPath, thisMachine } from '../../../local/chromium.ts';
import { temporaryFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { storedObjects } from '../../support/cloud/stored-objects.ts';
import { type SiteCloud, startSiteCloud } from '../../support/site-cloud.ts';
import { type Step, startVendor, type Vendor, type VendorRequest } from '../../support/vendors/index.ts';
import { messageOf } from '../../support/vendors/model.ts';

const file = (path: string, content: string) => `<file path="${path}">\n${content}</file>\n`;
const page = (name: string, script: string) => `<!doctype html>
<html lang="en">
<title>${name}</title>
<h1>${name}</h1>
<button id="add">Add</button>
<script>
${script}
</script>
</html>
`;
// Nothing but a browser finds this.
const THROWS = "JSON.parse(localStorage.getItem('items')).reverse();";
const WORKS = "document.querySelector('#add').onclick = (event) => event.target.remove();";

/** What the model answers to a prompt, and to the request to correct it. */
const ANSWERS: Readonly<Record<string, readonly [write: string, repair: string]>> = {
  'a page that is mended': [
    file('index.html', page('Broken', THROWS)),
    `<edit path="index.html">\n<<<<<<< SEARCH\n<title>Broken</title>\n<h1>Broken</h1>\n=======\n<title>Mended</title>\n<h1>Mended</h1>\n>>>>>>> REPLACE\n<<<<<<< SEARCH\n${THROWS}\n=======\n${WORKS}\n>>>>>>> REPLACE\n</edit>\n`,
  ],
  'a page that nobody looks at': [file('index.html', page('First', WORKS)), ''],
};

function answerTo(_number: number, { body }: VendorRequest): readonly Step[] {
  const message = messageOf(body.messages);
  const [, answers] = Object.entries(ANSWERS).find(([prompt]) => message.includes(prompt)) ?? [];
  const isRepair = message.includes('Correct exactly these problems now');
  const text = answers?.[isRepair ? 1 : 0];
  if (text === undefined) throw new Error(`No answer to ${message.slice(-500)}`);
  return [{ text: `${text}<done/>\n` }, { finish: 'complete' }];
}

let vendor: Vendor;
let cloud: SiteCloud;

/** A browser that does not start while the file `broken` is beside it. */
const folder = temporaryFolder();
const broken = join(folder, 'broken');
function fragileChromium(): string {
  const script = join(folder, 'chromium');
  const test = `if [ -e '${broken}' ]; then exit 1; fi`;
  writeFileSync(script, `#!/bin/sh\n${test}\nexec '${chromiumPath(thisMachine())}' "$@"\n`, { mode: 0o755 });
  return script;
}

beforeAll(async () => {
  vendor = await startVendor('openai-compatible', answerTo);
  process.env.PTP_CHROMIUM = fragileChromium();
  cloud = await startSiteCloud(undefined, {
    look: { enabled: true },
    providers: { 'provider-a': { kind: 'openai-compatible', model: 'm', baseUrl: vendor.baseUrl } },
  });
});
afterAll(() => Promise.all([cloud?.close(), vendor?.close()]));

/** Generates and deploys. @returns the response, the generation and its attempts */
async function generate(prompt: string, deploy: true | object = true) {
  const { post, send } = newCaller(cloud.baseUrl);
  const response = await post('/api/v1/generate', { prompt, deploy });
  const path = `/api/v1/generations/${response.headers['x-generation-id']}`;
  const { json: generation } = await send(path);
  const attempts = generation.attempts.map(
    ({ kind, outcome, dropped }: { kind: string; outcome: string; dropped?: true }) =>
      `${kind} ${outcome}${dropped ? ' dropped' : ''}`,
  );
  const shot = await send(`${path}/screenshot?width=390`);
  return { ...response, generation, attempts, shot };
}

/** Returns the archives of versions that were ever deployed. */
const versions = async (prefix: string) => (await storedObjects(prefix, cloud)).filter((key) => key.endsWith('.zip'));

const sent = (prompt: string) =>
  vendor.requests.map(({ body }) => messageOf(body.messages)).filter((message) => message.includes(prompt));

it('publishes a page once it is mended, and never before', async () => {
  const { post } = newCaller(cloud.baseUrl);
  const old = page('Old', WORKS);
  const { json } = await post('/api/v1/deploy', {
    projectId: 'mended',
    files: [{ path: 'index.html', content: old }],
  });
  const seen = new Set<string>();
  const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1] ?? html;
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const page = await fetch(`${json.url}/`, { headers: { 'sec-fetch-mode': 'navigate' } });
      // A busy machine may not serve it at once.
      if (page.ok) seen.add(titleOf(await page.text()));
      await sleep(20);
    }
  };
  const watching = watch();
  const result = await generate('a page that is mended', { projectId: 'mended' });
  seen.add(titleOf(await (await fetch(result.json.deployment.url)).text()));
  isOver = true;
  await watching;
  expect([...seen]).toEqual(['Old', 'Mended']);
  expect(await versions(`sites/${json.id}/`)).toHaveLength(2);
  expect(result.attempts).toEqual(['write succeeded', 'repair succeeded']);
  expect(result.headers['x-generation-look']).toBe('looked');
  expect(result.generation.attempts[0].look.problems).toMatchObject([
    { kind: 'error', message: expect.stringContaining('null'), path: 'index.html', line: 7, blocking: true },
  ]);
  expect(result.generation.look).toMatchObject({ state: 'looked', problems: [] });
  expect(sent('a page that is mended')[1]).toMatch(/- index\.html:7:\d+: Uncaught TypeError: .*null/);
  expect([result.shot.status, result.shot.bytes.subarray(1, 4).toString()]).toEqual([200, 'PNG']);
});

it('goes on and says so if the browser does not start', async () => {
  writeFileSync(broken, '');
  const { json, generation, attempts, headers, shot } = await generate('a page that nobody looks at');
  rmSync(broken);
  expect(attempts).toEqual(['write succeeded']);
  expect(generation.look).toEqual({ state: 'failed', reason: expect.any(String) });
  expect([headers['x-generation-look'], shot.status]).toEqual(['failed', 404]);
  expect((await fetch(json.deployment.url)).status).toBe(200);
});
