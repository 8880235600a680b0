import { editStarter } from '../../../blueprints/edits/edit.ts';
import { compose, type ProjectFile } from '../../../blueprints/engine/compose.ts';
import { accentShades } from '../../../blueprints/kit/palette.ts';
import { processorTime } from '../../support/linear-time.ts';
import { testRows } from '../../support/rows.ts';
import { ONE_OF_EACH } from './prompts.ts';

const starter = (prompt: string) => compose(prompt, 'auto');

/** Edits a starter. @returns the changed lines by path, or why there are none */
function edited(prompt: string, edit: string, files = starter(prompt)) {
  const result = editStarter(edit, files, { prompt, duration: 'auto' });
  if ('refusal' in result) return result.refusal;
  return Object.fromEntries(
    result.changed.map(({ path, content }) => {
      const before = files.find((file) => file.path === path)?.content.split('\n') ?? [];
      return [
        path,
        content
          .split('\n')
          .filter((line) => !before.includes(line))
          .map((line) => line.trim()),
      ];
    }),
  );
}
const all = (files: readonly ProjectFile[], changed: readonly ProjectFile[]) =>
  files.map((file) => changed.find(({ path }) => path === file.path) ?? file);

const TODO = 'a to-do list';
const SHOPPING = 'a shopping list with milk, eggs and bread';

testRows<[edit: string, prompt: string, lines: Record<string, unknown>]>([
  ['use the dark theme', TODO, { 'index.html': ['<html lang="en" data-theme="dark">'] }],
  ['Please make it light', 'a quiz', { 'index.html': ['<html lang="en" data-theme="light">'] }],
  [
    'use #a00 as the accent colour',
    'a timer',
    {
      'base.css': ['--accent: light-dark(#aa0000, #ff5656);'],
      'icon.svg': [expect.stringContaining('#aa0000')],
    },
  ],
  [
    'replace "Add a task" with "What\'s next?"',
    TODO,
    { 'index.html': [expect.stringContaining('placeholder="What&#39;s next?"')] },
  ],
  ["replace 'All done.' with 'Well done, you'", TODO, { 'src/texts.js': ["emptyOpen: 'Well done, you',"] }],
  [
    'change the heading to "Bread < 5 €"',
    'a landing page for a bakery',
    { 'index.html': [expect.stringMatching(/^<h1.*>Bread &lt; 5 €<\/h1>$/)] },
  ],
  [
    'add "Jam" and "Tea" to the list',
    SHOPPING,
    { 'src/entries.js': [expect.stringContaining("'Bread', 'Jam', 'Tea'")] },
  ],
  ['add butter to my list', SHOPPING, { 'src/entries.js': [expect.stringContaining("'Bread', 'butter']")] }],
  ['remove "Eggs"', SHOPPING, { 'src/entries.js': [expect.stringContaining("['Milk', 'Bread']")] }],
  [
    'add a column "Review" after "Doing"',
    'a kanban board',
    { 'src/cards.js': ["export const columns = ['To do', 'Doing', 'Review', 'Done'];"] },
  ],
  ['add "Go" after "A skill"', 'a resume for Ann', { 'index.html': [expect.stringContaining('>Go</li>')] }],
  [
    'remove "Drink water"',
    'a habit tracker',
    { 'src/config.js': [expect.stringContaining("['Move for 30 minutes', 'Read 10 pages']")] },
  ],
])('makes the change', (edit, prompt, lines) => {
  expect(edited(prompt, edit)).toEqual(lines);
});

it('makes several edits, the translation first', () => {
  const changed = edited(TODO, 'Call it "A & B", make it dark and orange. Translate it to German');
  expect(changed).toMatchObject({
    'README.md': expect.arrayContaining(['# A \\& B']),
    'base.css': [expect.stringContaining(accentShades('#ea580c').light)],
    'src/texts.js': expect.arrayContaining(["emptyOpen: 'Alles erledigt.',"]),
  });
  expect(changed).toHaveProperty(
    ['index.html'],
    expect.arrayContaining(['<html lang="de" data-theme="dark">', '<title>A &amp; B</title>']),
  );
});

testRows([
  'add a login form',
  'make it beautiful',
  'make the background green',
  'make it dark and add a login',
  'add "X" to the list and connect it to Stripe',
  'replace "nowhere to be found" with "x"',
  'remove "Caviar"',
  'use the light theme, then fix the bugs',
  '???',
])('refuses the whole request and says what it can do', (edit) => {
  expect(edited(TODO, edit)).toMatch(/^The embedded provider cannot make this change: .*connect a language model$/);
});

testRows(['add a ', "'a", '"   ', 'the title ', 'remove "x", ', 'a to the list '])(
  'reads 10,000 hostile characters in time',
  (part) => {
    const files = starter(TODO);
    const hostile = part.repeat(10_000 / part.length);
    expect(processorTime(() => editStarter(hostile, files))).toBeLessThan(2_000_000);
  },
);

it('asks for the place if there are several lists', () => {
  expect(edited('a quiz', 'add "Pluto"')).toContain('say which item it follows');
  expect(edited('a quiz', 'add "Pluto" after "Earth"')).toHaveProperty(['src/questions.js']);
});

it('leaves names in code alone when it replaces a text', () => {
  expect(edited(TODO, 'replace "done" with "finished"')).not.toHaveProperty(['src/main.js']);
  expect(edited(TODO, 'replace "entries" with "things"')).not.toHaveProperty(['src/entries.js']);
});

it('translates only an unchanged starter of a known prompt', () => {
  const files = starter(TODO);
  const german = editStarter('auf Deutsch', files, { prompt: TODO, duration: 'auto' });
  if ('refusal' in german) throw new Error(german.refusal);
  const english = editStarter('in English', all(files, german.changed), { prompt: TODO, duration: 'auto' });
  if ('refusal' in english) throw new Error(english.refusal);
  expect(all(all(files, german.changed), english.changed)).toEqual(files);
  expect(editStarter('in German', files)).toHaveProperty('refusal');
  const changed = files.map((file) => ({ ...file, content: `${file.content}\n` }));
  expect(edited(TODO, 'in German', changed)).toContain('not changed in another way');
});

testRows(ONE_OF_EACH)('a starter has a title, an accent and a theme that can be edited', (prompt) => {
  const files = starter(prompt);
  const hasPage = files.some(({ path }) => path === 'index.html');
  if (!hasPage) return expect(edited(prompt, 'make it dark')).toContain('cannot');
  const changes = ['change the title to "Zebra"', 'use #123456', 'use the dark theme'].map((edit) => {
    const result = editStarter(edit, files);
    return 'refusal' in result
      ? result.refusal
      : all(files, result.changed)
          .map(({ content }) => content)
          .join('');
  });
  expect(changes).toEqual([
    expect.stringContaining('<title>Zebra</title>'),
    expect.stringContaining(`--accent: light-dark(${accentShades('#123456').light}`),
    expect.stringContaining('data-theme="dark"'),
  ]);
});
