import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TextFile } from '../../../blueprints/engine/compose.ts';
import { compose } from '../../../blueprints/engine/compose.ts';
import { readPrompt } from '../../../blueprints/engine/read-prompt.ts';
import { LANGUAGES } from '../../../blueprints/kit/types.ts';
import { testRows } from '../../support/rows.ts';
import { file, load, ONE_OF_EACH, project } from './prompts.ts';

const KINDS = 'blueprints/kinds';
const kinds = readdirSync(KINDS).filter((kind) => existsSync(join(KINDS, kind, 'texts.json')));
const folders = [...kinds.map((kind) => `kinds/${kind}`), 'shared'];
const read = (folder: string): TextFile => JSON.parse(readFileSync(join('blueprints', folder, 'texts.json'), 'utf8'));
const parameters = (text: string) => [...new Set(text.match(/\{\w*\}/g))].sort();

describe.each(folders)('the texts of %s', (folder) => {
  const { page = {}, script = {} } = read(folder);
  const texts = [...Object.entries(page), ...Object.entries(script)];

  testRows(texts)('exist in every language, with the same parameters and forms', (_name, columns) => {
    expect(columns.map((text) => text.trim() !== '')).toEqual(LANGUAGES.map(() => true));
    expect(columns.map(parameters)).toEqual(LANGUAGES.map(() => parameters(columns[0] ?? '')));
    expect(new Set(columns.map((text) => text.split('|').length)).size).toBe(1);
  });

  test('are all used', () => {
    const sources = [folder, 'shared'].flatMap((name) =>
      readdirSync(join('blueprints', name), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.(?:html|js|css|svg|md|ts|json)$/.test(path) && !path.endsWith('texts.json'))
        .map((path) => readFileSync(join('blueprints', name, path), 'utf8')),
    );
    const words = new Set(sources.join(' ').match(/\w+/g));
    expect(texts.map(([name]) => name).filter((name) => !name.split('.').every((part) => words.has(part)))).toEqual([]);
  });
});

testRows(ONE_OF_EACH)('the modules of a project name existing texts', async (prompt) => {
  const files = project(prompt, '10min');
  const named = files
    .filter(({ path }) => path.endsWith('.js'))
    .flatMap(({ content }) => [...content.matchAll(/(?<![\w/])texts\.(\w+)/g)].map((match) => match[1] ?? ''));
  const source = file(files, 'src/texts.js');
  const texts = source ? (await load(source)).texts : {};
  expect(named.filter((name) => !(name in texts))).toEqual([]);
});

describe('the language of the interface', () => {
  testRows([
    ['a pomodoro timer', 'en'],
    ['ein Taschenrechner', 'de'],
    ['Einkaufsliste', 'de'],
    ['calculadora simple', 'es'],
    ['un temporizador para cocinar', 'es'],
    ['un minuteur pomodoro pour étudier', 'fr'],
    ['une liste de courses', 'fr'],
    ['Crie um temporizador pomodoro', 'pt'],
    ['uma lista de tarefas', 'pt'],
    ['Quero um site para a minha padaria', 'pt'],
    ['Quiz sobre as capitais da Europa', 'pt'],
    ['un blog de voyages', 'fr'],
    ['German to-do app', 'de'],
    ['a pomodoro timer in French, with long breaks', 'fr'],
    ['una lista de tareas en alemán', 'de'],
    ['Spanish flash cards', 'en'],
    ['a quiz about German verbs', 'en'],
    ['landing page for a Portuguese restaurant', 'en'],
    ['Los Angeles weather', 'en'],
    ['Die Hard quiz', 'en'],
    ['ポモドーロタイマー', 'en'],
  ])('is that of the prompt', (prompt, lang) => {
    expect(readPrompt(prompt).lang).toBe(lang);
  });

  test('is that of the page, its texts and its numbers', async () => {
    const files = compose('Ein Pomodoro-Timer', 'auto');
    expect(file(files, 'index.html')).toContain('<html lang="de"');
    expect(file(files, 'index.html')).toContain('aria-label="Verbleibende Zeit"');
    const { texts, format } = await load(file(files, 'src/texts.js'));
    expect(format(texts.today, { n: 1, minutes: 25 })).toBe('Heute: 1 Einheit, 25 min');
    expect(format(texts.today, { n: 60, minutes: 1500 })).toBe('Heute: 60 Einheiten, 1.500 min');
  });
});
