import { acceptFiles } from '../../../lambda/sites/accept-files.ts';
import { testRows } from '../../support/rows.ts';

const file = (path: string, content = '') => ({ path, content });
const rejection = (...files: ReturnType<typeof file>[]) => {
  try {
    acceptFiles(files);
  } catch (error) {
    const { status, message } = error as { status: number; message: string };
    return `${status} ${message}`;
  }
  return 'accepted';
};

testRows([
  [[file('a.txt'), file('b.txt'), file('a.txt')], '400 The path "a.txt" occurs twice'],
  [
    [file('README.md'), file('readme.md')],
    '400 The path "readme.md" is the same file as "README.md" on some file systems',
  ],
  [[file('../../etc/passwd')], '400 The path "../../etc/passwd" has a "." or ".." segment'],
  [[file('app'), file('app/main.js')], '400 The path "app/main.js" has the file "app" as a folder'],
  [[file('big', 'a'.repeat(1_048_577))], '413 "big" has 1,048,577 bytes: a file may have at most 1,048,576'],
  [[file('wide', 'é'.repeat(524_289))], '413 "wide" has 1,048,578 bytes: a file may have at most 1,048,576'],
])('names the file and the rule', (files, expected) => expect(rejection(...files)).toBe(expected));

it('accepts a file of 1 MB and a deployment of 10 MB, and not a byte more', () => {
  const full = Array.from({ length: 10 }, (_, i) => file(`${i}.txt`, 'a'.repeat(1_048_576)));
  expect(rejection(...full)).toBe('accepted');
  expect(rejection(...full, file('straw.txt', 'a'))).toBe(
    '413 The files have 10,485,761 bytes: a deployment may have at most 10,485,760',
  );
});

it('names what can be left out of a deployment that is too large, the largest first', () => {
  const page = Array.from({ length: 10 }, (_, i) => file(`${i}.txt`, 'a'.repeat(1_048_576)));
  const needless = [
    file('.DS_Store', 'a'),
    file('b.css.map', 'aa'),
    file('node_modules/x/index.js', 'aaa'),
    file('app.js.map', 'aaaa'),
    file('a/Thumbs.db'),
  ];
  expect(rejection(...page, ...needless)).toBe(
    '413 The files have 10,485,770 bytes: a deployment may have at most 10,485,760. Visitors do not need "app.js.map", ' +
      '"node_modules/x/index.js", "b.css.map" and 2 more (10 bytes): leave out source maps, node_modules and the like',
  );
  expect(
    rejection(...page, file('map'), file('level.map'), file('my-node_modules/a'), file('.gitignore', 'a')),
  ).not.toContain('need');
});

it('says that a source map that is too large can be left out', () => {
  expect(rejection(file('index.html'), file('app.js.map', 'a'.repeat(1_048_577)), file('.DS_Store'))).toBe(
    '413 "app.js.map" has 1,048,577 bytes: a file may have at most 1,048,576. Visitors do not need "app.js.map" ' +
      '(1,048,577 bytes): leave out source maps, node_modules and the like',
  );
});

testRows([
  ['', ''],
  ['YQ==', 'a'],
  ['YQ', 'a'],
  ['YWI=', 'ab'],
  ['YWI', 'ab'],
  ['YWJj', 'abc'],
  ['YW\r\nJj\n', 'abc'],
])('decodes base64 as common encoders write it', (content, text) => {
  const [accepted] = acceptFiles([{ path: 'a', content, encoding: 'base64' }]);
  expect(accepted).toEqual({ path: 'a', content: Buffer.from(text), size: text.length });
});

testRows(['Y', 'YQ=', 'YWJj=', 'YW=I', 'Y-_=', 'YQ===', '=', 'Y Q=', 'é'])('rejects malformed base64', (content) => {
  expect(() => acceptFiles([{ path: 'a', content, encoding: 'base64' }])).toThrow('is not base64');
});

it('counts the decoded bytes of base64, even of a file far too large', () => {
  const of = (bytes: number) => ({
    path: 'a',
    content: Buffer.alloc(bytes, 7).toString('base64'),
    encoding: 'base64' as const,
  });
  expect(acceptFiles([of(1_048_576)])).toHaveLength(1);
  for (const bytes of [1_048_577, 9_000_000])
    expect(() => acceptFiles([of(bytes)])).toThrow(`${bytes.toLocaleString('en')} bytes`);
});

it('keeps text unchanged', () => {
  const content = 'ünïcödé 🍅\r\n\0 end';
  expect(acceptFiles([file('a.txt', content)])).toEqual([{ path: 'a.txt', content, size: Buffer.byteLength(content) }]);
});
