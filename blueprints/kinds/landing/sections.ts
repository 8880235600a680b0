import { readList } from '../../kit/lists.ts';
import { slug, toTitle } from '../../kit/phrases.ts';
import type { Language, Values } from '../../kit/types.ts';
import { type Pair, pairsOf, rowsOf, type Texts } from './copy.ts';

/** What sections are made from. */
export interface Source {
  readonly text: string;
  readonly trade: string;
  readonly texts: Texts;
  readonly lang: Language;
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
    asked:
      'features?(?: section| grid| list)?|benefits|services|funktionen|leistungen|angebot|servicios|serviços',
    content: ({ text, trade, texts }) => {
      const listed = readList(text, 'features?|benefits|services|funktionen|leistungen|servicios|serviços');
      const pairs = listed.map((name): Pair => [toTitle(name) || name, '']);
      return { cards: toNamed(pairs.length > 0 ? pairs : pairsOf(texts, trade)) };
    },
  },
  steps: {
    asked: 'steps|how it works|process|so funktioniert|cómo funciona|comment ça marche|como funciona',
    content: ({ texts }) => ({ steps: toNamed(pairsOf(texts, 'steps')) }),
  },
  menu: {
    asked: 'menu|speisekarte|carte|menú|cardápio|price list',
    content: ({ text, texts, lang }) => {
      const listed = readList(text, 'menu(?: items)?|dishes|drinks|speisen|platos|plats|pratos');
      const dishes =
        listed.length > 0 ? listed.map((dish) => toTitle(dish) || dish) : texts.dishes?.split('; ');
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
    asked:
      'contact(?:o| form| us| section)?|kontakt(?:formular)?|contato|sign[- ]?up|newsletter|booking|reservations?',
    content: () => ({ hasForm: true }),
  },
};

const asks = (part: Part, text: string) =>
  new RegExp(`(?<![\\p{L}-])(?:${part.asked})(?!\\p{L})`, 'iu').test(text);

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

function ownSection(heading: string, taken: number, { texts }: Source): Values {
  const title = toTitle(heading) || heading;
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
      const id = Object.keys(PARTS).find(
        (part) => asks(PARTS[part] as Part, name) || part === name.toLowerCase(),
      );
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
