import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import fc from 'fast-check';
import { chooseKind } from '../../../lambda/generation/providers/blueprint/choose.ts';
import { compose, type ProjectFile } from '../../../lambda/generation/providers/blueprint/compose.ts';
import { fill } from '../../../lambda/generation/providers/blueprint/fill.ts';
import { KINDS } from '../../../lambda/generation/providers/blueprint/kinds/index.ts';
import { accentShades, contrast } from '../../../lambda/generation/providers/blueprint/palette.ts';
import { readPrompt } from '../../../lambda/generation/providers/blueprint/read-prompt.ts';

const file = (files: readonly ProjectFile[], path: string): string =>
  files.find((one) => one.path === path)?.content ?? '';
const project = (prompt: string) => compose(prompt, 'auto');
const titleOf = (prompt: string) => /<title>(.*)<\/title>/.exec(file(project(prompt), 'index.html'))?.[1];
const load = (source: string) => import(`data:text/javascript,${encodeURIComponent(source)}`);

/** What a person would type, and the kind a person would call fitting. */
const CHOICES: readonly (readonly [prompt: string, kind: string])[] = [
  ['a pomodoro timer with a dark theme', 'timer'],
  ['Build me a simple countdown timer', 'timer'],
  ['I need a 25 minute focus timer with breaks', 'timer'],
  ['kitchen timer', 'timer'],
  ['Can you make something that helps me focus with 25 minute sessions?', 'timer'],
  ['ein Pomodoro-Timer mit dunklem Design', 'timer'],
  ['un minuteur pomodoro pour étudier', 'timer'],
  ['un temporizador para cocinar', 'timer'],
  ['a timer that shows a to-do list below', 'timer'],
  ['todo app', 'todo'],
  ['a to-do list with a pomodoro timer', 'todo'],
  ['Please create a to do list for my household', 'todo'],
  ['shopping list with items milk, eggs and bread', 'todo'],
  ['I want to keep track of my tasks', 'todo'],
  ['a packing list for a trip to Norway', 'todo'],
  ['Erstelle mir eine Einkaufsliste', 'todo'],
  ['una lista de tareas', 'todo'],
  ['une liste de courses', 'todo'],
  ['a checklist app with local storage', 'todo'],
  ['landing page for a timer app', 'landing'],
  ['a timer landing page', 'landing'],
  ['a landing page for a to-do list startup with pricing', 'landing'],
  ['build a simple website for my bakery', 'landing'],
  ['homepage for a yoga studio in Berlin', 'landing'],
  ['A website for a dog walking service', 'landing'],
  ['coming soon page for our new app', 'landing'],
  ['Landingpage für eine Kaffeerösterei', 'landing'],
  ['página de aterrizaje para un restaurante', 'landing'],
  ['wedding invitation', 'landing'],
  ['I would like a marketing site for my SaaS', 'landing'],
  ['calculator', 'calculator'],
  ['a scientific calculator in teal', 'calculator'],
  ['something to calculate with', 'calculator'],
  ['ein Taschenrechner', 'calculator'],
  ['une calculatrice', 'calculator'],
  ['calculadora simple', 'calculator'],
  ['notes app with markdown preview', 'notes'],
  ['a place to write down my ideas', 'notes'],
  ['a private journal', 'notes'],
  ['markdown editor with live preview', 'notes'],
  ['Notizen-App', 'notes'],
  ['a note-taking app for my students', 'notes'],
  ['quiz about space', 'quiz'],
  ['a JavaScript quiz with a timer', 'quiz'],
  ['multiple choice questions about history', 'quiz'],
  ['trivia game', 'quiz'],
  ['Ein Quiz über Geografie', 'quiz'],
  ['a website that lets me take a quiz about music', 'quiz'],
  ['kanban board', 'kanban'],
  ['a task board with columns backlog, doing, done', 'kanban'],
  ['a Trello clone', 'kanban'],
  ['kanban board for my to-do list', 'kanban'],
  ['portfolio for a photographer', 'portfolio'],
  ['my personal website', 'portfolio'],
  ['an online resume for Jane Doe', 'portfolio'],
  ['a portfolio page with a contact form', 'portfolio'],
  ['a contact form', 'form'],
  ['registration form with validation', 'form'],
  ['a sign-up form for a newsletter', 'form'],
  ['ein Kontaktformular', 'form'],
  ['job application form', 'form'],
  ['weather dashboard', 'dashboard'],
  ['a dashboard with charts', 'dashboard'],
  ['show me the weather in Lisbon', 'dashboard'],
  ['sales analytics dashboard', 'dashboard'],
  ['snake game', 'snake'],
  ['the classic game snake', 'snake'],
  ['a retro arcade game', 'snake'],
  ['REST API for a to-do list', 'api'],
  ['a Node.js backend with CRUD endpoints for books', 'api'],
  ['an express-like server for notes', 'api'],
  ['a todo API', 'api'],
  ['command-line tool that counts words', 'cli'],
  ['a CLI to-do list', 'cli'],
  ['a node command line timer', 'cli'],
  ['a page about whales', 'page'],
  ['tell me about the history of paper boats', 'page'],
  ['something nice', 'page'],
  ['a recipe for pancakes', 'page'],
  ['🎉', 'page'],
  ['', 'page'],
  ['not a to-do list but a calculator', 'calculator'],
  ['a page called "Quiz"', 'page'],
];

describe('choosing', () => {
  test.each(CHOICES)('%s → %s', (prompt, kind) => {
    expect(chooseKind(readPrompt(prompt), KINDS).name).toBe(kind);
  });
});

describe('reading a prompt', () => {
  test.each([
    ['a pomodoro timer with a dark theme', 'Pomodoro Timer'],
    ['Please build me a simple, modern calculator app', 'Calculator'],
    ['a notes app called Ink & Quill with search', 'Ink &amp; Quill'],
    ['a to-do list named "Monday"', 'Monday'],
    ['landing page for a coffee shop in Rome', 'Coffee Shop'],
    ['coffee shop landing page', 'Coffee Shop'],
    ['ein Quiz namens „Sternstunde“', 'Sternstunde'],
    ['a quiz about the French Revolution', 'French Revolution Quiz'],
    ['I want a page about deep sea fishing', 'Deep Sea Fishing'],
    ['a portfolio for Jane Doe', 'Jane Doe'],
  ])('%s is titled %s', (prompt, title) => {
    expect(titleOf(prompt)).toBe(title);
  });

  test.each([
    ['a dark landing page', 'dark'],
    ['a timer with a light theme', 'light'],
    ['a calculator in light and dark mode', 'auto'],
    ['a timer with a dark mode toggle', 'auto'],
    ['a lightweight timer', 'auto'],
    ['landing page for a dark chocolate maker', 'auto'],
    ['eine To-do-Liste mit dunklem Design', 'dark'],
  ])('%s has the theme %s', (prompt, theme) => {
    expect(readPrompt(prompt).theme).toBe(theme);
  });

  test.each([
    ['a timer with a green accent', '#15803d'],
    ['a timer, accent #F0a', '#ff00aa'],
    ['a timer with orange buttons', '#ea580c'],
    ['a juice shop that sells orange juice', ''],
    ['ein blauer Timer', '#2563eb'],
    ['a blue and white timer', '#2563eb'],
  ])('%s has the accent %s', (prompt, accent) => {
    expect(readPrompt(prompt).accent).toBe(accent);
  });

  test.each([
    ['a pomodoro timer', [25, 5, 15]],
    ['a pomodoro timer with 50 minute sessions and a 10 min break', [50, 10, 15]],
    ['a 45/15 pomodoro', [45, 15, 15]],
    ['pomodoro with 20-minute work, 4 minute short breaks and 20 minutes long break', [20, 4, 20]],
    ['a countdown timer for 90 seconds', [1.5, 5, 10, 25]],
    ['countdown timer with 1 hour', [60, 5, 10, 25]],
  ])('%s runs for %j minutes', async (prompt, minutes) => {
    const { intervals } = await load(file(project(prompt), 'src/config.js'));
    expect(intervals.map((interval: { minutes: number }) => interval.minutes)).toEqual(minutes);
  });

  test.each([
    ['a shopping list with items milk, eggs and bread', ['Milk', 'Eggs', 'Bread']],
    ['to-do list: call Ana; buy flowers; pay rent', ['Call Ana', 'Buy flowers', 'Pay rent']],
    [
      'a to-do list with these tasks:\n- Water the plants\n- Fix the "blue" bike\n\nMake it dark.',
      ['Water the plants', 'Fix the "blue" bike'],
    ],
    ['My tasks:\n1. One\n2. Two', ['One', 'Two']],
  ])('%j lists %j', async (prompt, texts) => {
    const source = file(project(prompt), 'src/entries.js');
    const list = /firstEntries = (\[[\s\S]*?\]);/.exec(source)?.[1] ?? '';
    expect((await load(`export default ${list}`)).default).toEqual(texts);
  });

  test('bullets that ask for features are not entries', () => {
    const source = file(
      project('A to-do list with these tasks:\n- add tasks\n- mark tasks as done\n- filter them'),
      'src/entries.js',
    );
    expect(source).toContain('Add your first task above');
  });

  test('a landing page has the sections, features and order that are listed', () => {
    const page = file(project('Landing page for Acme. Sections: pricing, our robots, contact'), 'index.html');
    expect([...page.matchAll(/<section class="part" id="([^"]*)"/g)].map((match) => match[1])).toEqual([
      'pricing',
      'our-robots',
      'contact',
    ]);
    const features = file(
      project('Landing page for Acme with features: fast setup, no fees, real people'),
      'index.html',
    );
    expect(features).toMatch(/Fast Setup[\s\S]*No Fees[\s\S]*Real People/);
  });

  test('the language of the prompt marks its words', () => {
    expect(file(project('ein Taschenrechner mit dunklem Design für die Schule'), 'index.html')).toMatch(
      /<h1[^>]* lang="de"/,
    );
  });
});

describe('every project', () => {
  const prompts = [...new Map(CHOICES.map(([prompt, kind]) => [kind, prompt])).values()];
  const references = ({ path, content }: ProjectFile): string[] => {
    const patterns = path.endsWith('.html')
      ? [/(?:src|href)="([^"#]+)"/g]
      : path.endsWith('.js')
        ? [/(?:from|import) '(\.[^']+)'/g]
        : [/url\(["']?([^"')]+)/g];
    const found = patterns.flatMap((pattern) =>
      [...content.matchAll(pattern)].map((match) => match[1] ?? ''),
    );
    return found
      .filter((reference) => !/^(?:data|mailto):/.test(reference))
      .map((reference) => posix.join(posix.dirname(path), reference));
  };

  test.each(prompts)('%s: is whole', (prompt) => {
    const files = project(prompt);
    const paths = files.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toContain('README.md');
    expect(paths[0]).toBe('index.html');
    expect(files.flatMap(references).filter((path) => !paths.includes(path))).toEqual([]);
    for (const { path, content } of files) {
      expect(content).not.toMatch(path.endsWith('.js') ? /\{\{/ : /\{\{|<!-- [#/]|undefined|\[object/);
      expect(`${path}: ${content.replaceAll('http://www.w3.org/2000/svg', '')}`).not.toMatch(
        /(?:src|href|action)=["']?(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\/|fetch\(['"](?:https?:)?\/\//,
      );
    }
    expect(file(files, 'README.md')).toContain('the embedded `blueprint` provider');
    expect(file(files, 'index.html')).toMatch(/<meta name="description" content="[^"]{20,}">/);
    expect(file(files, 'index.html')).not.toMatch(/ on\w+="| style="|<style|<script>/);
  });

  test('is the same bytes for the same prompt', () => {
    for (const [prompt] of CHOICES) expect(project(prompt)).toEqual(project(prompt));
  });
});

describe('what a prompt says never becomes code', () => {
  const HOSTILE = [
    `</script><img src=x onerror=alert(1)>`,
    `"><svg onload=alert(1)>`,
    `\\'; alert(1); '`,
    '`$' + '{alert(1)}`',
    '{{title}} <!-- #sections --> {{nothing}}',
    '\u0000\u0007\u202e\ud800 lone \udfff',
    '🎉 مرحبا بالعالم',
    "$& $1 $` $'",
    '</title><base href="//evil.example/">',
    'x'.repeat(10_000),
  ];
  const frames = [
    (text: string) => text,
    (text: string) => `a to-do list called ${text} with items ${text}, and ${text}`,
    (text: string) =>
      `a landing page called "${text}" for ${text}. Sections: ${text}, pricing, ${text}. Features: ${text}, b`,
    (text: string) => `a quiz about ${text}`,
    (text: string) => `a notes app named '${text}'. notes: ${text}, ${text}`,
    (text: string) => `page about ${text} with sections: ${text}, b, c`,
    (text: string) => `a timer called ${text}`,
    (text: string) => `a calculator called ${text}`,
    (text: string) => `a kanban board called ${text} with columns ${text}, b and c`,
    (text: string) => `a portfolio for ${text} with projects: ${text}, b, c`,
    (text: string) => `a contact form called ${text} with fields ${text}, email and ${text}`,
    (text: string) => `a weather dashboard for ${text}`,
    (text: string) => `a REST API called ${text} for ${text}`,
    (text: string) => `a command-line tool called ${text}`,
    (text: string) => `a snake game called ${text}`,
  ];

  /** The page's skeleton: its tags and attribute names, without any text or value. */
  const skeleton = (page: string) =>
    new Set(
      [...page.matchAll(/<(\w+)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/g)].map(
        (match) =>
          `${match[1]} ${[...(match[2] ?? '').matchAll(/([\w-]+)(?==")/g)].map((name) => name[1]).join(' ')}`,
      ),
    );
  const TAGS = /<(?:img|svg on|base|script(?! (?:type="module" )?src=")|iframe)/i;

  async function check(prompt: string) {
    for (const { path, content } of project(prompt)) {
      expect(content.isWellFormed()).toBe(true);
      for (const control of ['\0', '\u0007', '\u202e']) expect(content).not.toContain(control);
      if (path.endsWith('.html')) {
        expect(content).not.toMatch(TAGS);
        expect(content.replace(/"[^"]*"/g, '')).not.toMatch(/<\w[^>]*\son\w+=/i);
      }
      if (path.endsWith('.json')) JSON.parse(content);
      if (/\b(?:config|questions|entries|notes|cards|fields)\.js$/.test(path))
        await load(content.replace(/^import .*$/gm, 'const load = (_, value) => value, save = () => {};'));
    }
    return file(project(prompt), 'index.html');
  }

  test.each(frames.map((frame) => [frame('…'), frame] as const))('%s', async (_name, frame) => {
    for (const text of HOSTILE) await check(frame(text));
  });

  test('any text at all gives a project, and quickly', async () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc
        .array(
          fc.constantFrom(
            'a ',
            'quiz ',
            'about ',
            '"',
            "'",
            ':',
            ',',
            'and ',
            '\n',
            '- ',
            'called ',
            'items ',
            '{{',
            '}}',
            '<',
          ),
          { maxLength: 60 },
        )
        .map((words) => words.join('')),
    );
    await fc.assert(
      fc.asyncProperty(any, async (prompt) => {
        const start = performance.now();
        expect(skeleton(await check(prompt)).size).toBeGreaterThan(5);
        expect(performance.now() - start).toBeLessThan(1_000);
      }),
      { numRuns: 200 },
    );
  });
});

describe('projects for Node.js', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blueprint-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function write(prompt: string) {
    for (const { path, content } of project(prompt)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
  }

  test('the command-line tool adds, lists, completes and removes', async () => {
    await write('a command-line tool for books called "shelf"');
    const run = (...words: string[]) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['cli.js', '--file', 'list.json', ...words],
        { cwd: folder, encoding: 'utf8' },
      );
      return { status, out: stdout.trim(), err: stderr.trim() };
    };
    expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).bin).toEqual({
      shelf: './cli.js',
    });
    expect(run('list').out).toBe('No books here.');
    expect(run('add', 'Emma').out).toBe('Added 1  Emma');
    run('add', 'Middlemarch');
    expect(run('done', '1').out).toBe('Done 1  Emma');
    expect(run('list').out).toBe('2  Middlemarch');
    expect(JSON.parse(run('list', '--all', '--json').out)).toHaveLength(2);
    expect(run('remove', '2').out).toBe('Removed 2  Middlemarch');
    expect(run('done', '7')).toMatchObject({ status: 1, err: 'There is no number 7.' });
    expect(run('fly').status).toBe(2);
    expect(run('list', '--nothing').status).toBe(2);
    expect(run('--help')).toMatchObject({ status: 0, out: expect.stringContaining('shelf: keep books') });
  });

  test('the API creates, reads, searches, changes and deletes, and names what is wrong', async () => {
    await write('a REST API for books with fields title, author, year');
    const server = spawn(process.execPath, ['server.js'], {
      cwd: folder,
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = await once(server.stdout, 'data');
      const base = `${/http:\S+/.exec(String(line))?.[0]}/api/books`;
      const send = async (method: string, path: string, body?: unknown) => {
        const init =
          body === undefined
            ? {}
            : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
        const response = await fetch(base + path, { method, ...init });
        return {
          status: response.status,
          headers: response.headers,
          body: response.status === 204 ? undefined : await response.json(),
        };
      };
      const created = await send('POST', '', {
        title: 'Emma',
        author: 'Jane Austen',
        year: 1815,
        unknown: 1,
      });
      expect(created).toMatchObject({
        status: 201,
        body: { title: 'Emma', author: 'Jane Austen', year: 1815 },
      });
      expect(created.body).not.toHaveProperty('unknown');
      const item = `/${created.body.id}`;
      expect(created.headers.get('location')).toBe(`/api/books${item}`);
      expect((await send('PATCH', item, { year: 1816 })).body.year).toBe(1816);
      expect((await send('GET', '?search=austen')).body).toHaveLength(1);
      expect((await send('GET', '?search=tolstoy')).body).toEqual([]);
      expect(await send('POST', '', {})).toMatchObject({ status: 400, body: { error: 'title is missing' } });
      expect(await send('POST', '', { title: 'x', year: '1815' })).toMatchObject({
        status: 400,
        body: { error: 'year must be a number' },
      });
      expect(await send('POST', '', [])).toMatchObject({ status: 400 });
      expect(await send('POST', '', { title: 'x'.repeat(200_000) })).toMatchObject({ status: 413 });
      expect((await send('PUT', '', {})).headers.get('allow')).toBe('GET, POST');
      expect((await fetch(base, { method: 'POST', body: 'title=x' })).status).toBe(415);
      expect(await send('GET', '/nothing')).toMatchObject({ status: 404 });
      expect(JSON.parse(await readFile(join(folder, 'data.json'), 'utf8'))).toHaveLength(1);
      expect((await send('DELETE', item)).status).toBe(204);
      expect((await send('GET', '')).body).toEqual([]);
      const page = await fetch(new URL('/', base));
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    } finally {
      server.kill();
      await once(server, 'exit');
    }
  });
});

describe('accents', () => {
  test('stay readable whatever colour is asked for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
        const { light, dark } = accentShades(`#${number.toString(16).padStart(6, '0')}`);
        for (const paper of ['#ffffff', '#ebebeb'])
          expect(contrast(light, paper)).toBeGreaterThanOrEqual(4.5);
        for (const paper of ['#000000', '#2b2b2b']) expect(contrast(dark, paper)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

describe('filling in', () => {
  test('escapes for the language of the file', () => {
    const values = { name: `<a href="x">'\\` };
    expect(fill('<p title="{{name}}">', 'html', values)).toBe(
      '<p title="&lt;a href=&quot;x&quot;&gt;&#39;\\">',
    );
    expect(fill("const name = '{{name}}';", 'js', values)).toBe(`const name = '\\u003ca href="x">\\'\\\\';`);
    expect(JSON.parse(fill('{ "name": "{{name}}" }', 'json', values))).toEqual(values);
    expect(fill('# {{name}}', 'md', values)).toBe(`# \\<a href="x"\\>'\\\\`);
    expect(fill('a { color: {{name}} }', 'css', { name: 'red;} body{' })).toBe('a { color: redbody }');
  });

  test('repeats, keeps and drops blocks', () => {
    const template = '<!-- #items --><i>{{text}}</i><!-- #last -->.<!-- /last --><!-- /items -->';
    expect(
      fill(template, 'html', {
        items: [
          { text: 'a', last: false },
          { text: '{{text}}', last: true },
        ],
      }),
    ).toBe('<i>a</i><i>{{text}}</i>.');
  });

  test('names a placeholder that has no value', () => {
    expect(() => fill('{{titel}}', 'html', {})).toThrow('titel');
  });
});
