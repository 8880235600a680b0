const FRACTIONS = { '½': 0.5, '¼': 0.25, '¾': 0.75, '⅓': 1 / 3, '⅔': 2 / 3 };
const AMOUNT = /^(?:(\d+)\s*\/\s*(\d+)|(\d+(?:[.,]\d+)?)?\s*([½¼¾⅓⅔])?)(?=\s|\p{L}|$)/u;

/** Returns an ingredient with the amount at its beginning multiplied, in the number format of `lang`. */
export function scale(ingredient, factor, lang) {
  const [written, above, below, number, fraction] = AMOUNT.exec(ingredient) ?? [''];
  if (!written || factor === 1) return ingredient;
  const amount = above ? above / below : Number((number ?? '0').replace(',', '.')) + (FRACTIONS[fraction] ?? 0);
  const scaled = new Intl.NumberFormat(lang, { maximumFractionDigits: amount * factor < 10 ? 2 : 0 }).format(amount * factor);
  return scaled + ingredient.slice(written.trimEnd().length);
}
