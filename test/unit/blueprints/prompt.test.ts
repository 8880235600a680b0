import fc from 'fast-check';
import { matchPrompt } from '../../../blueprints/engine/compose.ts';
import { fill } from '../../../blueprints/engine/fill.ts';
import { readPrompt } from '../../../blueprints/engine/read-prompt.ts';
import { accentShades, contrast } from '../../../blueprints/kit/palette.ts';
import { testRows } from '../../support/rows.ts';
import { CHOICES, file, load, project } from './prompts.ts';

const titleOf = (prompt: string) => /<title>(.*)<\/title>/.exec(file(project(prompt), 'index.html'))?.[1];

describe('choosing', () => {
  testRows(CHOICES)('finds the kind', (prompt, kind) => {
    expect(matchPrompt(prompt)).toBe(kind);
  });
});

describe('reading a prompt', () => {
  testRows([
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
    ['Build a todo app in React with TypeScript', 'To-Do List'],
    ['Create a Kanban board app like Trello', 'Kanban Board'],
    ['a tip calculator', 'Calculator'],
    ['Haz una calculadora científica con tema oscuro', 'Calculadora científica'],
    ['un formulaire de contact', 'Formulaire de contact'],
    ['a simple weather app for Paris', 'Weather in Paris'],
    ['a dashboard for my smart home', 'Smart Home Dashboard'],
  ])('finds the title', (prompt, title) => {
    expect(titleOf(prompt)).toBe(title);
  });

  testRows([
    ['a dark landing page', 'dark'],
    ['a timer with a light theme', 'light'],
    ['a calculator in light and dark mode', 'auto'],
    ['a timer with a dark mode toggle', 'auto'],
    ['a lightweight timer', 'auto'],
    ['landing page for a dark chocolate maker', 'auto'],
    ['eine To-do-Liste mit dunklem Design', 'dark'],
  ])('finds the theme', (prompt, theme) => {
    expect(readPrompt(prompt).theme).toBe(theme);
  });

  testRows([
    ['a timer with a green accent', '#15803d'],
    ['a timer, accent #F0a', '#ff00aa'],
    ['a timer with orange buttons', '#ea580c'],
    ['a juice shop that sells orange juice', ''],
    ['ein blauer Timer', '#2563eb'],
    ['a blue and white timer', '#2563eb'],
  ])('finds the accent', (prompt, accent) => {
    expect(readPrompt(prompt).accent).toBe(accent);
  });

  testRows([
    ['a pomodoro timer', [25, 5, 15]],
    ['a pomodoro timer with 50 minute sessions and a 10 min break', [50, 10, 15]],
    ['a 45/15 pomodoro', [45, 15, 15]],
    ['pomodoro with 20-minute work, 4 minute short breaks and 20 minutes long break', [20, 4, 20]],
    ['a countdown timer for 90 seconds', [1.5, 5, 10, 25]],
    ['countdown timer with 1 hour', [60, 5, 10, 25]],
  ])('finds the minutes', async (prompt, minutes) => {
    const { intervals } = await load(file(project(prompt), 'src/config.js'));
    expect(intervals.map((interval: { minutes: number }) => interval.minutes)).toEqual(minutes);
  });

  testRows([
    ['a shopping list with items milk, eggs and bread', ['Milk', 'Eggs', 'Bread']],
    ['to-do list: call Ana; buy flowers; pay rent', ['Call Ana', 'Buy flowers', 'Pay rent']],
    [
      'a to-do list with these tasks:\n- Water the plants\n- Fix the "blue" bike\n\nMake it dark.',
      ['Water the plants', 'Fix the "blue" bike'],
    ],
    ['My tasks:\n1. One\n2. Two', ['One', 'Two']],
  ])('finds the list', async (prompt, texts) => {
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

describe('accents', () => {
  test('stay readable whatever colour is asked for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
        const { light, dark } = accentShades(`#${number.toString(16).padStart(6, '0')}`);
        for (const paper of ['#ffffff', '#ebebeb']) expect(contrast(light, paper)).toBeGreaterThanOrEqual(4.5);
        for (const paper of ['#000000', '#2b2b2b']) expect(contrast(dark, paper)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

describe('filling in', () => {
  test('escapes for the language of the file', () => {
    const values = { name: `<a href="x">'\\` };
    expect(fill('<p title="{{name}}">', 'html', values)).toBe('<p title="&lt;a href=&quot;x&quot;&gt;&#39;\\">');
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
