import { readList } from '../../kit/lists.ts';
import { slug, toTitle } from '../../kit/phrases.ts';
import type { Language, Values } from '../../kit/types.ts';

/** The input of sections. */
export interface Source {
  readonly text: string;
  readonly trade: string;
  readonly texts: Texts;
  readonly lang: Language;
  readonly promptLang: string;
}

const toNamed = (pairs: readonly Pair[]) => pairs.map(([name, text]) => ({ name, text }));

interface Part {
  /** A regular expression source: how prompts ask for this section. */
  readonly asked: string;
  readonly content: (source: Source) => Values;
}

const CURRENCIES: Readonly<Record<Language, string>> = {
  en: 'USD',
  de: 'EUR',
  es: 'EUR',
  fr: 'EUR',
  pt: 'BRL',
};
const PRICES = [0, 12, 29];
const DISH_PRICES = [7.5, 9, 4.2, 3];

function money(amount: number, lang: Language, digits: number): string {
  const style = { style: 'currency', currency: CURRENCIES[lang], minimumFractionDigits: digits } as const;
  return new Intl.NumberFormat(lang, style).format(amount);
}

const PARTS: Readonly<Record<string, Part>> = {
  about: {
    asked: 'about(?: us| me| section)|our story|über uns|à propos|sobre (?:nosotros|nós)',
    content: ({ texts }) => ({ cards: toNamed(pairsOf(texts, 'about')) }),
  },
  features: {
    asked: 'features?(?: section| grid| list)?|benefits|services|funktionen|leistungen|angebot|servicios|serviços',
    content: ({ text, promptLang, trade, texts }) => {
      const listed = readList(text, 'features?|benefits|services|funktionen|leistungen|servicios|serviços');
      const pairs = listed.map((name): Pair => [toTitle(name, promptLang) || name, '']);
      return { cards: toNamed(pairs.length > 0 ? pairs : pairsOf(texts, trade)) };
    },
  },
  steps: {
    asked: 'steps|how it works|process|so funktioniert|cómo funciona|comment ça marche|como funciona',
    content: ({ texts }) => ({ steps: toNamed(pairsOf(texts, 'steps')) }),
  },
  menu: {
    asked: 'menu|speisekarte|carte|menú|cardápio|price list',
    content: ({ text, promptLang, texts, lang }) => {
      const listed = readList(text, 'menu(?: items)?|dishes|drinks|speisen|platos|plats|pratos');
      const dishes =
        listed.length > 0 ? listed.map((dish) => toTitle(dish, promptLang) || dish) : texts.dishes?.split('; ');
      return {
        rows: toNamed((dishes ?? []).map((dish, at) => [dish, money(DISH_PRICES[at] ?? 5, lang, 2)])),
      };
    },
  },
  hours: {
    asked: '(?:opening |business )?hours|öffnungszeiten|horarios?|horários?|horaires|location',
    content: ({ texts }) => ({ rows: toNamed(pairsOf(texts, 'hours')) }),
  },
  testimonials: {
    asked:
      'testimonials?|reviews?|quotes|customer stories|kundenstimmen|témoignages|testimonios|depoimentos|social proof',
    content: ({ texts }) => ({ quotes: toNamed(pairsOf(texts, 'testimonials')) }),
  },
  team: {
    asked: 'team(?: section| members)?|staff|das team|équipe|equipo|equipe',
    content: ({ texts }) => ({ cards: toNamed(pairsOf(texts, 'team')) }),
  },
  pricing: {
    asked: 'pricing|prices|plans|price table|preise|tarifs|precios|preços',
    content: ({ texts, lang }) => ({
      plans: rowsOf(texts, 'pricing').map(([name = '', per = '', text = ''], at) => {
        const className = at === 1 ? 'recommended' : 'plan';
        return { name, per, text, className, price: money(PRICES[at] ?? 0, lang, 0) };
      }),
    }),
  },
  faq: {
    asked: 'faqs?|questions|fragen|preguntas|perguntas',
    content: ({ texts }) => ({ questions: toNamed(pairsOf(texts, 'faq')) }),
  },
  contact: {
    asked: 'contact(?:o| form| us| section)?|kontakt(?:formular)?|contato|sign[- ]?up|newsletter|booking|reservations?',
    content: () => ({ hasForm: true }),
  },
};

const asks = (part: Part, text: string) => new RegExp(`(?<![\\p{L}-])(?:${part.asked})(?!\\p{L})`, 'iu').test(text);

const NONE = {
  intro: '',
  cards: [],
  steps: [],
  rows: [],
  quotes: [],
  plans: [],
  questions: [],
  hasForm: false,
};
const hasItems = (value: unknown) => Array.isArray(value) && value.length > 0;

function section(id: string, label: string, heading: string, content: Values): Values {
  const lists: Values = { ...NONE, ...content };
  return {
    ...lists,
    id,
    label,
    heading,
    hasCards: hasItems(lists.cards),
    hasSteps: hasItems(lists.steps),
    hasRows: hasItems(lists.rows),
    hasQuotes: hasItems(lists.quotes),
    hasPlans: hasItems(lists.plans),
    hasQuestions: hasItems(lists.questions),
  };
}

const knownSections = (id: string, source: Source): Values[] => {
  const part = PARTS[id];
  const [label = '', heading = '', intro = ''] = source.texts[id]?.split('|') ?? [];
  return part ? [section(id, label, heading, { intro, ...part.content(source) })] : [];
};

function ownSection(heading: string, taken: number, { texts, promptLang }: Source): Values {
  const title = toTitle(heading, promptLang) || heading;
  return section(slug(title, `part-${taken}`), title, title, { intro: texts.ownSection ?? '' });
}

/**
 * Returns the sections of a landing page: those listed after "sections:", otherwise the ones that the prompt mentions
 * and those that every page needs.
 */
export function landingSections(source: Source): Values[] {
  const { text } = source;
  const listed = readList(text, 'sections?|abschnitte?n?|secciones|seções').filter(
    (name) => !/^(?:hero|header|footer)(?: section)?$/i.test(name),
  );
  if (listed.length > 0) {
    const sections = listed.flatMap((name, index) => {
      const id = Object.keys(PARTS).find((part) => asks(PARTS[part] as Part, name) || part === name.toLowerCase());
      return id ? knownSections(id, source) : [ownSection(name, index, source)];
    });
    return sections.filter(({ id }, index) => sections.findIndex((other) => other.id === id) === index);
  }
  const mentioned = Object.keys(PARTS).filter((id) => asks(PARTS[id] as Part, text));
  const usual = mentioned.length > 0 ? ['features', 'contact'] : ['features', 'steps', 'faq', 'contact'];
  return Object.keys(PARTS)
    .filter((id) => usual.includes(id) || mentioned.includes(id))
    .flatMap((id) => knownSections(id, source));
}

export type Texts = Readonly<Record<string, string>>;
type Pair = readonly [name: string, text: string];

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

const pairsOf = (texts: Texts, name: string): Pair[] =>
  rowsOf(texts, name).map(([head = '', text = '']) => [head, text]);
