import { newCaller } from '../../support/cloud/client.ts';
import { storedBuilds } from '../../support/cloud/stored-objects.ts';
import type { Step, VendorRequest } from '../../support/vendors/index.ts';
import { messageOf, type RecordedAnswer, recorded } from '../../support/vendors/model.ts';
import { oneModel } from '../clouds.ts';

/** The prompts that a model was given, and a text of the code that visitors load. */
const PROJECTS: readonly [name: RecordedAnswer, prompt: string, text: string][] = [
  ['react-habits', 'a habit tracker in React with TypeScript and Tailwind', 'tally-habits-v1'],
  ['vue-kanban', 'a kanban board in Vue 3', 'kanban-board-v1'],
  ['svelte-pomodoro', 'a pomodoro timer in Svelte 5', 'pomodoro-minutes-v1'],
];
const LINKS = 'a page with links for Maya Okafor, with React, Tailwind and lucide-react';
const TITLE = 'Change the title to "Everything in its place"';
const NEW_TITLE = `<edit path="src/App.vue">
<<<<<<< SEARCH
    <h1>Village fair</h1>
=======
    <h1>Everything in its place</h1>
>>>>>>> REPLACE
</edit>
<done/>
`;

/** Answers as the model did. */
function answerTo({ body }: VendorRequest): string {
  const message = messageOf(body.messages);
  if (message.includes(TITLE)) return NEW_TITLE;
  if (message.includes(LINKS))
    return recorded(message.includes('Correct exactly these problems now') ? 'react-links-repair' : 'react-links');
  const [name] = PROJECTS.find(([, prompt]) => message.includes(prompt)) ?? [];
  if (name === undefined) throw new Error(`No model was given this: ${message.slice(-500)}`);
  return recorded(name);
}
const script = (_number: number, request: VendorRequest): readonly Step[] => [
  { text: answerTo(request) },
  { finish: 'complete' },
];

const service = await oneModel();
const { vendor } = service;
beforeAll(() => service.answerWith(script));

/** Generates and deploys. @returns the response and the generation */
async function generate(body: object, headers: Record<string, string> = {}) {
  const { post, send } = newCaller(service.baseUrl);
  let response = await post('/api/v1/generate', { deploy: true, ...body }, headers);
  // What takes longer than a response may is asked for again.
  while (response.status === 303) {
    const { pathname } = new URL(String(response.headers.location), service.baseUrl);
    response = await send(pathname, { headers });
  }
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
  const { json } = await send(`/api/v1/generations/${response.headers['x-generation-id']}`);
  if (response.json.deployment === undefined) throw new Error(JSON.stringify({ ...json, files: [] }));
  const attempts = json.attempts.map(({ kind, outcome }: { kind: string; outcome: string }) => `${kind} ${outcome}`);
  return { ...response, generation: json, attempts };
}

/** Returns the page of a deployment with the scripts and style sheets that it loads. */
async function visit(id: string): Promise<string> {
  const { send } = newCaller(service.baseUrl);
  const load = async (path: string) => {
    const { status, text } = await send(path, { headers: { 'sec-fetch-mode': 'navigate' } });
    if (status !== 200) throw new Error(`GET ${path} returned ${status}`);
    return text;
  };
  const page = await load(`/d/${id}/`);
  const paths = Array.from(page.matchAll(/(?:src|href)="(\/d\/[^"]+\.(?:js|css))"/g), ([, path = '']) => path);
  return [page, ...(await Promise.all(paths.map(load)))].join('\n');
}

const requestsFor = (prompt: string) =>
  vendor.requests.map(({ body }) => messageOf(body.messages)).filter((message) => message.includes(prompt));

it.each(PROJECTS)('builds and deploys %s as a model wrote it', async (_, prompt, text) => {
  const before = await storedBuilds(service);
  const { json, generation, attempts } = await generate({ prompt });
  expect({ attempts, problems: generation.problems }).toEqual({
    attempts: ['write succeeded'],
    problems: undefined,
  });
  expect(await visit(json.deployment.id)).toContain(text);
  // The response has the source, and what the generation checked is what its deploy published.
  expect(json.files.map(({ path }: { path: string }) => path)).toContain('vite.config.ts');
  expect((await storedBuilds(service)).length - before.length).toBe(1);
  expect(requestsFor(prompt)[0]).toContain('lucide-react 1');
});

it('sends back an icon that lucide-react does not have, and deploys the correction', async () => {
  const { json, generation, attempts } = await generate({ prompt: LINKS });
  expect(attempts).toEqual(['write succeeded', 'repair succeeded']);
  expect(generation.problems).toBeUndefined();
  expect(requestsFor(LINKS)[1]).toContain(
    '- src/App.tsx:1:10: "Github" is not exported by lucide-react 1.75.0\n- src/App.tsx:1:18: "Linkedin" is not',
  );
  expect(await visit(json.deployment.id)).toContain('https://code.example/maya');
});

it('changes the source of a deployment that was built', async () => {
  const [, [, prompt]] = PROJECTS as readonly [unknown, (typeof PROJECTS)[number]];
  const projectId = `board-${process.pid}`;
  const first = await generate({ prompt, deploy: { projectId } });
  const { id } = first.json.deployment;
  const token = { 'x-deployment-token': String(first.headers['x-deployment-token']) };
  const second = await generate({ prompt: TITLE, from: id, deploy: { projectId } }, token);
  expect(second.attempts).toEqual(['write succeeded']);
  const paths = second.json.files.map(({ path }: { path: string }) => path);
  expect(paths.toSorted()).toEqual(first.json.files.map(({ path }: { path: string }) => path).toSorted());
  expect(second.generation.changes.map(({ path }: { path: string }) => path)).toEqual(['src/App.vue']);
  expect(await visit(second.json.deployment.id)).toContain('Everything in its place');
});
