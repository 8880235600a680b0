import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any one character, surrogates excepted. `unit: 'binary'` of fast-check means the same, but builds a map of all 1.1 million
 * characters in every test file.
 */
export const anyCharacter = fc.nat(0x10ffff - SURROGATES.count).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  (character) => {
    const [only, ...others] = typeof character === 'string' ? [...character] : [];
    const point = only?.codePointAt(0);
    if (point === undefined || others.length > 0) throw new Error('Not one character');
    return point < SURROGATES.first ? point : point - SURROGATES.count;
  },
);
