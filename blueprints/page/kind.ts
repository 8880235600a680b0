import { readList } from '../kit/lists.ts';
import { shorten, slug, toTitle, withoutManner } from '../kit/phrases.ts';
import type { Brief, Kind } from '../kit/types.ts';

const PAGE_WORDS =
  /^(?:(?:web ?|home ?)?(?:page|site)|website|blog|web ?app|app|application|project|something|anything|thing|it)$/i;
const TRAILING = /\s+(?:(?:web ?)?(?:page|site)|website)$/i;

const SECTIONS = [
  [
    'What it is',
    'Begin with one sentence that everybody understands. Then say what makes it different from similar things.',
    'Use a second paragraph for an example: a person, a situation, and what became easier.',
  ],
  ['Who it is for', 'Name the people you have in mind and what they do without it today. Be specific.'],
  ['How it works', 'Describe it in about three steps.'],
  ['What comes next', 'Say what a reader can do now: contact you, try it, or come back later.'],
] as const;

const LABELS =
  'sections?|chapters?|topics?|parts?|features?|pages?|steps|ingredients|points|things|agenda|rules|abschnitte?|kapitel|secciones';

/** A plain page about something: a title and a structure to fill in. */
export const page: Kind = {
  name: 'page',
  layers: {
    auto: ['shared/page', 'page/base'],
    '5min': ['shared/offline'],
    '10min': ['shared/tests'],
  },
  accent: '#b4442a',
  words: [
    [
      '(?:one|single|simple|plain|information(?:al)?|fact)[- ]?(?:web ?)?(?:page|pager)|pager|articles?|artikel|artículo|essay page|factsheet|steckbrief|^(?:an? |the )?(?:\\p{L}+ )?(?:web ?)?page\\s*$',
      4,
    ],
    [
      '(?:(?:web ?)?page|(?:web ?)?site|website|web page) (?:about|on|that explains|called|with sections)|(?:web)?seite (?:über|zu[mr]?)|(?:página|site|sitio)(?: web)? (?:sobre|acerca)|(?:page|site)(?: web)? sur',
      4,
    ],
  ],
  values({ name, head, topic, text }: Brief) {
    const noun = withoutManner(head).replace(TRAILING, '');
    const title =
      name || (PAGE_WORDS.test(noun) ? toTitle(topic) : toTitle(noun)) || toTitle(topic) || 'A New Page';
    const listed = readList(text, LABELS).map((entry, index) => ({
      id: slug(entry, `section-${index + 1}`),
      heading: toTitle(entry) || entry,
      paragraphs: [
        { text: 'Write two or three sentences here: what a reader should know, and why it matters.' },
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
      description: `${title}: a starter page with ${sections.length} sections to fill in.`,
      lede: `A starter page with a title and ${sections.length} sections, ready for your text.`,
      request: shorten(text, 400),
      sections: sections.filter(({ id }, index) => sections.findIndex((other) => other.id === id) === index),
    };
  },
};
