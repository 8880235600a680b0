import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duration } from '../../../lambda/contract/generate.ts';
import { CHOICES, file, project } from './prompts.ts';

/** A prompt for every kind. */
const PROMPTS = [...new Map(CHOICES.map(([prompt, kind]) => [kind, prompt])).values()];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blueprint-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(prompt: string, duration: Duration) {
  for (const { path, content } of project(prompt, duration)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

async function run(...words: string[]) {
  const child = spawn(process.execPath, words, { cwd: folder });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [status] = await once(child, 'close');
  return { status, output };
}

describe.each(PROMPTS)('%s', (prompt) => {
  const paths = (duration: Duration) => project(prompt, duration).map(({ path }) => path);

  test('gets more files with more time, and keeps those it had', () => {
    const [auto, five, ten] = [paths('auto'), paths('5min'), paths('10min')];
    expect(five.length).toBeGreaterThan(auto.length);
    expect(ten.length).toBeGreaterThan(five.length);
    expect(five).toEqual(expect.arrayContaining(auto));
    expect(ten).toEqual(expect.arrayContaining(five));
  });

  test.each<Duration>(['5min', '10min'])('has tests at %s, and they pass', async (duration) => {
    await write(prompt, duration);
    expect(JSON.parse(file(project(prompt, duration), 'package.json')).scripts.test).toBe('node --test');
    const { status, output } = await run('--test', '--test-reporter=tap');
    expect(status === 0 ? '' : output).toBe('');
    expect(Number(/^# pass (\d+)$/m.exec(output)?.[1])).toBeGreaterThan(0);
  });

  test('has documents of its own at 10min, and its README leads to all of them', () => {
    const files = project(prompt, '10min');
    const documents = files.filter(({ path }) => path.startsWith('docs/'));
    expect(documents.length).toBeGreaterThanOrEqual(3);
    expect(file(files, 'docs/request.md')).toContain(`| title | `);
    const readme = file(files, 'README.md');
    for (const { path } of documents) expect(readme).toContain(path);
    const named = [...readme.matchAll(/`((?:src|docs|test)\/[\w./-]+)`/g)].map((match) => match[1] ?? '');
    for (const path of named) expect(files.some((one) => one.path.startsWith(path))).toBe(true);
  });
});

test('tests pass also when the prompt brings words of its own into what they check', async () => {
  for (const prompt of [
    'a REST API for books with fields year, published, author',
    'a sign-up form with fields email, password, website (optional), age',
    'a kanban board with columns one and two',
    'a sales dashboard',
    'a countdown timer for 90 seconds',
  ]) {
    await write(prompt, '10min');
    const { status, output } = await run('--test', '--test-reporter=tap');
    expect(status === 0 ? '' : `${prompt}\n${output}`).toBe('');
    await rm(folder, { recursive: true });
    await mkdir(folder);
  }
});

test('the API at 10min asks for its key, and logs what it answers', async () => {
  await write('a REST API for books', '10min');
  const server = spawn(process.execPath, ['server.js'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', API_KEY: 'secret', RATE_LIMIT: '3' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  try {
    const output = createInterface({ input: server.stdout });
    output.on('line', (line) => lines.push(line));
    await once(output, 'line');
    const url = `${/http:\S+/.exec(lines[0] ?? '')?.[0]}/api/books`;
    const add = (authorization: string) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: '{"title":"Emma"}',
      });
    expect((await add('Bearer wrong')).status).toBe(401);
    expect((await add('Bearer secret')).status).toBe(201);
    expect(await (await fetch(`${url}?title=Emma`)).json()).toHaveLength(1);
    const refused = await fetch(url);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // An answer may be here before its line is.
    while (lines.length < 5) await once(output, 'line');
  } finally {
    server.kill();
    await once(server, 'close');
  }
  const logged = lines.slice(1).map((line) => JSON.parse(line));
  expect(logged.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
    'POST /api/books 401',
    'POST /api/books 201',
    'GET /api/books 200',
    'GET /api/books 429',
  ]);
});
