import fc from 'fast-check';
import { OutputParser } from '../../../../lambda/generation/attempt/answer/output-parser.ts';
import type { ProjectChange } from '../../../../lambda/stored/projects/stored-project.ts';
import { linearTime, repeated } from '../../../support/linear-time.ts';
import { testRows } from '../../../support/rows.ts';
import { runs } from '../../../support/soak.ts';
import { anyCharacter } from '../../../support/unicode.ts';

const existing = (path: string, content = 'x\n') => ({ path, content });

function parse(...chunks: string[]) {
  const parser = new OutputParser();
  const completed: ProjectChange[] = [];
  for (const chunk of chunks) completed.push(...parser.feed(chunk));
  completed.push(...parser.end());
  return { parser, completed };
}
const files = (...chunks: string[]) =>
  Object.fromEntries(Array.from(parse(...chunks).parser.files.values(), (f) => [f.path, f.content]));
const everything = (...chunks: string[]) => {
  const { parser, completed } = parse(...chunks);
  return {
    completed,
    files: [...parser.files.values()],
    plan: parser.plan.files,
    rejected: [...parser.rejected],
    done: parser.done,
  };
};

const TRANSCRIPT = `Sure! Here is your project.
<plan>
index.html: the page
css/a.css: how it looks
</plan>
<file path="index.html">
<!doctype html>
<title>é🍅</title>
  <file-like>stays</file-like>
</file>
Some prose, and a fence:
\`\`\`css
<file path="css/a.css">
a { color: red }
</file>
\`\`\`
<file path="empty.txt">
</file>
<done/>
`;

it('reads the plan and the files between markers and ignores the rest', () => {
  expect(everything(TRANSCRIPT)).toMatchObject({
    files: [
      {
        path: 'index.html',
        content: '<!doctype html>\n<title>é🍅</title>\n  <file-like>stays</file-like>\n',
      },
      { path: 'css/a.css', content: 'a { color: red }\n' },
      { path: 'empty.txt', content: '' },
    ],
    plan: [
      { path: 'index.html', purpose: 'the page' },
      { path: 'css/a.css', purpose: 'how it looks' },
    ],
    rejected: [],
    done: true,
  });
});

it('returns each file with the chunk that completes it', () => {
  const parser = new OutputParser();
  expect(parser.feed('<file path="a">\n1\n</fi')).toEqual([]);
  expect(parser.feed('le>\n<file path="b">\n2\n</file>\n<file path="a">\n3\n</file>\n<file')).toEqual([
    { path: 'a', content: '1\n' },
    { path: 'b', content: '2\n' },
    { path: 'a', content: '3\n' },
  ]);
  expect(parser.feed(' path="c">\n4\n</file>')).toEqual([]);
  expect(parser.end()).toEqual([{ path: 'c', content: '4\n' }]);
});

const A = { a: '1\n' };
testRows<[string, string, Record<string, string>]>([
  ['Windows line breaks', '<file path="a">\r\none\r\ntwo\r\n</file>\r\n<done/>\r\n', { a: 'one\ntwo\n' }],
  ['indented markers', '  <file path="a">\n1\n\t</file>  \n', A],
  ['no line break at the end', '<file path="a">\n1\n</file>', A],
  ['single quotes', "<file path='a'>\n1\n</file>\n", A],
  ['no quotes', '<file path=a>\n1\n</file>\n', A],
  ['spaces inside the marker', '<file  path = "a" >\n1\n</file >\n', A],
  ['more attributes', '<file language="js" path="a" mode=\'x>y\'>\n1\n</file>\n', A],
  ['upper case', '<FILE PATH="a">\n1\n</File>\n', A],
  ['a byte order mark', '\ufeff<file path="a">\n1\n</file>\n', A],
  ['a leading ./', '<file path="./a">\n1\n</file>\n', A],
  ['a closing marker with the path', '<file path="./a">\n1\n</file path="a">\n', A],
  [
    'text after a closing marker',
    '<file path="a">\n1\n</file> that was it\n<file path="b">\n2\n</file><done/>',
    { ...A, b: '2\n' },
  ],
  ['two markers on a line', '<file path="a">\n1\n</file><file path="b">\n2\n</file>\n', { ...A, b: '2\n' }],
  ['a fence around the block', '```html\n<file path="a">\n1\n</file>\n```\n', A],
  ['a fence around the content', '<file path="a.js">\n```js\n1\n```\n</file>\n', { 'a.js': '1\n' }],
  ['a long fence', '<file path="a.js">\n~~~~\n```\n~~~~\n</file>\n', { 'a.js': '```\n' }],
  ['a fence with the language Markdown', '<file path="a.md">\n````markdown\n```\n````\n</file>\n', { 'a.md': '```\n' }],
  ['a fence with its short name', '<file path="a.md">\n```md\n# A\n```\n</file>\n', { 'a.md': '# A\n' }],
  ['a repeated path', '<file path="a">\n0\n</file>\n<file path="./a">\n1\n</file>\n', A],
  ['a closing marker without a file', '</file>\n<file path="a">\n1\n</file>\n</file>\n', A],
])('accepts what models write around files', (_, text, expected) => expect(files(text)).toEqual(expected));

testRows<[string, string, Record<string, string>]>([
  ['a file without an end', '<file path="a">\n1\n', {}],
  ['a file that the next one interrupts', '<file path="b">\n1\n<file path="a">\n1\n</file>\n', A],
  ['a file that another path closes', '<file path="a">\n1\n</file path="b">\n', {}],
  ['a file after the end marker', '<file path="a">\n1\n</file>\n<done/>\n<file path="b">\n2\n</file>\n', A],
  ['a marker without a path', '<file>\n1\n</file>\n<file name="b">\n2\n</file>\n', {}],
  ['an opening marker in prose', '<file path="a"> is how a file begins\n1\n</file>\n', {}],
  ['an element without content', '<file path="a">\n<file path="b"/>\n</file>\n', { a: '<file path="b"/>\n' }],
  ['an attribute that ends in path', '<file data-path="a">\n1\n</file>\n', {}],
])('does not accept other text as a file', (_, text, expected) => expect(files(text)).toEqual(expected));

testRows([
  'x </file>',
  '</files>',
  '</file',
  '</file-list>',
  '<file path="b"> x',
  '<plan>',
  '</plan>',
  '<done/>',
  '```',
  '<file-list path="b">',
  `${' '.repeat(5_000)}</file>`,
])('keeps a line that resembles markup as content', (line) => {
  const { parser } = parse(`<file path="a">\n1\n${line}\n</file>\n`);
  expect(parser.files.get('a')?.content).toBe(`1\n${line}\n`);
  expect(parser.done).toBe(false);
});

it('keeps a fence that is content', () => {
  const fenced = '```js\none\n```\n';
  expect(files(`<file path="a.md">\n${fenced}</file>\n`)).toEqual({ 'a.md': fenced });
  const script = 'const fence = `\n```\n`;\n';
  expect(files(`<file path="a.js">\n${script}</file>\n`)).toEqual({ 'a.js': script });
});

testRows(['<done/>', '<done />', '<done>', '</done>', ' <DONE/> '])(
  'accepts the end marker with space around it',
  (marker) => expect(parse(`<file path="a">\n1\n</file>\n${marker}`).parser.done).toBe(true),
);

testRows(['all `<done/>`', '<donee/>', '<file path="a">\n<done/>\n</file>\n'])(
  'does not accept another end marker',
  (text) => expect(parse(text).parser.done).toBe(false),
);

describe('paths', () => {
  it('are rejected if a deployment would reject them', () => {
    const { parser } = parse('<file path="../../etc/passwd">\nx\n</file>\n<file path="ok">\ny\n</file>\n');
    expect([...parser.files.keys()]).toEqual(['ok']);
    expect([...parser.rejected]).toEqual([['../../etc/passwd', 'has a "." or ".." segment']]);
  });

  testRows([
    ['Readme.md', 'is the same file as "README.md" on some file systems'],
    ['src', 'is a file and the folder of "src/a.js"'],
    ['README.md/a.md', 'has the file "README.md" as a folder'],
    ['.././a', 'has a "." or ".." segment'],
  ])('are rejected beside the existing files', (path, reason) => {
    const text = `<file path="${path}">\nx\n</file>\n`;
    const before = new OutputParser([existing('README.md'), existing('src/a.js')]);
    before.feed(text);
    expect([...before.rejected.values()]).toEqual([reason]);
    const { parser } = parse(`<file path="README.md">\n1\n</file>\n<file path="src/a.js">\n2\n</file>\n${text}`);
    expect([...parser.rejected.values()]).toEqual([reason]);
    expect(parser.files.size).toBe(2);
  });

  it('of existing files are accepted again', () => {
    const parser = new OutputParser([existing('a')]);
    expect(parser.feed('<file path="a">\n1\n</file>\n')).toHaveLength(1);
  });
});

describe('the plan', () => {
  const planOf = (text: string) => parse(`<plan>\n${text}\n</plan>\n`).parser.plan.files;

  testRows([
    ['index.html: the page', 'index.html', 'the page'],
    ['  src/a.js:the game: all of it', 'src/a.js', 'the game: all of it'],
    ['- index.html: the page', 'index.html', 'the page'],
    ['* `index.html`: the page', 'index.html', 'the page'],
    ['12. **`index.html`**: the page', 'index.html', 'the page'],
    ['3) **index.html:** the page', 'index.html', 'the page'],
    ['- [ ] index.html - the page', 'index.html', 'the page'],
    ['• ./index.html – the page', 'index.html', 'the page'],
    ['src/a-b.test.js — the tests\r', 'src/a-b.test.js', 'the tests'],
    ['`my page.html`: with a space', 'my page.html', 'with a space'],
    ['.gitignore: what is not kept', '.gitignore', 'what is not kept'],
    ['Makefile: the commands', 'Makefile', 'the commands'],
    ['css/style.css', 'css/style.css', ''],
  ])('is read with the purpose of each file', (line, path, purpose) =>
    expect(planOf(line)).toEqual([{ path, purpose }]),
  );

  testRows([
    '',
    'Here are the files:',
    'Note: keep it simple',
    'We use index.html for the page',
    '../secret.txt: out of the project',
    'src/: the code',
    'C:\\a.txt: for Windows',
    '```',
    '# Files',
    `${'a'.repeat(7_000)}.js: too long`,
  ])('ignores other lines', (line) => expect(planOf(line)).toEqual([]));

  it('has each file once, with its last purpose, and no colliding paths', () => {
    expect(planOf('a.js: one\nb.js: two\na.js: three\nA.js: four\nb.js/c.js: five')).toEqual([
      { path: 'a.js', purpose: 'three' },
      { path: 'b.js', purpose: 'two' },
    ]);
  });

  it('is set once it is complete', () => {
    const parser = new OutputParser();
    parser.feed('<plan>\na.js: one\nb.js: t');
    expect(parser.plan.files).toEqual([]);
    parser.feed('wo\n</plan>\n');
    expect(parser.plan.files).toHaveLength(2);
    expect(parse('<plan>\na.js: one\n').parser.plan.files).toEqual([]);
    expect(parse('<plan>\na.js: one\n<done/>').parser.plan.files).toHaveLength(1);
    expect(parse('<plan>\na.js: one\n<file path="a.js">\n').parser.plan.files).toHaveLength(1);
  });
});

it('keeps a complete file of a new project when a second version of it is interrupted', () => {
  const text = '<file path="a">\n1\n</file>\n<file path="a">\n2\n<file path="b">\n3\n</file>\n<done/>\n';
  expect(files(text)).toEqual({ a: '1\n', b: '3\n' });
  expect(files('<file path="a">\n1\n</file>\n<file path="a">\n<file path="b">')).toEqual({ a: '1\n' });
});

it('reads a file of one line that ends an answer without a line break, unless more was to follow', () => {
  for (const before of ['', '<file path="a">\n0\n</file>\n', '<file path="a">\n0\n</file>']) {
    expect(files(`${before}<file path="b">1</file>`)).toMatchObject({ b: '1\n' });
    expect(files(`${before}<file path="b">1</file><done/>`)).toMatchObject({ b: '1\n' });
    const parser = new OutputParser();
    parser.feed(`${before}<file path="b">1</file><done/>`);
    parser.end(true);
    expect([...parser.files.keys()]).not.toContain('b');
  }
});

describe('any transcript', () => {
  const marker = fc.constantFrom(
    '<file path="a">',
    "<file path='b'>",
    '<file path=./c/d.md>',
    '<FILE path="A">',
    '<file path="../x">',
    '</file>',
    '</file path="a">',
    '</file> x',
    '</file><file path="b">',
    '</file><done/>',
    'x</file>',
    'x</file><done/>',
    '<file path="a">x',
    '<file path="b">x</file>',
    'assistantfinal<file path="a">',
    '<file\npath="a"',
    'text <done/>',
    '<think>',
    '</think>',
    '<plan>',
    '</plan>',
    'a.js: one',
    '- `b.js` - two',
    '```',
    '```md',
    '<done />',
    '<file path="a',
  );
  const line = fc.tuple(
    fc.oneof({ weight: 3, arbitrary: marker }, fc.string({ unit: anyCharacter, maxLength: 8 })),
    fc.constantFrom('\n', '\n', '\r\n', '', ' \n', '\ufeff'),
  );
  /** Lines with several markers, which random ones rarely have. */
  const ONE_LINE = [
    ['<file path="a">\n</file> x</think><file path="a">\n'],
    ['<file path="a">\n</file><file path="b">x</file><done/>\ufeff<file path="a">\n'],
    ['<file path="a">\n</think></file><file path="b">\ufeff</plan>\n'],
    ['<file path="a">\nx</file>\n<done />\ufeff</file><file path="b">\n'],
    ['<file path="a">\n</file> x\n</think>\n<plan>\0\n'],
  ] satisfies [string][];
  const transcript = fc.array(line, { maxLength: 30 }).map((lines) => lines.map((parts) => parts.join('')).join(''));

  it('gives the same result in any chunks', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constant(TRANSCRIPT), transcript), fc.array(fc.nat(400)), (text, cuts) => {
        const at = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length];
        const chunks = at.slice(1).map((end, i) => text.slice(at[i], end));
        const whole = everything(text);
        expect(everything(...chunks)).toEqual(whole);
        expect(everything(...text.split(''))).toEqual(whole);
      }),
      { numRuns: runs(400) },
    );
  });

  it('completes only files that the whole would, wherever it ends', () => {
    fc.assert(
      fc.property(transcript, (text) => {
        const { completed } = parse(text);
        for (let end = 0; end < text.length; end++) {
          const parser = new OutputParser();
          const before = [...parser.feed(text.slice(0, end)), ...parser.end(true)];
          expect(before).toEqual(completed.slice(0, before.length));
        }
      }),
      { examples: [[TRANSCRIPT], ...ONE_LINE], numRuns: runs(100) },
    );
  });

  it('never throws', () => {
    const piece = fc.oneof(fc.string({ unit: anyCharacter }), transcript);
    fc.assert(fc.property(fc.array(piece), (chunks) => void parse(...chunks)));
  });
});

/** Parses a text at once, then character by character. */
function parseTwice(text: string): void {
  parse(text);
  const parser = new OutputParser();
  for (const character of text) parser.feed(character);
}
const inLinearTime = linearTime(() => parseTwice(repeated('const a = 1; // a line of code\n')));

testRows([
  ['content', '<file path="a">\n', 'x', '\n</file>\n'],
  ['white space', '<file path="a">\n', ' ', '\n</file>\n'],
  ['a marker without an end', '<file path="a">\n<file ', '"', '\n</file>\n'],
  ['a closing marker without an end', '<file path="a">\n</file ', "a='' ", '\n</file>\n'],
  ['a line of a plan', '<plan>\n', '* ', '\n</plan>\n'],
])('parses one long line in linear time, also character by character', (_, before, unit, after) => {
  inLinearTime(() => parseTwice(before + repeated(unit) + after));
});
