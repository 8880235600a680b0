import { files, GAME, isForOne, numbers, pageLayers } from '../../kit/kinds.ts';
import { languageNamed } from '../../kit/languages.ts';
import { titleOf } from '../../kit/phrases.ts';
import type { Kind } from '../../kit/types.ts';

const OWN_TEXT =
  /(?:text|passage|sentence|paragraph|satz|texto|frase|texte|phrase)s?:?\s*(?:["“„«]\s*([^"”“»]{10,1200}?)\s*["”“»]|(?<=:\s*)(.{10,1200}))/iu;
const LIMIT = /(\d{1,3})[\s-]*(sec|sek|seg|s(?!\p{L})|min)/iu;
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
  layers: pageLayers('typing', GAME),
  accent: '#4554c4',
  words: [
    ['typing(?: speed)?[- ]?(?:test|game|tutor|practice|trainer|speed)?|type ?racer|monkey ?type', 7],
    ['words per minute|wpm(?: test)?|tipp-?(?:test|trainer|spiel)|tippgeschwindigkeit', 7],
    ['schreibmaschinen\\p{L}*|zehn-?finger\\p{L}*|(?:test|jeu) de (?:frappe|dactylo\\p{L}*)', 7],
    ['mecanografía|velocidad de escritura|dactylographie|digitação|datilografia', 7],
  ],
  fits: isForOne,
  values(brief, texts) {
    const title = titleOf(brief, /typ|tipp|schreib|finger|mecano|frappe|dactylo|digita|wpm/i, texts.title);
    const [, quoted, rest = ''] = OWN_TEXT.exec(brief.text) ?? [];
    const [, amount = '0', unit = ''] = LIMIT.exec(brief.text) ?? [];
    return {
      title,
      description: `${title}: ${texts.about}`,
      own: typeable(quoted ?? rest),
      limit: Math.min(600, Number(amount) * (/^min/i.test(unit) ? 60 : 1)),
      language: languageNamed(brief.request) ?? brief.lang,
      pad: false,
      numbers: numbers({ speed: texts.speed, accuracy: texts.accuracy, time: texts.time, best: texts.best }, '–'),
      files: files({ 'src/passages.js': 'the texts to type: replace them with your own' }),
    };
  },
};
