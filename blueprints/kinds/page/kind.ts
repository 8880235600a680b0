import { pageLayers } from '../../kit/kinds.ts';
import { readList } from '../../kit/lists.ts';
import { isOccasion } from '../../kit/occasions.ts';
import { shorten, slug, toTitle, withoutManner } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

const PAGE_WORDS =
  /^(?:(?:web ?|home ?)?(?:page|site)|website|blog|web ?app|app|application|project|something|anything|thing|it)$/i;
const TRAILING = /\s+(?:(?:web ?)?(?:page|site)|website)$/i;

const LABELS =
  'sections?|chapters?|topics?|parts?|features?|pages?|steps|ingredients|points|things|agenda|rules|abschnitte?n?|kapitel|secciones|seções';

/** A plain page about something: a title and a structure to fill in. */
export const page: Kind<'untitled' | 'summary' | 'lede' | 'fill' | 'what' | 'who' | 'how' | 'next'> = {
  name: 'page',
  layers: pageLayers('page', ['article']),
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
  fits: (brief) => !isOccasion(brief),
  values({ name, head, topic, text, promptLang }: Brief, texts) {
    const noun = withoutManner(head).replace(TRAILING, '');
    const title =
      name ||
      (PAGE_WORDS.test(noun) ? toTitle(topic, promptLang) : toTitle(noun, promptLang)) ||
      toTitle(topic, promptLang) ||
      texts.untitled;
    const listed = readList(text, LABELS).map((entry) => [
      toTitle(entry, promptLang) || entry,
      ...texts.fill.split('|'),
    ]);
    const usual = [texts.what, texts.who, texts.how, texts.next].map((section) => section.split('|'));
    const sections = (listed.length > 1 ? listed : usual).map(([heading = '', ...paragraphs], index) => ({
      id: slug(heading, `section-${index + 1}`),
      heading,
      paragraphs: paragraphs.map((paragraph) => ({ text: paragraph })),
    }));
    const count = (written: string) => written.replace('{n}', String(sections.length)).replace('{title}', () => title);
    return {
      title,
      description: count(texts.summary),
      lede: count(texts.lede),
      request: shorten(text, 400),
      sections: sections.filter(({ id }, index) => sections.findIndex((other) => other.id === id) === index),
      icon: 'M8 9h16M8 16h16M8 23h9',
      sources: [{ path: 'page.css', contents: 'the styles of the sections and the contents' }],
      advice: 'Replace the texts in index.html with your own.',
    };
  },
};
