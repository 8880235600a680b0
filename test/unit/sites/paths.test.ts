import fc from 'fast-check';
import { pathKey, pathProblem } from '../../../lambda/sites/paths.ts';
import { ACCEPTED, REFUSED, STRANGERS, TWINS } from './path-corpus.ts';

const refused = Object.entries(REFUSED).flatMap(([problem, paths]) => paths.map((path) => [path, problem]));

it.each(refused)('refuses %j', (path, problem) => expect(pathProblem(path as string)).toContain(problem));

it.each(ACCEPTED)('accepts %j', (path) => expect(pathProblem(path)).toBeUndefined());

it('accepts nothing that a normalization leads elsewhere', () => {
  const hostile = fc.constantFrom('/', '.', '..', '\u2025', '\uff0f', '\uff0e', '\uff3c', '\u2215', '\u200b');
  const text = fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 5 }));
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

it.each(TWINS)('knows %j and %j as one file on some file system', (one, other) =>
  expect(pathKey(one)).toBe(pathKey(other)),
);

it.each(STRANGERS)('knows %j and %j as two', (one, other) => expect(pathKey(one)).not.toBe(pathKey(other)));

it('knows every character without its case, and no other for the same', () => {
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
