import { artwork } from '../kit/artwork.ts';
import { titleOf } from '../kit/phrases.ts';
import type { Brief, Kind } from '../kit/types.ts';
import { namesMonth, readWhen } from '../kit/when.ts';

const NAME = "\\p{Lu}[\\p{L}'’-]+";
const COUPLE = new RegExp(
  `(?<!\\p{L})(${NAME}) (?:and|und|y|et|e|&|\\+) (?:d[ao] )?(${NAME}(?: ${NAME})?)(?!\\p{L})`,
  'u',
);
const WEDDING = /wedding|married|hochzeit|trauung|boda|mariage|casamento|save[- ]the[- ]date/i;
const BIRTHDAY = /birthday|geburtstag|cumpleaños|anniversaire|aniversário/i;
const HONOURED =
  /(\p{Lu}\p{L}+)['’]s (?:\d+\w* )?birthday|(?<!\p{L})(?:von|für|of|for|de|da|do|pour|para) (?:my (?:son|daughter|friend) )?(\p{Lu}\p{L}+)/u;
/** "40. Geburtstag", "40th birthday", "50 cumpleaños". */
const AGE =
  /(?<!\d)(\d{1,3})(?:\.|st|nd|rd|th|º|e|ème)? (?:birthday|geburtstag|cumpleaños|anniversaire|aniversário)/i;
const WHERE = new RegExp(
  `(?<!\\p{L})(?:at|in|im|en|à|au|em|no|na|venue:|place:|ort:) ((?:the )?${NAME}(?: (?:de|da|do|del|la|le|of|the|am|an der|${NAME}))*)`,
  'gu',
);
const PART = new RegExp(`, (${NAME}(?: (?:de|da|do|del|la|le|of|the|${NAME}))*)(?=[,.;\\n]|$)`, 'gu');

/** Returns the place of an event: "Hamburg" of "in Hamburg", or a part between commas that is nothing else. */
function readPlace(text: string, names: string): string {
  const found = [...text.matchAll(WHERE), ...text.matchAll(PART)].map(([, place = '']) => place);
  return (
    found.find(
      (place) => !namesMonth(place) && !names.includes(place) && !/^(?:RSVP|The|With)$/i.test(place),
    ) ?? ''
  );
}

function readNames({ name, text }: Brief): string {
  const [, first = '', second = ''] = BIRTHDAY.test(text) ? [] : (COUPLE.exec(text) ?? []);
  return name || (first ? `${first} & ${second}` : '');
}

export const event: Kind<
  | 'invitation'
  | 'wedding'
  | 'birthday'
  | 'birthdayOf'
  | 'turns'
  | 'weddingLede'
  | 'lede'
  | 'summary'
  | 'openPlace'
> = {
  name: 'event',
  layers: {
    auto: [
      'shared/page',
      'shared/storage',
      'shared/files',
      'shared/texts',
      'shared/dom',
      'shared/article',
      'event/base',
    ],
    '5min': ['shared/offline'],
    '10min': ['shared/tests', 'event/tests'],
  },
  accent: '#8c2f55',
  words: [
    [
      '(?:\\p{L}+ )?(?:invitations?|invites?)(?: (?:page|site|website|card))?|(?:\\p{L}+)?einladung|invitación|convite|faire-part',
      8,
    ],
    ['(?:wedding|event|party) (?:page|site|website)|save[- ]the[- ]date|hochzeitsseite|rsvp', 8],
    ['wedding|hochzeit|boda|mariage|casamento|birthday party|meetup', 3],
  ],
  values(brief, texts) {
    const { text } = brief;
    const isWedding = WEDDING.test(text);
    const couple = readNames(brief);
    const [, own, of] = BIRTHDAY.test(text) ? (HONOURED.exec(text) ?? []) : [];
    const honoured = own ?? of;
    const age = AGE.exec(text)?.[1];
    const usual = isWedding ? texts.wedding : BIRTHDAY.test(text) ? texts.birthday : texts.invitation;
    const fallback = honoured
      ? (age ? texts.turns.replace('{n}', age) : texts.birthdayOf).replace('{name}', honoured)
      : usual;
    const title =
      couple ||
      (isWedding || BIRTHDAY.test(text) ? fallback : titleOf(brief, /party|meetup|dinner|fest/i, fallback));
    const { isSample, ...when } = readWhen(text);
    const place = readPlace(text, `${title} ${honoured ?? ''}`) || texts.openPlace;
    return {
      title,
      description: texts.summary.replace('{title}', () => title),
      greeting: isWedding ? texts.weddingLede : texts.lede,
      place,
      isSample,
      event: { title, place, ...when },
      tiles: artwork(title, 6, 2),
      icon: 'M5 9h22v16H5zM5 10l11 9 11-9',
      sources: [
        { path: 'event.css', contents: 'the styles of the invitation' },
        { path: 'src/event.js', contents: 'the title, date and place: change them here' },
        { path: 'src/calendar.js', contents: 'writes the calendar file' },
        { path: 'src/main.js', contents: 'the countdown and the answers' },
        { path: 'src/files.js', contents: 'downloads a file' },
        { path: 'src/store.js', contents: 'stores answers in the browser' },
        { path: 'src/texts.js', contents: 'the texts of the page' },
      ],
      advice:
        'Answers stay in the browser of the guest. Send them from src/main.js to a service of yours to receive them.',
    };
  },
};
