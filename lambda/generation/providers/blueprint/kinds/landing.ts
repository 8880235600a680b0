import { shorten, toTitle, withoutManner } from '../phrases.ts';
import type { Brief, Kind, Values } from '../types.ts';
import { COPY, PRODUCT } from './landing-copy.ts';
import { landingSections } from './landing-sections.ts';

const PAGE_WORDS =
  /\s*(?:landing[- ]?page|home ?page|web ?site|web ?page|site web|página(?: web| de aterrizaje)?|one-pager|marketing (?:page|site)|startseite|page|site)s?\s*/giu;

/** A small repeatable source of numbers from 0 to 1 (mulberry32), so that a title always gets the same picture. */
function seeded(text: string): () => number {
  let state = 0;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Shapes of a 1 × 1 tile: quarter discs from each corner, half discs, a disc, a leaf.
const SHAPES = [
  'M0 0h1a1 1 0 0 1-1 1z',
  'M1 0v1a1 1 0 0 1-1-1z',
  'M1 1h-1a1 1 0 0 1 1-1z',
  'M0 1v-1a1 1 0 0 1 1 1z',
  'M0 .5a.5 .5 0 0 1 1 0z',
  'M.5 0a.5 .5 0 0 1 0 1z',
  'M.5 .1a.4 .4 0 1 1 0 .8a.4 .4 0 1 1 0-.8z',
  'M0 0h.5a.5 .5 0 0 1 .5 .5v.5h-.5a.5 .5 0 0 1-.5-.5z',
];
const PAIRS = [
  ['t3', 't0'],
  ['t0', 't3'],
  ['t2', 't1'],
  ['t3', 't2'],
  ['t1', 't2'],
  ['t3', 't1'],
  ['t2', 't0'],
  ['t0', 't1'],
] as const;

/** The hero's picture: five by five tiles, drawn from the title. */
function tiles(title: string): Values[] {
  const random = seeded(title);
  return Array.from({ length: 25 }, (_, at) => {
    const [ground, tone] = PAIRS[Math.floor(random() * PAIRS.length)] ?? ['t3', 't0'];
    return {
      x: at % 5,
      y: Math.floor(at / 5),
      ground,
      tone,
      shape: SHAPES[Math.floor(random() * SHAPES.length)] ?? '',
    };
  });
}

export const landing: Kind = {
  name: 'landing',
  layers: ['shared/page', 'landing/base'],
  accent: '#e4572e',
  words: [
    [
      "landing[- ]?pages?|landing ?site|splash page|página de aterrizaje|page d[e’']atterrissage|coming soon page|launch page",
      6,
    ],
    [
      "home ?page|startseite|marketing (?:page|site)|product page|sales page|waitlist|page d[’']accueil|página de inicio",
      5,
    ],
    [
      'startup|saas|company|business|agency|restaurants?|caf[eé]|coffee shop|bakery|bäckerei|gym|yoga studio|hotel|boutique|brewery|salon|barber ?shop|charity|non-?profit|wedding|conference|festival|online (?:shop|store)|florist|dentist|law firm',
      3,
    ],
    ['service|shop|store|restaurante|panadería|boulangerie|firma|unternehmen|event|invitation', 2.5],
    ['web ?site|webseite|site web|sitio web|página web|web presence', 0.4],
  ],
  values({ name, head, topic, request, text }: Brief) {
    const own = toTitle(withoutManner(head).replace(PAGE_WORDS, ' ').trim());
    const subject = toTitle(topic.replace(PAGE_WORDS, ' ').trim()) || own;
    const title = name || subject || 'Your Product';
    const about = (source: string) => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'iu').test(request);
    const copy = COPY.find((entry) => about(entry.about)) ?? PRODUCT;
    const sections = landingSections(text, copy);
    const first = String(sections[0]?.id ?? 'main');
    return {
      title,
      description: shorten(`${title}: ${copy.lede}`, 155),
      kicker: name && subject && subject !== name ? subject : title,
      headline: copy.headline.replace('{name}', () => title),
      lede: copy.lede,
      action: copy.action,
      actionTarget: sections.some(({ id }) => id === 'contact') ? 'contact' : first,
      firstSection: first,
      tiles: tiles(title),
      sections,
    };
  },
};
