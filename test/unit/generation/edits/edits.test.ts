import { OutputParser } from '../../../../lambda/generation/attempt/answer/output-parser.ts';
import { refusal } from '../../../../lambda/generation/edits/accept-change.ts';
import type { ProjectChange } from '../../../../lambda/stored/projects/stored-project.ts';
import { testRows } from '../../../support/rows.ts';

const MAIN = 'const a = 1;\nconst b = 2;\n';
const PROJECT = [
  { path: 'main.js', content: MAIN },
  { path: 'old.css', content: 'a {}\n' },
  { path: 'locked/data.json', content: '{}\n' },
  { path: 'photo.png', content: undefined },
  { path: 'long.js', content: 'const line = "of a long file";\n'.repeat(100) },
];

function edit(answer: string, ...sizes: number[]) {
  const parser = new OutputParser(PROJECT, (change, before, whole) => refusal(change, before, whole, ['locked']));
  const changes: ProjectChange[] = [];
  const size = sizes[0] ?? answer.length;
  for (let at = 0; at < answer.length; at += size) changes.push(...parser.feed(answer.slice(at, at + size)));
  changes.push(...parser.end());
  return { changes, rejected: Object.fromEntries(parser.rejected), done: parser.done };
}

const block = (search: string, replace: string) => `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;

const ANSWER = `I change three files.
<edit path="main.js">
${block('const a = 1;', 'const a = 3;')}
${block('const b = 2;', 'const b = 4;')}</edit>
<delete path="old.css"/>
<file path="new.css">
b {}
</file>
<done/>
`;

testRows([1, 7, 10_000])('reads edits, deletions and files in chunks of any size', (size) => {
  expect(edit(ANSWER, size)).toEqual({
    changes: [
      { path: 'main.js', content: 'const a = 3;\nconst b = 4;\n' },
      { path: 'old.css', content: null },
      { path: 'new.css', content: 'b {}\n' },
    ],
    rejected: {},
    done: true,
  });
});

it('edits what an earlier edit of the same answer left', () => {
  const twice = `<edit path="main.js">\n${block('const a = 1;', 'const c = 5;')}</edit>\n`;
  const again = `<edit path="main.js">\n${block('const c = 5;', 'const d = 6;')}</edit>\n`;
  expect(edit(twice + again).changes.at(-1)).toEqual({
    path: 'main.js',
    content: 'const d = 6;\nconst b = 2;\n',
  });
});

it('takes a path that a deletion freed', () => {
  const renamed = '<delete path="old.css"/>\n<file path="OLD.css">\na {}\n</file>\n';
  expect(edit(renamed)).toMatchObject({ rejected: {}, changes: [{ content: null }, { path: 'OLD.css' }] });
});

testRows([
  [`<edit path="main.js">\n${block('const c = 1;', 'x')}</edit>`, 'main.js', 'does not occur'],
  [`<edit path="main.js">\n${block('const a = 1;', 'x')}${block('nowhere', 'x')}</edit>`, 'main.js', 'number 2'],
  [`<edit path="none.js">\n${block('a', 'b')}</edit>`, 'none.js', 'does not exist'],
  [`<edit path="photo.png">\n${block('a', 'b')}</edit>`, 'photo.png', 'is not text'],
  [`<edit path="locked/data.json">\n${block('{}', '[]')}</edit>`, 'locked/data.json', 'is locked'],
  ['<file path="locked/new.json">\n[]\n</file>', 'locked/new.json', 'is locked'],
  ['<delete path="locked/data.json"/>', 'locked/data.json', 'is locked'],
  ['<file path="main.js">\nconst a = 3;\n// ... rest of the code unchanged\n</file>', 'main.js', 'placeholder'],
  [`<edit path="main.js">\n${block('const a = 1;', '// ... existing code ...')}</edit>`, 'main.js', 'placeholder'],
  [`<file path="main.js">\n${'x'.repeat(1_048_577)}\n</file>`, 'main.js', 'more than 1,048,576 bytes'],
  ['<file path="long.js">\nconst line = 1;\n</file>', 'long.js', 'stub'],
  [`<edit path="main.js">\n<<<<<<< SEARCH\nconst a = 1;\n</edit>`, 'main.js', 'without its end'],
])('makes no change that is malformed or not allowed', (answer, path, problem) => {
  expect(edit(answer)).toMatchObject({ changes: [], rejected: { [path]: expect.stringContaining(problem) } });
});

it('changes nothing by an edit whose end is missing', () => {
  expect(edit(`<edit path="main.js">\n${block('const a = 1;', 'x')}`)).toMatchObject({
    changes: [],
    rejected: {},
  });
});

it('does not repeat an edit that an earlier answer made', () => {
  const before = [{ path: 'main.js', content: 'const a = 1;\nconst b = 2;\nconst c = 3;\n' }];
  const inserts = `<edit path="main.js">\n${block('const a = 1;', 'const a = 1;\nconst b = 2;')}</edit>\n<done/>\n`;
  const replaces = `<edit path="main.js">\n${block('const d = 1;', 'const c = 3;')}</edit>\n<done/>\n`;
  for (const answer of [inserts, replaces]) {
    const parser = new OutputParser(before, () => undefined, ['main.js']);
    parser.feed(answer);
    expect([...parser.files.values()]).toEqual(before);
    expect(parser.rejected.size).toBe(0);
  }
});

it('takes back an edit of a file whose other edit is rejected or cut off', () => {
  const first = `<edit path="main.js">\n${block('const a = 1;', 'x')}</edit>\n`;
  const wrong = `<edit path="main.js">\n${block('nowhere', 'x')}</edit>\n`;
  const other = '<file path="b.txt">\nb\n</file>\n';
  for (const answer of [first + wrong, wrong + first, first + other + wrong]) {
    const { changes, rejected } = edit(`${answer}<done/>\n`);
    expect(changes.findLast(({ path }) => path === 'main.js')?.content ?? MAIN).toBe(MAIN);
    expect(rejected).toHaveProperty(['main.js']);
  }
  const parser = new OutputParser(PROJECT);
  expect(parser.feed(first + first.slice(0, -5))).toEqual([]);
  expect(parser.end(true)).toEqual([]);
});

it('makes long files shorter with blocks', () => {
  const answer = `<edit path="long.js">\n${block(PROJECT[4]?.content?.trimEnd() ?? '', 'short();')}</edit>`;
  expect(edit(answer).changes).toEqual([{ path: 'long.js', content: 'short();\n' }]);
});

it('reads edits and deletions as content while there is no project', () => {
  const parser = new OutputParser();
  const file = '<edit path="a">\n</edit>\n<delete path="b"/>\n';
  expect(parser.feed(`<file path="a.xml">\n${file}</file>\n`)).toEqual([{ path: 'a.xml', content: file }]);
});
