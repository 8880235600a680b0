import { readEntries } from './lists.ts';
import { capitalize } from './phrases.ts';
import type { Brief } from './types.ts';

/** What asks for a vote. */
export const POLL =
  /(?<!\p{L})(?:poll|vote|voting|umfrage|abstimm\p{L}*|encuesta|votaci[oó]n|votar|sondage|voter?|enquete|votação)(?!\p{L})/iu;

/** "Which day suits you" of "a poll: which day suits you, Monday or Tuesday?" */
const QUESTION =
  /(?<!\p{L})¿?((?:which|what|who|where|when|how|welche\p{L}*|was|wer|wo|wohin|wann|qué|cuál|quién|dónde|cuándo|quel\p{L}*|qui|où|quand|qual|quem|onde|quando)(?!\p{L})[^.:!?,\n]{3,80})(?=[?,:\n])/iu;

/** Returns the question of a poll without its mark; an empty text if there is none. */
export const readQuestion = ({ text }: Pick<Brief, 'text'>): string =>
  capitalize(QUESTION.exec(text)?.[1]?.trim() ?? '');

/** Returns the options of a poll; between the last two, Spanish has "o". */
export function readChoices({ text, lang }: Pick<Brief, 'text' | 'lang'>): string[] {
  const question = readQuestion({ text });
  const entries = readEntries(lang === 'es' ? text.replace(/ [ou] (?=[^,]*$)/, ' or ') : text);
  const options = entries.map((entry) => entry.replace(/^[¿¡]/, ''));
  return options.filter((option) => capitalize(option) !== question);
}
