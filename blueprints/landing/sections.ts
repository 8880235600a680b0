import { readList } from '../kit/lists.ts';
import { slug, toTitle } from '../kit/phrases.ts';
import type { Values } from '../kit/types.ts';
import type { Copy } from './copy.ts';

type Pair = readonly [name: string, text: string];
const named = (pairs: readonly Pair[]) => pairs.map(([name, text]) => ({ name, text }));

interface Part {
  /** A regular expression source: how prompts ask for this section. */
  readonly asked: string;
  readonly label: string;
  readonly heading: string;
  readonly intro?: string;
  readonly content: (copy: Copy, text: string) => Values;
}

const QUESTIONS: readonly Pair[] = [
  ['How do I begin?', 'Write to us. We reply within a day.'],
  ['What does it cost?', 'That depends on what you need. The first call is free, and then you get a quote.'],
  ['Can I change my mind?', 'Yes, at any time and without giving a reason.'],
];
const PLANS = [
  {
    name: 'Starter',
    price: '$0',
    per: 'for good',
    text: 'Everything one person needs to find out whether it helps.',
    className: 'plan',
  },
  {
    name: 'Regular',
    price: '$12',
    per: 'a month',
    text: 'For daily use: no limits, and somebody who answers.',
    className: 'recommended',
  },
  {
    name: 'Together',
    price: '$29',
    per: 'a month',
    text: 'For a whole team, with shared settings and one bill.',
    className: 'plan',
  },
];

const PARTS: Readonly<Record<string, Part>> = {
  about: {
    asked: 'about(?: us| me| section)|our story|über uns|à propos|sobre nosotros',
    label: 'About',
    heading: 'Who we are',
    content: () => ({
      cards: named([
        ['How it began', 'Say in three sentences who founded this, when, and why.'],
        ['What we care about', 'Name one thing that you do differently, and why.'],
      ]),
    }),
  },
  features: {
    asked: 'features?(?: section| grid| list)?|benefits|services|funktionen|leistungen|servicios',
    label: 'Features',
    heading: 'What you can count on',
    content: (copy, text) => {
      const listed = readList(text, 'features?|benefits|services|funktionen|leistungen|servicios');
      return {
        cards:
          listed.length > 0
            ? listed.map((name) => ({ name: toTitle(name) || name, text: '' }))
            : named(copy.features),
      };
    },
  },
  steps: {
    asked: 'steps|how it works|process',
    label: 'How it works',
    heading: 'How it works',
    content: (copy) => ({ steps: named(copy.steps) }),
  },
  menu: {
    asked: 'menu|speisekarte|carte|menú|price list',
    label: 'Menu',
    heading: 'On the menu',
    intro: 'These are sample entries. Replace them with your own.',
    content: (_copy, text) => {
      const listed = readList(text, 'menu(?: items)?|dishes|drinks');
      const dishes: readonly Pair[] =
        listed.length > 0
          ? listed.map((dish) => [toTitle(dish) || dish, '5.00'])
          : [
              ['Soup of the day, with bread', '7.50'],
              ['Toast with greens and egg', '9.00'],
              ['Cake of the house', '4.20'],
              ['Filter coffee', '3.00'],
            ];
      return { rows: named(dishes) };
    },
  },
  hours: {
    asked: '(?:opening |business )?hours|öffnungszeiten|horario|horaires|location',
    label: 'Hours',
    heading: 'When we are open',
    content: () => ({
      rows: named([
        ['Monday to Friday', '8:00 – 18:00'],
        ['Saturday', '9:00 – 16:00'],
        ['Sunday', 'closed'],
      ]),
    }),
  },
  testimonials: {
    asked:
      'testimonials?|reviews?|quotes|customer stories|kundenstimmen|témoignages|testimonios|social proof',
    label: 'Reviews',
    heading: 'What people say',
    content: () => ({
      quotes: named([
        ['A customer, and where they are from', 'Quote the best sentence that a customer wrote to you.'],
        ['Another customer', 'Add a shorter quote here.'],
      ]),
    }),
  },
  team: {
    asked: 'team(?: section| members)?|staff|das team|équipe|equipo',
    label: 'Team',
    heading: 'The people',
    content: () => ({
      cards: named([
        ['First person', 'Their role, and a sentence about their work.'],
        ['Second person', 'One sentence is enough.'],
        ['Third person', 'Add a photo of everybody.'],
      ]),
    }),
  },
  pricing: {
    asked: 'pricing|prices|plans|price table|preise|tarifs|precios',
    label: 'Pricing',
    heading: 'Simple prices',
    intro: 'These are sample prices. Replace them with your own.',
    content: () => ({ plans: PLANS }),
  },
  faq: {
    asked: 'faqs?|questions|fragen',
    label: 'Questions',
    heading: 'Questions people ask',
    content: () => ({ questions: named(QUESTIONS) }),
  },
  contact: {
    asked:
      'contact(?: form| us| section)?|kontakt(?:formular)?|contacto|sign[- ]?up|newsletter|booking|reservations?',
    label: 'Contact',
    heading: 'Write to us',
    intro: 'A few lines are enough. We reply within a day.',
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
const filled = (value: unknown) => Array.isArray(value) && value.length > 0;

function section(id: string, label: string, heading: string, content: Values): Values {
  const lists: Values = { ...NONE, ...content };
  return {
    ...lists,
    id,
    label,
    heading,
    hasCards: filled(lists.cards),
    hasSteps: filled(lists.steps),
    hasRows: filled(lists.rows),
    hasQuotes: filled(lists.quotes),
    hasPlans: filled(lists.plans),
    hasQuestions: filled(lists.questions),
  };
}

const known = (id: string, copy: Copy, text: string): Values[] => {
  const part = PARTS[id];
  return part
    ? [section(id, part.label, part.heading, { intro: part.intro ?? '', ...part.content(copy, text) })]
    : [];
};

function own(heading: string, taken: number): Values {
  const title = toTitle(heading) || heading;
  const text = 'Two or three sentences are enough here: what is it, for whom, and what should they do next?';
  return section(slug(title, `part-${taken}`), title, title, { intro: text });
}

/**
 * Returns the sections of a landing page: those listed after "sections:", otherwise the ones that the prompt mentions
 * and those that every page needs.
 */
export function landingSections(text: string, copy: Copy): Values[] {
  const listed = readList(text, 'sections?|abschnitte?n?|secciones').filter(
    (name) => !/^(?:hero|header|footer)(?: section)?$/i.test(name),
  );
  if (listed.length > 0) {
    const sections = listed.flatMap((name, index) => {
      const id = Object.keys(PARTS).find(
        (part) => asks(PARTS[part] as Part, name) || part === name.toLowerCase(),
      );
      return id ? known(id, copy, text) : [own(name, index)];
    });
    return sections.filter(({ id }, index) => sections.findIndex((other) => other.id === id) === index);
  }
  const mentioned = Object.keys(PARTS).filter((id) => asks(PARTS[id] as Part, text));
  const usual = mentioned.length > 0 ? ['features', 'contact'] : ['features', 'steps', 'faq', 'contact'];
  return Object.keys(PARTS)
    .filter((id) => usual.includes(id) || mentioned.includes(id))
    .flatMap((id) => known(id, copy, text));
}
