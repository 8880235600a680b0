const WORDS_PER_MINUTE = 220;

/** The words of a text, as the language of the reader's browser separates them. */
export function wordsOf(text) {
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text);
  return [...segments].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** Whole minutes that an unhurried reader takes, at least one. */
export const minutesToRead = (words) => Math.max(1, Math.round(words / WORDS_PER_MINUTE));
