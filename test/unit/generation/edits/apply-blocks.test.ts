import fc from 'fast-check';
import { applyBlocks } from '../../../../lambda/generation/edits/apply-blocks.ts';
import { linearTime, repeated } from '../../../support/linear-time.ts';
import { testRows } from '../../../support/rows.ts';

const block = (search: string, replace: string) =>
  `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE`.split('\n');

testRows([
  ['a line', 'a\nb\nc\n', 'b\n', 'B\n', 'a\nB\nc\n'],
  ['the first line', 'a\nb\n', 'a\n', 'A\nA2\n', 'A\nA2\nb\n'],
  ['the last line without a line break', 'a\nb', 'b\n', 'B\n', 'a\nB'],
  ['several lines by none', 'a\nb\nc\nd\n', 'b\nc\n', '', 'a\nd\n'],
  ['everything by nothing', 'a\n', 'a\n', '', ''],
  ['lines with carriage returns, which stay', 'a\r\nb\r\nc\r\n', 'a\nb\n', 'x\ny\nz\n', 'x\r\ny\r\nz\r\nc\r\n'],
  ['a line that is part of longer lines', 'aba\nab\n', 'ab\n', 'x\n', 'aba\nx\n'],
  ['lines with an empty one between', 'a\n\nb\na\n', 'a\n\nb\n', 'c\n', 'c\na\n'],
  [
    'a heading that is underlined',
    'Title\n=======\nText\n',
    'Title\n=======\n',
    'New\n=======\n',
    'New\n=======\nText\n',
  ],
  ['indented lines', '  if (a) {\n    b();\n  }\n', '    b();\n', '    c();\n', '  if (a) {\n    c();\n  }\n'],
  [
    'lines quoted without their indentation',
    '  if (a) {\n\n    b();\n  }\n',
    'if (a) {\n\n  b();\n',
    'if (c) {\n  d();\n',
    '  if (c) {\n    d();\n  }\n',
  ],
  [
    'lines quoted with too much of it',
    'f(() => {\n\ta();\n});\n',
    '\tf(() => {\n\t\ta();\n',
    '\tf(() => {\n\t\tb();\n',
    'f(() => {\n\tb();\n});\n',
  ],
  [
    'lines whose ends have spaces, which stay in what is repeated',
    'a  \r\nb \r\nc\r\n',
    'a\nb\n',
    'a\nB\n',
    'a  \r\nB\r\nc\r\n',
  ],
  ['the last line, quoted without its indentation', '  a\r\n  b\r\n', 'b\n', 'b\nc\n', '  a\r\n  b\r\n  c\r\n'],
  ['the line before a brace', 'f {\n  }\n', '}\n', '  a\n}\n', 'f {\n    a\n  }\n'],
])('replaces the text that a block finds', (_, content, search, replace, expected) => {
  expect(applyBlocks(content, block(search, replace))).toEqual({ content: expected });
});

it('applies a repeated block with other indentation once', () => {
  const insert = block('a();\n', 'a();\nb();\n');
  const content = '{\n  a();\n  b();\n}\n';
  expect(applyBlocks('{\n  a();\n}\n', insert)).toEqual({ content });
  expect(applyBlocks(content, insert, true)).toEqual({ content });
  expect(applyBlocks(content, [...block('{\n', '[\n'), ...insert], true)).toEqual({ content: `[${content.slice(1)}` });
});

it('applies all blocks to the text as it was, in any order', () => {
  const lines = [...block('c\n', 'a\n'), 'And then:', ...block('a\n', 'c\n')];
  expect(applyBlocks('a\nb\nc\n', lines)).toEqual({ content: 'c\nb\na\n' });
});

testRows([
  [['a', 'b'], 'has no search-and-replace block'],
  [block('a\n', 'b\n').slice(0, -1), 'has a search-and-replace block without its end'],
  [['<<<<<<< SEARCH', 'a', '>>>>>>> REPLACE'], 'without its line of seven equals signs'],
  [block('', 'b\n'), 'with an empty search'],
  [block('A\n', 'b\n'), 'does not occur'],
  [block('{\nin\n', '{\nout\n'), 'does not occur'],
  [block('    {\n      in\n', '{\n'), 'does not occur'],
  [block('in\n', '  out\n'), 'begins or ends inside a line'],
  [block('mark\n', 'a\nb\n'), 'begins or ends inside a line'],
  [block(' x\n', 'b\n'), 'with their indentation'],
  [block('on\n', 'b\n'), 'begins or ends inside a line'],
  [block('x\n', 'b\n'), 'occurs more than once'],
  [[...block('a\none\n', 'b\n'), ...block('one\n', 'c\n')], 'two blocks that change the same line'],
])('changes nothing if a block does not fit', (lines, problem) => {
  const good = block('good\n', 'better\n');
  expect(
    applyBlocks('\u{feff}mark\ngood\na\none\nx\nx\n{\n  in\n}\n', [
      ...(problem.startsWith('has no') ? [] : good),
      ...lines,
    ]),
  ).toEqual({
    problem: expect.stringContaining(problem),
  });
});

it('leaves every other byte as it is', () => {
  const line = fc.stringMatching(/^[ab\r =<>]{0,4}$/);
  fc.assert(
    fc.property(fc.array(line), fc.array(line), fc.boolean(), (before, after, end) => {
      const rest = end ? `\n${after.join('\n')}` : '';
      const content = `${before.map((one) => `${one}\n`).join('')}the line${rest}`;
      const expected = `${before.map((one) => `${one}\n`).join('')}another${rest}`;
      expect(applyBlocks(content, block('the line\n', 'another\n'))).toEqual({ content: expected });
    }),
  );
});

it('takes linear time', () => {
  const inLinearTime = linearTime(() =>
    repeated('a line\n')
      .split('\n')
      .map((line) => `${line}!`),
  );
  const content = repeated('a line\n');
  inLinearTime(() => applyBlocks(content, block(`${content}b\n`, 'x\n')));
});
