import { files, gameLayers, numbers } from '../kit/game.ts';
import { titleOf } from '../kit/phrases.ts';
import { type Kind, LANGUAGES } from '../kit/types.ts';

const OWN_TEXT =
  /(?:text|passage|sentence|paragraph|satz|texto|frase|texte|phrase)s?:?\s*(?:["“„«]\s*([^"”“»]{10,1200}?)\s*["”“»]|(?<=:\s*)(.{10,1200}))/iu;
const LIMIT = /(\d{1,3})[\s-]*(sec|sek|seg|s(?!\p{L})|min)/iu;
const NAMED_LANGUAGES = [
  'english|englisch\\w*|inglés|inglês|anglais',
  'german|deutsch\\w*|alem[aá]n|alemão|allemand',
  'spanish|spanisch\\w*|español|espanhol|espagnol',
  'french|französisch\\w*|francés|francês|français',
  'portugu[eê]s\\w*|portugiesisch\\w*|portugais',
];

/** Straight quotes and hyphens, which every keyboard has. */
const typeable = (text: string) =>
  text
    .replace(/[‘’]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[–—]/g, '-')
    .replaceAll('…', '...')
    .replace(/\s+/g, ' ')
    .trim();

export const typing: Kind<'title' | 'about' | 'speed' | 'accuracy' | 'time' | 'best'> = {
  name: 'typing',
  layers: gameLayers('typing/base'),
  accent: '#4554c4',
  words: [
    [
      'typing(?: speed)?[- ]?(?:test|game|tutor|practice|trainer|speed)?|type[- ]?racer|words per minute|wpm(?: test)?',
      7,
    ],
    ['tipp-?(?:test|trainer|spiel)|schreibmaschinen\\w*|zehn-?finger\\w*|tippgeschwindigkeit\\w*', 7],
    [
      '(?:test|prueba|teste|juego|jeu|jogo)(?: de)? (?:mecanografía|velocidad de escritura|frappe|dactylo\\w*|digitação|datilografia)',
      7,
    ],
    ['mecanografía|dactylographie|digitação|datilografia', 5],
  ],
  values(brief, texts) {
    const title = titleOf(brief, /typ|tipp|schreib|finger|mecano|frappe|dactylo|digita|wpm/i, texts.title);
    const [, quoted, rest = ''] = OWN_TEXT.exec(brief.text) ?? [];
    const [, amount = '0', unit = ''] = LIMIT.exec(brief.text) ?? [];
    const named = NAMED_LANGUAGES.findIndex((words) =>
      new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu').test(brief.request),
    );
    return {
      title,
      description: `${title}: ${texts.about}`,
      own: typeable(quoted ?? rest),
      limit: Math.min(600, Number(amount) * (/^min/i.test(unit) ? 60 : 1)),
      language: LANGUAGES[named] ?? brief.lang,
      pad: false,
      numbers: numbers(
        { speed: texts.speed, accuracy: texts.accuracy, time: texts.time, best: texts.best },
        '–',
      ),
      files: files({ 'src/passages.js': 'the texts to type: replace them with your own' }),
    };
  },
};
