import fc from 'fast-check';
import { entryOf, isHtml, pathKey, pathProblem } from '../../../lambda/sites/paths.ts';
import { siteTitle } from '../../../lambda/sites/start-page.ts';
import { testRows } from '../../support/rows.ts';
import { anyCharacter } from '../../support/unicode.ts';
import { ACCEPTED, COLLIDING, DISTINCT, REJECTED } from './path-corpus.ts';

const rejected = Object.entries(REJECTED).flatMap(([problem, paths]) => paths.map((path) => [path, problem]));

testRows(rejected)('rejects a path for its problem', (path, problem) =>
  expect(pathProblem(path as string)).toContain(problem),
);

testRows(ACCEPTED)('accepts other paths', (path) => expect(pathProblem(path)).toBeUndefined());

it('accepts only paths that keep their segments under normalization', () => {
  const hostile = fc.constantFrom('/', '.', '..', '\u2025', '\uff0f', '\uff0e', '\uff3c', '\u2215', '\u200b');
  const text = fc.oneof(hostile, fc.string({ unit: anyCharacter, maxLength: 5 }));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), (parts) => {
      const path = parts.join('');
      fc.pre(pathProblem(path) === undefined);
      const segments = path.split('/');
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
        const again = path.normalize(form).split(/[/\\]/);
        expect(again).toHaveLength(segments.length);
        for (const name of again) expect(['', '.', '..']).not.toContain(name);
      }
      expect(new URL(segments.map(encodeURIComponent).join('/'), 'http://a/b/').pathname).toBe(
        `/b/${segments.map(encodeURIComponent).join('/')}`,
      );
    }),
  );
});

testRows(COLLIDING)('gives paths that collide the same key', (one, other) => expect(pathKey(one)).toBe(pathKey(other)));

testRows(DISTINCT)('gives other paths different keys', (one, other) => expect(pathKey(one)).not.toBe(pathKey(other)));

it('ignores the case of every character and no other difference', () => {
  // Unicode has no letter with a case beyond this.
  const letters = Array.from({ length: 0x20000 }, (_, i) => String.fromCodePoint(i)).filter(
    (letter) => /\p{Changes_When_Casemapped}/u.test(letter) && letter !== 'ı',
  );
  for (const letter of letters) {
    for (const form of [letter.toUpperCase(), letter.toLowerCase()]) {
      if (pathKey(form) !== pathKey(letter)) throw new Error(`${letter} and ${form} differ`);
    }
  }
  const byKey = Map.groupBy(letters, pathKey);
  const different = [...byKey.values()].flatMap(([first = '', ...others]) => {
    const simpleFolding = new RegExp(`^${first}$`, 'iu');
    return others.filter((other) => !simpleFolding.test(other.normalize('NFC')));
  });
  expect(different).toEqual([]);
});

describe('the entry', () => {
  testRows([
    [['b.html', 'B.html2', 'Z.html'], 'Z.html'],
    [['my-index.html', 'a/index.html'], 'a/index.html'],
    [['sindex.html', 'about.html'], 'about.html'],
    // Other spellings of an index.
    [['INDEX.HTML', 'a.html'], 'INDEX.HTML'],
    [['about.html', 'index.htm'], 'index.htm'],
    [['index.htm', 'index.html'], 'index.html'],
    [['INDEX.HTM', 'index.html'], 'index.html'],
  ])('is the page that a visitor should see first', (paths: string[], entry) => expect(entryOf(paths)).toBe(entry));

  const name = fc.constantFrom('index.html', 'index.htm', 'INDEX.HTML', 'a.html', 'Z.HTM', 'é.html', 'a.js');
  const folders = fc.array(fc.constantFrom('a', 'b', 'B', 'a-b'), { maxLength: 3 });
  const path = fc.tuple(folders, name).map(([above, last]) => [...above, last].join('/'));

  it('is the shallowest index, else the shallowest page, and the first of them by path', () => {
    const depth = (of: string) => of.split('/').length;
    const isIndex = (of: string) => of.endsWith('/index.html') || of === 'index.html';
    const written = path.filter((of) => isIndex(of) || !/index/i.test(of));
    fc.assert(
      fc.property(fc.uniqueArray(written, { maxLength: 12 }), (paths) => {
        const entry = entryOf(paths);
        const candidates = paths.some(isIndex) ? paths.filter(isIndex) : paths.filter(isHtml);
        expect(candidates.length === 0 ? [''] : candidates).toContain(entry);
        for (const other of candidates) {
          expect(depth(other)).toBeGreaterThanOrEqual(depth(entry));
          if (depth(other) === depth(entry)) expect(other >= entry).toBe(true);
        }
      }),
    );
  });
});

describe('the title of a site', () => {
  const page = (path: string, html: string) => ({ path, content: html });
  const about = page('about.html', '<title>About</title>');
  const zoo = page('zoo.htm', '<title>Zoo</title>');

  testRows([
    ['is that of its entry', [about, page('index.html', '<title>Home</title>')], 'Home'],
    ['or that of the first page', [zoo, about, page('index.html', '<p>')], 'About'],
    ['is never that of a text file', [page('a.txt', '<title>Text</title>')], null],
  ])('is that of its entry', (_, files, title) => expect(siteTitle(files, files.at(-1)?.path ?? '')).toBe(title));
});
