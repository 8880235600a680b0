import { artwork } from '../../kit/artwork.ts';
import { pageLayers } from '../../kit/kinds.ts';
import { isCountdown, isSolemn, OCCASIONS, occasionIn } from '../../kit/occasions.ts';
import { titleOf, toTitle, withoutRequest } from '../../kit/phrases.ts';
import type { Brief, Kind, SiteData, Values } from '../../kit/types.ts';
import { namesMonth, readWhen } from '../../kit/when.ts';

const NAME = "\\p{Lu}[\\p{L}'’-]+";
const COUPLE = new RegExp(
  `(?<!\\p{L})(${NAME}) (?:and|und|y|et|e|&|\\+) (?:d[ao] )?(${NAME}(?: ${NAME})?)(?!\\p{L})`,
  'u',
);
const WEDDING = /wedding|married|hochzeit|trauung|boda|mariage|casamento|save[- ]the[- ]date/i;
const BIRTHDAY = /birthday|geburtstag|cumpleaños|anniversaire|aniversário|\d (?:ans|años|anos) d/i;
const PERSON = '(\\p{Lu}\\p{L}+(?: \\p{Lu}\\p{L}+)?)';
const HONOURED = new RegExp(
  `${PERSON}['’]s (?:\\d+\\w* )?birthday|(?<!\\p{L})(?:von|für|of|for|del?|d[ao]|du|pour|para) (?:(?:my|our|mein\\p{L}*|unser\\p{L}*|mis?|mon|ma|notre|meu|minha) )?(?:\\p{Ll}+ )?${PERSON}`,
  'u',
);
/** "40. Geburtstag", "40th birthday", "50 cumpleaños", "les 60 ans". */
const AGE =
  /(?<!\d)(\d{1,3})(?:\.|st|nd|rd|th|º|e|ème)? (?:birthday|geburtstag|cumpleaños|anniversaire|aniversário|ans|años|anos)/i;
const PARTICLE = '(?:de|da|do|dos|das|del|du|des|la|le|les|el|of|the|am|an der|in|en|à|em)';
const SPOT = `(?:Sta?\\. )?${NAME}(?: (?:${PARTICLE} ){0,2}(?:Sta?\\. )?${NAME})*`;
/** "At the Old Mill in Bakewell", "en el restaurante Casa Paco", "na Igreja de São Bento, Porto". */
const WHERE = new RegExp(
  `(?<!\\p{L})(?:at|in|im|auf|bei|en|à|au|chez|em|no|na|venue:|place:|ort:|lugar:|lieu:|local:) (?:(?:el|la|le|der|dem|o|a) |l['’])?((?:the )?(?:\\p{Ll}{4,} (?:${PARTICLE} )?)?${SPOT}(?:, ${SPOT}(?=[.;\\n]|$))?)`,
  'gu',
);
const PART = new RegExp(`, (${SPOT})(?=[,.;\\n]|$)`, 'gu');
/** "Countdown to our move to Lisbon", up to its date. */
const AWAITED =
  /(?:countdown|count(?:ing)? down|cuenta (?:atrás|regresiva)|compte à rebours|contagem regressiva)(?: (?:page|timer|app|clock))? (?:to|until|till|for|bis(?: zu[mr]?)?|zu[mr]?|für|para|hasta|até|al?|ao?|pour|avant|jusqu['’](?:à|au)) ([^.,;:\n]{2,60}?)(?=\s*(?:[.,;:\n]|$)| (?:(?:on|am|el|le|em|at|um|in|vom) )?(?:\p{L}{4,12} )?\d| (?:with|mit|con|avec|com|that|which)(?!\p{L}))/iu;

/** Returns the place of an event: "Hamburg" of "in Hamburg", or a part between commas that is nothing else. */
function readPlace(text: string, names: string): string {
  const found = [...text.matchAll(WHERE), ...text.matchAll(PART)].map(([, place = '']) => place);
  return (
    found.find((place) => !namesMonth(place) && !names.includes(place) && !/^(?:RSVP|The|With)$/i.test(place)) ?? ''
  );
}

/** The two of "Lucía y Marcos"; in German, nouns have capital letters too: "Kaffee und Kuchen". */
function readCouple({ text, promptLang }: Brief): string {
  const isCouple = WEDDING.test(text) || (promptLang !== 'de' && !BIRTHDAY.test(text));
  const [, first = '', second = ''] = isCouple ? (COUPLE.exec(text) ?? []) : [];
  return first && `${first} & ${second}`;
}

type Texts = Readonly<Record<'wedding' | 'birthday' | 'birthdayOf' | 'turns' | 'invitation' | 'until', string>>;

/** Returns what the event is called: its name, the people, or the words for the occasion. */
function titleOfEvent(brief: Brief, texts: Texts): string {
  const { name, text, promptLang } = brief;
  if (name) return name;
  if (isCountdown(brief)) return toTitle(withoutRequest(AWAITED.exec(text)?.[1] ?? ''), promptLang) || texts.until;
  const couple = readCouple(brief);
  if (couple) return couple;
  if (WEDDING.test(text)) return texts.wedding;
  if (!BIRTHDAY.test(text)) {
    const occasion = toTitle(occasionIn(text), promptLang);
    return occasion || titleOf(brief, /party|meetup|dinner|fest/i, texts.invitation);
  }
  const [, own, of] = HONOURED.exec(text) ?? [];
  const age = AGE.exec(text)?.[1];
  const honoured = own ?? of;
  if (!honoured) return texts.birthday;
  return (age ? texts.turns.replace('{n}', age) : texts.birthdayOf).replace('{name}', () => honoured);
}

/** Returns the fields that guests send; on an origin of its own, the site shows them their answers. */
function answersOf(data: SiteData | undefined): Values {
  return {
    answers: {
      create: 'visitor',
      ...(data?.ownOrigins ? { read: 'author', delete: 'author' } : {}),
      keepDays: 365,
      schema: {
        type: 'object',
        required: ['name', 'comes'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 80 },
          comes: { type: 'boolean' },
          people: { type: 'integer', minimum: 1, maximum: 20 },
          note: { type: 'string', maxLength: 500 },
        },
      },
    },
  };
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
  | 'hint'
  | 'hostsOnly'
  | 'answers'
  | 'yourAnswers'
  | 'until'
  | 'untilSummary'
> = {
  name: 'event',
  layers: pageLayers('event', ['storage', 'files', 'texts', 'dom', 'article'], 'event/tests'),
  data: { layers: ['shared/data', 'event/data'], fits: (brief) => !isCountdown(brief) },
  accent: '#8c2f55',
  words: [
    [
      '(?:\\p{L}+ )?(?:invitations?|invites?)(?: (?:page|site|website|card))?|(?:\\p{L}+)?einladung|invitación|convite|faire-part',
      8,
    ],
    ['(?:wedding|event|party) (?:page|site|website)|save[- ]the[- ]date|hochzeitsseite|rsvp', 8],
    [OCCASIONS, 4],
    ['meetup|wedding', 3],
    ['countdown|cuenta (?:atrás|regresiva)|compte à rebours|contagem regressiva', 4],
  ],
  fits: (brief) => isCountdown(brief) || !isSolemn(brief),
  values(brief, texts) {
    const { text, data } = brief;
    const awaited = isCountdown(brief);
    const title = titleOfEvent(brief, texts);
    const { isSample, ...when } = readWhen(text, 0);
    const lede = WEDDING.test(text) ? texts.weddingLede : texts.lede;
    const place = readPlace(text, title) || (awaited ? '' : texts.openPlace);
    return {
      title,
      description: (awaited ? texts.untilSummary : texts.summary).replace('{title}', () => title),
      kicker: awaited ? texts.until : texts.invitation,
      invites: !awaited,
      hasPlace: place !== '',
      greeting: awaited ? '' : lede,
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
        { path: 'src/answers.js', contents: 'keeps the answers, or sends them' },
        { path: 'src/files.js', contents: 'downloads a file' },
        { path: 'src/store.js', contents: 'stores answers in the browser' },
        { path: 'src/texts.js', contents: 'the texts of the page' },
      ],
      hint: data ? texts.hostsOnly : texts.hint,
      answers: data?.ownOrigins ? texts.yourAnswers : texts.answers,
      isShared: data !== undefined && !data.ownOrigins,
      declaration: answersOf(data),
      advice: data
        ? 'Answers reach the owner of the page, who reads them in the console, or in the page if it is opened from there.'
        : 'Answers stay in the browser of the guest. Send them from src/answers.js to a service of yours to receive them.',
    };
  },
};
