import { matchesPattern } from '../../../../lambda/generation/edits/accept-change.ts';
import { testRows } from '../../../support/rows.ts';

testRows([
  ['index.html', 'index.html'],
  ['src/app.js', 'src'],
  ['src/app.js', 'src/'],
  ['src/app.js', './src/*'],
  ['src/app.js', '/src/app.js'],
  ['src/a/b.js', 'src/**'],
  ['a.css', '**/*.css'],
  ['src/a.css', '**/*.css'],
  ['src/lib/a.css', 'src/**/*.css'],
  ['src/a.css', 'src/**/*.css'],
  ['v1.js', 'v?.js'],
  ['a', '**'],
  ['docs/a/b/c.md', '**/b'],
])('a path matches a pattern', (path, pattern) => expect(matchesPattern(path, pattern)).toBe(true));

testRows([
  ['index.html', 'index.htm'],
  ['src/app.js', '*.js'],
  ['src/app.js', 'app.js'],
  ['src-2/app.js', 'src'],
  ['src/a/b.js', 'src/?.js'],
  ['a.css.map', '**/*.css'],
  ['xb/c', '**/b'],
  ['a', ''],
  ['a/b', 'a?b'],
])('a path does not match a pattern', (path, pattern) => expect(matchesPattern(path, pattern)).toBe(false));

it('takes no exponential time', () => {
  expect(matchesPattern('a'.repeat(1_000), `${'**a'.repeat(80)}b`)).toBe(false);
});
