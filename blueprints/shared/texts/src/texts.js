/** The language of the page, as a BCP 47 tag, for `Intl`. */
export const lang = '{{lang}}';

/** The texts that scripts show. `{n}` is a parameter; `|` separates the singular from the plural. */
export const texts = '{{texts}}';

const plurals = new Intl.PluralRules(lang);

/** Returns a text with its parameters: `values.n` chooses singular or plural, and numbers are written in the language. */
export function format(text, values) {
  const [one, other = one] = text.split('|');
  const form = plurals.select(values.n) === 'one' ? one : other;
  return form.replace(/\{(\w+)\}/g, (_, name) => values[name].toLocaleString(lang));
}
