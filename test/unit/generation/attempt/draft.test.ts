import { Draft } from '../../../../lambda/generation/attempt/draft.ts';
import type { Generation } from '../../../../lambda/generation/generation.ts';
import type { PlannedFile } from '../../../../lambda/stored/projects/stored-project.ts';
import { testRows } from '../../../support/rows.ts';

/** A draft of a project, whose plan has a line `2 style.css` for each file. */
function draftOf(lines: readonly string[], files: ReadonlyMap<string, string> = new Map()): Draft {
  const planned = lines.map((line): PlannedFile => {
    const [group, path = ''] = line.split(' ');
    return { path, purpose: '', group: Number(group) };
  });
  const log = [{ type: 'plan', files: planned }];
  return new Draft({ kind: 'write', log } as object as Generation, files, []);
}

it('has its files in the order of the plan, whatever order they arrived in, and the others behind them', () => {
  const arrived = ['notes.md', 'src/b.js', 'assets/logo.svg', 'index.html', 'src/a.js'];
  const draft = draftOf(['1 index.html', '2 src/a.js', '3 src/b.js'], new Map(arrived.map((path) => [path, path])));
  expect(draft.existing.map(({ path }) => path)).toEqual([
    'index.html',
    'src/a.js',
    'src/b.js',
    'notes.md',
    'assets/logo.svg',
  ]);
});

const PAGE = ['1 index.html', '2 style.css', '2 src/menu.js', '3 src/app.js'];
const VITE = ['1 index.html', '1 vite.config.js', '2 src/index.css', '3 src/App.jsx'];

testRows<[readonly string[], number, readonly string[], number | undefined]>([
  [PAGE, 2, [], 1],
  [PAGE, 2, ['index.html'], undefined],
  [PAGE, 3, [], undefined],
  [['1 src/data.js', '2 index.html', '3 css/site.css'], 3, [], 2],
  [['1 index.html', '2 contact.html', '3 style.css'], 2, [], 1],
  [['1 index.html', '1 style.css', '2 src/app.js'], 1, [], undefined],
  [['1 style.css', '2 src/app.js'], 1, [], undefined],
  [VITE, 2, [], undefined],
])(
  'knows which group writes the markup that a style sheet or another page needs to see',
  (lines, group, written, expected) => {
    const draft = draftOf(lines, new Map(written.map((path) => [path, path])));
    const files = draft.plan?.files.filter((file) => file.group === group) ?? [];
    expect(draft.markupFor({ kind: 'write', group, files })).toBe(expected);
  },
);
