import { relevantFiles } from '../../../../lambda/generation/edits/context.ts';
import { instructionsFor } from '../../../../lambda/generation/instructions.ts';
import type { AttemptRequest } from '../../../../lambda/generation/providers/provider.ts';

const line = 'const value = 1;\n';
const FILES = [
  { path: 'index.html', content: '<script type="module" src="src/app.js"></script>\n' },
  { path: 'src/app.js', content: `import './cart.js';\n${line.repeat(100)}` },
  { path: 'src/cart.js', content: line.repeat(200) },
  { path: 'src/far.js', content: line.repeat(90) },
  { path: 'src/huge.js', content: line.repeat(5_000) },
  { path: 'photo.png', content: undefined },
];
const shown = (prompt: string, room: number, more = {}) =>
  relevantFiles(FILES, { prompt, problems: [], changed: [], ...more }, room).map(({ path }) => path);

it('shows everything that fits', () => {
  expect(shown('add a footer', 1_000_000)).toEqual(FILES.slice(0, 5).map(({ path }) => path));
});

it('shows named files first, then pages, then what refers to them, then the smallest', () => {
  expect(shown('change cart.js', 3_600)).toEqual(['index.html', 'src/cart.js']);
  expect(shown('change cart.js', 5_500)).toEqual(['index.html', 'src/app.js', 'src/cart.js']);
  expect(shown('add a footer', 1_700)).toEqual(['index.html', 'src/far.js']);
});

it('shows a group its page, what it uses and who refers to it before others, and descriptions, tests and icons last', () => {
  const ranked = ['index.html', 'src/store.js', 'src/app.js', 'src/other.js'];
  const content = line.repeat(60);
  const files = [...ranked, 'README.md', 'icon.svg', 'tests/total.test.js'].map((path) => ({
    path,
    content: path === 'src/app.js' ? `import './total.js';\n${content}` : content,
  }));
  const unwritten = [{ path: 'src/total.js', purpose: 'sums what store.js has', group: 2 }];
  const subject = { prompt: '', problems: [], changed: [], unwritten };
  for (const count of [1, 2, 3, 4]) {
    const found = relevantFiles(files.toReversed(), subject, count * 1_050).map(({ path }) => path);
    expect(found.toReversed()).toEqual(ranked.slice(0, count));
  }
});

it('shows the files of problems and of earlier changes first', () => {
  expect(shown('x', 3_500, { problems: ['src/cart.js: has no end'] })).toContain('src/cart.js');
  expect(shown('x', 3_500, { changed: ['src/cart.js'] })).toContain('src/cart.js');
});

it.each([
  ['it is 514 px wide: <ul class="plain tight rows lo… sticks out', ['src/rows.js', 'src/rows.css']],
  ['it is 514 px wide: <ol id="steps"> sticks out', ['src/steps.js']],
  ['the page is blank, at #/steps/2', ['src/steps.js']],
  ['the page is blank, at ?lang=de', []],
  ['_data.json: Line 2 declares the collection "notes", which no file uses', ['src/notes.js']],
])('shows what may make the element or the view of the problem %s', (problem, expected) => {
  const made = [
    { path: 'src/rows.js', content: `list.className = 'plain tight rows';\n${line.repeat(90)}` },
    { path: 'src/rows.css', content: `.plain.tight .rows { margin: 0 }\n${line.repeat(90)}` },
    { path: 'src/steps.js', content: `<ol id="steps" class="tight">\n${line.repeat(95)}` },
    { path: 'src/notes.js', content: `import '../.data/client.js';\n${line.repeat(95)}` },
    { path: 'src/small.js', content: line.repeat(80) },
    { path: 'src/tiny.js', content: line.repeat(85) },
  ];
  const room = expected.reduce((sum, path) => sum + (made.find((file) => file.path === path)?.content.length ?? 0), 0);
  const subject = { prompt: '', problems: [problem], changed: [] };
  expect(relevantFiles(made, subject, room).map(({ path }) => path)).toEqual(expected);
});

it('says which files are not shown, within the tokens of the provider', () => {
  const request: AttemptRequest = {
    prompt: 'add a footer',
    duration: 'auto',
    kind: 'write',
    edits: true,
    amends: true,
    date: 0,
    parallel: 1,
    files: FILES,
    images: [],
    changed: [],
    locked: ['data/**'],
    unwritten: [],
    problems: [],
  };
  const { prompt } = instructionsFor(request, { context: 2_000, output: 32_000 });
  const [all, hidden] = ['The project has these files:', 'These are not shown'].map((start) =>
    prompt
      .slice(prompt.indexOf(start))
      .split('\n\n')[0]
      ?.split('\n')
      .slice(1)
      .map((entry) => entry.slice(2)),
  );
  expect(all).toEqual(FILES.map(({ path }) => path));
  expect(hidden).toEqual(['src/huge.js', 'photo.png']);
  expect(prompt).toContain('- data/**');
  expect(prompt.length).toBeLessThan(4 * 2_000 + 1_000);
});
