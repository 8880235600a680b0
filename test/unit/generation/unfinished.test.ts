import { OutputParser } from '../../../lambda/generation/attempt/answer/output-parser.ts';
import { anchorOf, joinLines, unfinishedFile } from '../../../lambda/generation/unfinished.ts';
import { linearTime } from '../../support/linear-time.ts';

const BEFORE = ['import a;', 'function one() {', '  run();', '}', 'function two() {', '  run();', '}'];
const ANCHOR = ['function two() {', '  run();', '}'];
const REST = ['}', 'two();'];

it('asks for the last lines, as few as occur once', () => {
  const anchors = [
    BEFORE,
    ['a', 'b', 'c'],
    ['a', '', '}'],
    ['only'],
    ['x', 'x', 'x'],
    Array.from({ length: 40 }, (_, i) => (i % 2 ? '}' : 'run();')),
  ].map((lines) => anchorOf(lines));
  expect(anchors).toEqual([ANCHOR, ['c'], ['a', '', '}'], ['only'], ['x', 'x', 'x'], expect.any(Array)]);
  expect(anchors[5]).toHaveLength(12);
});

const JOINED: readonly (readonly [what: string, written: string[], continues: boolean, expected: string[]])[] = [
  ['the anchor', [...ANCHOR, ...REST], true, [...BEFORE, ...REST]],
  ['the anchor without the marker', [...ANCHOR, ...REST], false, [...BEFORE, ...REST]],
  ['the anchor with other white space', ['function two() {  ', '  run();\r', '}', ...REST], true, [...BEFORE, ...REST]],
  ['more lines than the anchor', [...BEFORE.slice(2), ...REST], true, [...BEFORE, ...REST]],
  ['fewer lines than the anchor', ['  run();', '}', ...REST], true, [...BEFORE, ...REST]],
  ['nothing', ['two();'], true, [...BEFORE, 'two();']],
  ['a fence and the anchor', ['```js', ...ANCHOR, ...REST], true, [...BEFORE, ...REST]],
  ['a blank line and the anchor', ['', ...ANCHOR, ...REST], true, [...BEFORE, ...REST]],
  ['dots and the anchor', ['// ...', ...ANCHOR, ...REST], true, [...BEFORE, ...REST]],
  ['words and the anchor', ['/* continued */', ...ANCHOR, ...REST], true, [...BEFORE, ...REST]],
  ['dots of the file', ['run(...all);', ...REST], true, [...BEFORE, 'run(...all);', ...REST]],
  ['the file from its start', [...BEFORE, ...REST], false, [...BEFORE, ...REST]],
  [
    'the file from its start, in other words',
    ['import a;', 'const one = run;'],
    true,
    ['import a;', 'const one = run;'],
  ],
  ['another file', ['<!doctype html>', '<p>'], false, ['<!doctype html>', '<p>']],
];

it('joins what an answer repeats to what had arrived', () => {
  const joined = JOINED.map(([what, written, continues]) => [what, joinLines(BEFORE, written, continues)]);
  expect(joined).toEqual(JOINED.map(([what, , , expected]) => [what, expected]));
});

it('lets the marker decide in a file of equal lines', () => {
  const lines = Array(20).fill('the same');
  expect(joinLines(lines, [...lines, 'end'], false)).toEqual([...lines, 'end']);
  expect(joinLines(lines, [...lines.slice(-12), 'end'], true)).toEqual([...lines, 'end']);
});

it('keeps a blank line only if a line follows it', () => {
  expect(unfinishedFile('a', false, ['x', '', 'y', ' ', ''])).toEqual({
    path: 'a',
    edits: false,
    lines: ['x', '', 'y'],
  });
  expect(unfinishedFile('a', false, ['', ' '])).toBeUndefined();
});

describe('the parser', () => {
  const unfinished = { path: 'a.js', edits: false, lines: BEFORE };
  const continued = (answer: string) => {
    const parser = new OutputParser([], undefined, [], unfinished);
    parser.feed(answer);
    parser.end(true);
    return parser;
  };

  it('keeps the complete lines of a file that breaks off', () => {
    const parser = new OutputParser();
    parser.feed('<file path="a.js">\nlet a;\nlet b;\nlet');
    parser.end(true);
    expect(parser.unfinished).toEqual({ path: 'a.js', edits: false, lines: ['let a;', 'let b;'] });
  });

  it('keeps the unfinished file if an answer does not mention it, or gets less far', () => {
    expect(continued('<file path="b.js">\nb\n</file>\n').unfinished).toEqual(unfinished);
    expect(continued('<file path="a.js">\nimport a;\nfunction one() {\n').unfinished).toEqual(unfinished);
  });

  it('adds the lines of an answer that breaks off again', () => {
    const { lines } = continued(`<file path="a.js" continued>\n${ANCHOR.join('\n')}\n}\ntwo`).unfinished ?? {};
    expect(lines).toEqual([...BEFORE, '}']);
  });

  it('finishes the file with prose, a fence or no marker before the lines', () => {
    const end = `${ANCHOR.join('\n')}\n${REST.join('\n')}\n</file>\n<done/>\n`;
    for (const start of ['<file path="a.js" continued>\n', '', '```js\n', '\n']) {
      const parser = continued(start + end);
      expect(parser.files.get('a.js')?.content).toBe(`${[...BEFORE, ...REST].join('\n')}\n`);
      expect({ unfinished: parser.unfinished, done: parser.done }).toEqual({
        unfinished: undefined,
        done: true,
      });
    }
  });
});

it('takes linear time for files without a line that occurs once', () => {
  const join = (lines: string[]) => joinLines(lines, [...lines.slice(0, -1), 'another'], true);
  const check = linearTime(() => join(Array.from({ length: 100_000 }, (_, i) => `line ${i}`)));
  check(() => join(Array(100_000).fill('the same')));
});
