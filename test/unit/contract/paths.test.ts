import { pathKey, pathProblem } from '../../../lambda/contract/paths.ts';

it.each([
  'index.html',
  'src/app.js',
  'a/b/c/d.txt',
  '.well-known/security.txt',
  '.gitignore',
  'naïve café/ümläut.md',
  '日本語.html',
  'emoji-🍅.svg',
  'con-man.txt',
  'console.js',
  'constructor',
  'lib/__proto__',
  'a b.txt',
  "(1) [2] {3} @ & = + $ # ! ~ '.js",
  `${'a'.repeat(1020)}.txt`,
])('accepts %s', (path) => expect(pathProblem(path)).toBeUndefined());

it.each([
  ['', 'is empty'],
  ['/etc/passwd', 'starts with "/"'],
  ['../secret', '".." segment'],
  ['a/../../b', '".." segment'],
  ['./a', '"." or ".." segment'],
  ['a//b', 'empty segment'],
  ['a/', 'empty segment'],
  ['a\\b', 'character "\\"'],
  ['..\\..\\windows', 'character "\\"'],
  ['C:/windows', 'character ":"'],
  ['a%2e%2e/b', 'character "%"'],
  ['a\u0000.html', 'control character'],
  ['a\nb', 'control character'],
  ['a\u007f', 'control character'],
  ['a\u0085', 'control character'],
  ['cafe\u0301.html', 'normalization form NFC'],
  ['a\uff0fb', 'looks like'],
  ['\uff0e\uff0e/b', 'looks like'],
  ['a\u2024b', 'looks like'],
  ['a\u2025b', 'looks like'],
  ['a\ufe68b', 'looks like'],
  ['__proto__', 'JavaScript reserves'],
  ['CON', 'Windows reserves'],
  ['src/aux.js', 'Windows reserves'],
  ['lpt1.tar.gz', 'Windows reserves'],
  ['com¹', 'Windows reserves'],
  ['a./b', 'ends in a dot or a space'],
  ['a /b', 'ends in a dot or a space'],
  ['b...', 'ends in a dot or a space'],
  [`${'a'.repeat(1021)}.txt`, 'longer than 1024 bytes'],
  ['é'.repeat(513), 'longer than 1024 bytes'],
  ['\ud800.html', 'not well-formed'],
])('refuses %j', (path, problem) => expect(pathProblem(path)).toContain(problem));

it('knows paths that are one file on some file system', () => {
  expect(pathKey('Index.HTML')).toBe(pathKey('index.html'));
  expect(pathKey('ÉTÉ.md')).toBe(pathKey('été.md'));
  expect(pathKey('a')).not.toBe(pathKey('b'));
});
