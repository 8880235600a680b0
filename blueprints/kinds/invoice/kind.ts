import { readCurrency } from '../../kit/currency.ts';
import { pageLayers } from '../../kit/kinds.ts';
import { readList } from '../../kit/lists.ts';
import { capitalize, titleOf } from '../../kit/phrases.ts';
import type { Brief, Kind, Language } from '../../kit/types.ts';

const LABELS =
  'items?|line items|services|products|positions|positionen|posten|leistungen|artikel|conceptos|servicios|artículos|lignes|prestations|itens|serviços';
const TITLE = /invoic|receipt|quote|rechnung|quittung|angebot|factur|recibo|fatura|devis|orçamento|nota/i;
const NAME = "((?:\\p{Lu}|\\d)[\\p{L}\\d&.'’-]*(?: (?:&|und|and|y|et|e|[\\p{Lu}\\d][\\p{L}\\d&.'’-]*))*)";
const SELLER = new RegExp(
  `(?:from|von|de parte de|de la part de|seller|verkäufer|for my (?:company|business)|für meine firma|vendedor|vendeur)[: ]+${NAME}`,
  'u',
);
const CUSTOMER = new RegExp(
  `(?:client|customer|kunden?|kundin|cliente|bill(?:ed)? to|invoice to|rechnung an| to| an| für| para| pour| for)[: ]+${NAME}`,
  'u',
);
const MONEY = '[€$£]? ?(\\d+(?:[.,]\\d{1,2})?)';
const TIMES = new RegExp(
  `(\\d+(?:[.,]\\d+)?) ?(\\p{L}{3,}(?: \\p{L}+){0,3}?)?(?: (?:at|à|a|zu|je|for|por) | ?[x×@*] ?)${MONEY}`,
  'iu',
);
const PRICE = new RegExp(`^(.*?)[\\s:–-]+${MONEY}\\D{0,8}$`, 'u');
/** The usual rates of value added tax, in per cent; the United States and Brazil have none that holds everywhere. */
const RATES: Readonly<Record<Language, number>> = { en: 0, de: 19, es: 21, fr: 20, pt: 0 };

const toNumber = (text = '0') => Number(text.replace(',', '.'));

/** Returns the line of an invoice that a text such as "hosting 2 x 20" or "logo 500" describes. */
function readLine(text: string) {
  const [whole = '', quantity, unit, price] = TIMES.exec(text) ?? [];
  const before = capitalize(text.slice(0, text.indexOf(whole)).trim() || (unit ?? ''));
  if (whole && before) return { description: before, quantity: toNumber(quantity), price: toNumber(price) };
  const [, description = text, single] = PRICE.exec(text) ?? [];
  return { description: capitalize(description), quantity: 1, price: toNumber(single) };
}

export const invoice: Kind = {
  name: 'invoice',
  layers: pageLayers('invoice', ['dom', 'tool', 'texts', 'storage', 'entries', 'dates']),
  accent: '#1d4ed8',
  words: [
    [
      'invoices?|invoicing|invoice (?:generator|maker|template|app)|rechnung(?:en|s\\p{L}*)?|factur(?:a|as|e|es|ación|ation)|faturas?|nota fiscal',
      6,
    ],
    ['rechnungsgenerator|generador de facturas|générateur de factures|gerador de faturas|billing (?:app|tool)', 6],
    ['quotation|receipt (?:generator|maker)', 3],
    ['bills?', 2],
  ],
  values(brief: Brief, texts) {
    const { request, text, lang } = brief;
    const listed = readList(text, LABELS);
    const hours = TIMES.exec(request);
    const worked = hours?.[2] ? [hours[0]] : [];
    const lines = (listed.length > 0 ? listed : worked).map(readLine);
    const rate = /(\d+(?:[.,]\d+)?) ?%/.exec(request)?.[1];
    const title = titleOf(brief, TITLE, texts.title ?? '');
    return {
      title,
      description: `${title}: ${texts.description}`,
      glyph: 'M9 6h14v20l-3.5-2.5L16 26l-3.5-2.5L9 26zM13 12h6M13 17h6',
      files: [
        { path: 'src/config.js', contents: 'the currency, the names and the lines of a first visit' },
        { path: 'src/totals.js', contents: 'amounts, tax and total' },
        { path: 'src/entries.js', contents: 'the lines, stored in the browser, with undo' },
        { path: 'src/main.js', contents: 'draws the invoice and handles input' },
      ],
      config: {
        currency: readCurrency(text, lang),
        rate: rate ? toNumber(rate) : RATES[lang],
        seller: SELLER.exec(request)?.[1] ?? brief.name,
        customer: CUSTOMER.exec(request)?.[1] ?? '',
        lines,
      },
    };
  },
};
