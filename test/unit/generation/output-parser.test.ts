import fc from 'fast-check';
import { OutputParser } from '../../../lambda/generation/output-parser.ts';

function parse(...chunks: string[]) {
  const parser = new OutputParser();
  for (const chunk of chunks) parser.feed(chunk);
  parser.end();
  return parser;
}
const files = (parser: OutputParser) =>
  Object.fromEntries(Array.from(parser.files.values(), (f) => [f.path, f.content]));

const TRANSCRIPT = `Sure! Here is your project.
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

it('reads files between markers and ignores the rest', () => {
  const parser = parse(TRANSCRIPT);
  expect(files(parser)).toEqual({
    'index.html': '<!doctype html>\n<title>é🍅</title>\n  <file-like>stays</file-like>\n',
    'css/a.css': 'a { color: red }\n',
    'empty.txt': '',
  });
  expect(parser.done).toBe(true);
});

it('gives the same however it is cut', () => {
  const whole = files(parse(TRANSCRIPT));
  fc.assert(
    fc.property(fc.array(fc.nat(TRANSCRIPT.length)), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), TRANSCRIPT.length];
      const parser = parse(...at.slice(1).map((end, i) => TRANSCRIPT.slice(at[i], end)));
      expect(files(parser)).toEqual(whole);
      expect(parser.done).toBe(true);
    }),
  );
});

it('never yields a half file, wherever the answer ends', () => {
  const whole = files(parse(TRANSCRIPT));
  for (let end = 0; end < TRANSCRIPT.length; end++) {
    for (const [path, content] of Object.entries(files(parse(TRANSCRIPT.slice(0, end))))) {
      expect(content).toBe(whole[path]);
    }
  }
});

it('never throws, whatever comes', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '<file path="a">',
      '</file>',
      '<done/>',
      '\n',
      '\r\n',
      '```',
      '<file path="../x">',
      '<file path="">',
    ),
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (chunks) => void parse(...chunks)));
});

it.each([
  ['Windows line ends', '<file path="a">\r\none\r\ntwo\r\n</file>\r\n<done/>\r\n', { a: 'one\ntwo\n' }],
  ['indented markers', '  <file path="a">\none\n  </file>\n', { a: 'one\n' }],
  ['no line end at the end', '<file path="a">\none\n</file>', { a: 'one\n' }],
  ['a fence around the content', '<file path="a.js">\n```js\none\n```\n</file>\n', { 'a.js': 'one\n' }],
  [
    'a fence that is content',
    '<file path="a.md">\n```js\none\n```\n</file>\n',
    { 'a.md': '```js\none\n```\n' },
  ],
  [
    'a repeated path',
    '<file path="a">\n1\n</file>\n<file path="b">\n2\n</file>\n<file path="a">\n3\n</file>\n',
    { a: '3\n', b: '2\n' },
  ],
  ['a file that the next one interrupts', '<file path="a">\n1\n<file path="b">\n2\n</file>\n', { b: '2\n' }],
  ['a marker that is not alone on its line', '<file path="a">\nx </file>\n</file>\n', { a: 'x </file>\n' }],
  ['a closing marker alone', '</file>\n', {}],
])('forgives %s', (_, text, expected) => expect(files(parse(text))).toEqual(expected));

it('refuses the paths that a deployment would', () => {
  const parser = parse('<file path="../../etc/passwd">\nx\n</file>\n<file path="ok">\ny\n</file>\n');
  expect(files(parser)).toEqual({ ok: 'y\n' });
  expect([...parser.refused.keys()]).toEqual(['../../etc/passwd']);
});

it('takes a long line byte by byte', () => {
  const text = `<file path="a">\n${'x'.repeat(300_000)}\n</file>\n`;
  const parser = new OutputParser();
  for (const byte of text) parser.feed(byte);
  expect(parser.files.get('a')?.content).toHaveLength(300_001);
});

it('does not take a done marker inside of a file for the end', () => {
  const parser = parse('<file path="a">\n<done/>\n</file>\n');
  expect(parser.done).toBe(false);
  expect(files(parser)).toEqual({ a: '<done/>\n' });
});
