import fc from 'fast-check';
import { pathKey, pathProblem } from '../../../lambda/sites/paths.ts';
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

testRows(COLLIDING)('gives paths that collide the same key', (one, other) =>
  expect(pathKey(one)).toBe(pathKey(other)),
);

testRows(DISTINCT)('gives other paths different keys', (one, other) =>
  expect(pathKey(one)).not.toBe(pathKey(other)),
);

it('ignores the case of every character and no other difference', () => {
  const letters = Array.from({ length: 0x110000 }, (_, i) => String.fromCodePoint(i)).filter(
    (letter) => /\p{Changes_When_Casemapped}/u.test(letter) && letter !== 'ı',
  );
  for (const letter of letters) {
    for (const form of [letter.toUpperCase(), letter.toLowerCase()]) {
      if (pathKey(form) !== pathKey(letter)) throw new Error(`${letter} and ${form} differ`);
    }
  }
  const byKey = Map.groupBy(letters, pathKey);
  for (const [first = '', ...others] of byKey.values()) {
    const simpleFolding = new RegExp(`^${first}$`, 'iu');
    for (const other of others) expect(other.normalize('NFC')).toMatch(simpleFolding);
  }
});
