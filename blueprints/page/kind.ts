import { readList } from '../kit/lists.ts';
import { shorten, slug, toTitle, withoutManner } from '../kit/phrases.ts';
import type { Brief, Kind } from '../kit/types.ts';

const PAGE_WORDS =
  /^(?:(?:web ?|home ?)?(?:page|site)|website|blog|web ?app|app|application|project|something|anything|thing|it)$/i;
const TRAILING = /\s+(?:(?:web ?)?(?:page|site)|website)$/i;

const SECTIONS = [
  [
    'What it is',
    'Begin with one sentence that a stranger would understand. Then say what makes it different from everything that looks like it.',
    'A good second paragraph gives an example: one person, one day, one thing that became easier.',
  ],
  [
    'Who it is for',
    'Name the people you have in mind, and what they do today without it. Be specific; the others will find themselves in it.',
  ],
  [
    'How it works',
    'Three steps are usually enough. If it takes more, the first three should already be useful.',
  ],
  ['What comes next', 'Say what a reader can do now: write to you, try it, or come back in a month.'],
] as const;

const LABELS =
  'sections?|chapters?|topics?|parts?|features?|pages?|steps|ingredients|points|things|agenda|rules|abschnitte?|kapitel|secciones';

/** What is made when nothing else fits. It says so, and gives the request a title and a structure. */
export const page: Kind = {
  name: 'page',
  layers: {
    auto: ['shared/page', 'page/base'],
    '5min': ['shared/tests', 'shared/sections', 'page/5min'],
    '10min': ['shared/storage', 'shared/files', 'shared/options', 'shared/docs', 'page/10min'],
  },
  accent: '#b4442a',
  words: [],
  values({ name, head, topic, text, lang }: Brief) {
    const noun = withoutManner(head).replace(TRAILING, '');
    const title =
      name || (PAGE_WORDS.test(noun) ? toTitle(topic) : toTitle(noun)) || toTitle(topic) || 'A New Page';
    const listed = readList(text, LABELS).map((entry, index) => ({
      id: slug(entry, `section-${index + 1}`),
      heading: toTitle(entry) || entry,
      paragraphs: [
        { text: 'Write two or three sentences here: what a reader should know, and why it matters to them.' },
      ],
    }));
    const usual = SECTIONS.map(([heading, ...paragraphs]) => ({
      id: slug(heading, 'section'),
      heading,
      paragraphs: paragraphs.map((paragraph) => ({ text: paragraph })),
    }));
    const sections = listed.length > 1 ? listed : usual;
    return {
      title,
      lang,
      description: `${title}: a starter page with ${sections.length} sections to fill in.`,
      lede: `A starter with a title, ${sections.length} sections and a style of its own, ready for your words.`,
      request: shorten(text, 400) || 'Nothing in particular.',
      sections: sections.filter(({ id }, index) => sections.findIndex((other) => other.id === id) === index),
    };
  },
};
