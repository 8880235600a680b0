import type { Language } from './types.ts';

const CURRENCIES: Readonly<Record<string, RegExp>> = {
  EUR: /€|\beuros?\b|\beur\b/i,
  USD: /\$|\bdollars?\b|\bdólar(?:es)?\b|\busd\b/i,
  GBP: /£|\bpounds? sterling\b|\bgbp\b|\bquid\b/i,
  CHF: /\bchf\b|\bswiss francs?\b|\bfranken\b/i,
  BRL: /R\$|\breais\b|\bbrl\b/i,
  JPY: /¥|\byen\b|\bjpy\b/i,
  INR: /₹|\brupees?\b|\brupias\b|\binr\b/i,
  CAD: /\bcad\b|\bcanadian dollars?\b/i,
  AUD: /\baud\b|\baustralian dollars?\b/i,
  MXN: /\bmxn\b|\bpesos? mexicanos?\b/i,
  CNY: /\bcny\b|\byuan\b|\brmb\b/i,
  SEK: /\bsek\b|\bkronor\b/i,
  PLN: /\bpln\b|\bzł|\bzlotys?\b/i,
};
const USUAL: Readonly<Record<Language, string>> = { en: 'USD', de: 'EUR', es: 'EUR', fr: 'EUR', pt: 'BRL' };

/** Returns the ISO 4217 codes of the currencies that a text names, in the order of the text. */
export function readCurrencies(text: string): string[] {
  const found = Object.entries(CURRENCIES).map(([code, words]) => [code, text.search(words)] as const);
  const named = found.filter(([code, at]) => at >= 0 && !(code === 'USD' && text[at - 1] === 'R'));
  return named.sort((a, b) => a[1] - b[1]).map(([code]) => code);
}

/** Returns the first currency that a text names, else the usual one of a language. */
export const readCurrency = (text: string, lang: Language): string => readCurrencies(text)[0] ?? USUAL[lang];
