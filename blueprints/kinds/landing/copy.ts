export type Texts = Readonly<Record<string, string>>;
export type Pair = readonly [name: string, text: string];

/** Words that name a trade with texts of its own, in order. */
const TRADES = {
  food: 'coffee|caf[eé]|cafeteria|kaffee\\p{L}*|restaurante?s?|bakery|bistro|bar|pizzeria|pizza|food truck|brewery|tea|\\p{L}*bäckerei|catering|cupcakes?|panadería|boulangerie|padaria|confeitaria|pasteler[ií]a|pastelaria|p[aâ]tisserie|fromagerie|boucherie|épicerie|traiteur|metzgerei|konditorei|brauerei|\\p{L}*rösterei|butcher|deli|chocolatier|bodega|heladería|gelateria|sorveteria|cervecería|carnicería|churrascaria|eisdiele|imbiss|taquería|vinoteca|weingut|winery|vineyard',
  shop: '\\p{L}*shop|\\p{L}*store|boutique|jewel(?:le)?ry|clothing|fashion|sneakers|furniture|candles?|flowers?|florist|plants?|e-?commerce|handmade|\\p{L}*laden|tienda|magasin|loja|\\p{L}*geschäft|florister[ií]a|zapatería|sapataria|librer[ií]a|livraria|librairie|bookshop|jo[yi]\\p{L}+ría|papelería|papelaria|mercería|fleuriste|quincaillerie|market stall',
  product: 'apps?|software|saas|startup|product|platform|tool',
  service:
    'gym|fitness|yoga|pilates|trainer|sports?|dance|agency|studio|freelancers?|consult\\p{L}*|law|architects?|designers?|non-?profit|charity|shelter|foundation|church|verein|courses?|school|schule|escuela|école|escola|tutor\\p{L}*|lessons?|academy|kindergarten|travel|hotels?|hostel|tours?|camping|\\p{L}*salon|\\p{L}*studio|barber\\p{L}*|hair\\p{L}*|groom\\p{L}*|walking|cleaning|service|clinic|dentist|praxis|firma|friseur\\p{L}*|peluquería|coiffure|clínica|empresa|entreprise|conference|festival|workshop|[\\p{L}]+(?:erei|lerei|nerei)|werkstatt|\\p{L}*betrieb|kanzlei|\\p{L}*praxis|handwerker\\p{L}*|klempner|maler|elektriker|fahrschule|tanzschule|pension|carpinter(?:ía|o|y)|taller|gimnasio|ferretería|marcenaria|oficina|academia|barbearia|barbería|cabeleireir[oa]|menuiserie|garage|cabinet|auto-école|plombier|électricien|plumber|electrician|carpenter|landscap\\p{L}+|gardener|painter|garage|mechanic|accountant|daycare|nursery|kennel|farm|ferme|granja|quinta|bauernhof|imkerei|therapist|physio\\p{L}*|coach(?:ing)?|massage|tattoo|nails?|spa|b&b|bed and breakfast|guest ?house|photograph\\p{L}*|fot[oó]graf\\p{L}*',
} as const;

/** Returns the trade that a prompt mentions, or undefined. */
export function tradeOf(request: string): string | undefined {
  const about = (source: string) => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'iu').test(request);
  return Object.entries(TRADES).find(([, source]) => about(source))?.[0];
}

/** Returns the texts `<name>.1`, `<name>.2`, …, each split into its parts. */
export function rowsOf(texts: Texts, name: string): string[][] {
  const rows = [1, 2, 3].map((number) => texts[`${name}.${number}`]);
  return rows.filter((row) => row !== undefined).map((row) => row.split('|'));
}

export const pairsOf = (texts: Texts, name: string): Pair[] =>
  rowsOf(texts, name).map(([head = '', text = '']) => [head, text]);
