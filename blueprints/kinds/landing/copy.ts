export type Texts = Readonly<Record<string, string>>;
export type Pair = readonly [name: string, text: string];

/** Words that name a trade with texts of its own, in order. */
const TRADES = {
  food: 'coffee|caf[eé]|cafeteria|kaffee\\p{L}*|restaurante?s?|bakery|bistro|bar|pizzeria|pizza|food truck|brewery|tea|\\p{L}*bäckerei|catering|cupcakes?|panadería|boulangerie|padaria|confeitaria',
  shop: 'shop|store|boutique|jewel(?:le)?ry|clothing|fashion|sneakers|furniture|candles?|flowers?|florist|plants?|e-?commerce|handmade|\\p{L}*laden|tienda|magasin|loja',
  product: 'apps?|software|saas|startup|product|platform|tool',
  service:
    'gym|fitness|yoga|pilates|trainer|sports?|dance|agency|studio|freelancers?|consult\\p{L}*|law|architects?|designers?|non-?profit|charity|shelter|foundation|church|verein|courses?|school|schule|escuela|école|escola|tutor\\p{L}*|lessons?|academy|kindergarten|travel|hotels?|hostel|tours?|camping|salon|barber|groom\\p{L}*|walking|cleaning|service|clinic|dentist|praxis|firma|friseur\\p{L}*|peluquería|coiffure|clínica|empresa|entreprise|conference|festival|workshop',
} as const;

/** Returns the trade that a prompt mentions; a product if it mentions none. */
export function tradeOf(request: string): string {
  const about = (source: string) => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'iu').test(request);
  return Object.entries(TRADES).find(([, source]) => about(source))?.[0] ?? 'product';
}

/** Returns the texts `<name>.1`, `<name>.2`, …, each split into its parts. */
export function rowsOf(texts: Texts, name: string): string[][] {
  const rows = [1, 2, 3].map((number) => texts[`${name}.${number}`]);
  return rows.filter((row) => row !== undefined).map((row) => row.split('|'));
}

export const pairsOf = (texts: Texts, name: string): Pair[] =>
  rowsOf(texts, name).map(([head = '', text = '']) => [head, text]);
