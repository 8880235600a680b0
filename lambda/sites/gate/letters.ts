/** Letters of other scripts by the Latin letter that they look like. */
const ALIKE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'ьвЬ',
    c: 'сϲ',
    d: 'ԁɗ',
    e: 'еєεҽ',
    f: 'ƒ',
    g: 'ɡց',
    h: 'һհн',
    i: 'іιıɩ',
    j: 'јϳ',
    k: 'кκ',
    l: 'ӏłⅼ',
    m: 'мⅿ',
    n: 'пηո',
    o: 'оοσօøо',
    p: 'рρ',
    q: 'ԛգ',
    r: 'гѓ',
    s: 'ѕʂ',
    t: 'тτ',
    u: 'υսц',
    v: 'ѵν',
    w: 'ԝшωѡ',
    x: 'хχ',
    y: 'уүγ',
    z: 'ʐ',
  }).flatMap(([letter, others]) => [...others].map((other): [string, string] => [other, letter])),
);

const DIGITS: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' };

const NO_WIDTH = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** Returns a text in lower case, without the accents of its letters. */
export function plainLetters(text: string): string {
  const lower = text.toLowerCase();
  return ASCII.test(lower) ? lower : lower.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

/**
 * Returns a word with the letters that a reader takes it to have: without characters of no width, with Latin letters for
 * those of other scripts, wide and mathematical letters, with letters for digits, `m` for `rn` and `w` for `vv`, and with `l`
 * for a capital `I` inside of a word.
 */
export function foldLetters(word: string, plain: string): string {
  if (ASCII.test(plain) && !/\d|rn|vv/.test(plain))
    return word.includes('I') ? foldCapitals(word, plain) : plain;
  const letters = Array.from(plain.normalize('NFKC').replace(NO_WIDTH, '').toLowerCase(), (letter) => {
    return ALIKE.get(letter) ?? letter;
  }).join('');
  // A number alone is one.
  if (!/[a-z]/.test(letters)) return letters;
  return letters
    .replace(/[013-578]/g, (digit) => DIGITS[digit] ?? digit)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** In many fonts, a capital `I` among small letters looks like an `l`. */
const foldCapitals = (word: string, plain: string) =>
  /[a-z]I/.test(word) ? plainLetters(word.replaceAll('I', 'l')) : plain;
