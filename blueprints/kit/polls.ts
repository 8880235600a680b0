import { readEntries } from './lists.ts';
import { capitalize } from './phrases.ts';
import type { Brief, Language } from './types.ts';

/** Words that ask for a vote. Some of them also mean a survey. */
export const POLL =
  /(?<!\p{L})(?:poll|vote|voting|umfrage|abstimm\p{L}*|encuesta|votaci[oó]n|votar|sondage|voter?|enquete|votação)(?!\p{L})/iu;
const VOTE = /(?<!\p{L})(?:poll|vote|voting|abstimm\p{L}*|votaci[oó]n|votar|voter?|votação)(?!\p{L})/iu;

/** "Which day suits you" of "a poll: which day suits you, Monday or Tuesday?" */
const QUESTION =
  /(?<!\p{L})¿?((?:which|what|who|where|when|how|welche\p{L}*|was|wer|wo|wohin|wann|qué|cuál|quién|dónde|cuándo|quel\p{L}*|qui|où|quand|qual|quem|onde|quando)(?!\p{L})[^.:!?,\n]{3,80})(?=[?,:\n])/iu;
/** "Where we eat" of "a poll where we eat", but not "where everyone can vote". */
const INDIRECT =
  /(?<!\p{L})((?:what|where|when|was|wo|wohin|wann|qué|dónde|cuándo|où|quand|onde|quando) (?:we|wir|on|nous|\p{L}+[aei]mos)(?!\p{L})(?!.*(?:can|could|vot|see|choose|pick|abstimm|können|sehen|wählen))[^.:!?,\n]{0,60})\s*\.?$/iu;

/** Returns the question of a poll as its title; an empty text if there is none. */
export function readQuestion({ text, promptLang }: Pick<Brief, 'text' | 'promptLang'>): string {
  const asked = QUESTION.exec(text)?.[1]?.trim();
  if (asked === undefined) return capitalize(INDIRECT.exec(text)?.[1]?.trim() ?? '');
  return `${promptLang === 'es' ? '¿' : ''}${capitalize(asked)}${promptLang === 'fr' ? '\u00a0?' : '?'}`;
}

/** Options of polls that name none, by what they ask. */
const EXAMPLES: readonly (readonly [asked: RegExp, options: Readonly<Record<Language, string>>])[] = [
  [
    /(?<!\p{L})(?:eat|lunch|dinner|food|restaurants?|essen|isst|mittag\p{L}*|abendessen|com(?:er|emos|ida)|cen(?:ar|amos)|mange\p{L}*|déjeun\p{L}*|dîn\p{L}*|almo[çc]\p{L}*|jant\p{L}*)(?!\p{L})/iu,
    {
      en: 'Pizza, Sushi, Tacos, Salad',
      de: 'Pizza, Sushi, Tacos, Salat',
      es: 'Pizza, Sushi, Tacos, Ensalada',
      fr: 'Pizza, Sushi, Tacos, Salade',
      pt: 'Pizza, Sushi, Tacos, Salada',
    },
  ],
  [
    /(?<!\p{L})(?:days?|dates?|when|tag|termin|wann|día|cuándo|jour|quand|dia|quando)(?!\p{L})/iu,
    {
      en: 'Monday, Tuesday, Wednesday, Thursday, Friday',
      de: 'Montag, Dienstag, Mittwoch, Donnerstag, Freitag',
      es: 'Lunes, Martes, Miércoles, Jueves, Viernes',
      fr: 'Lundi, Mardi, Mercredi, Jeudi, Vendredi',
      pt: 'Segunda-feira, Terça-feira, Quarta-feira, Quinta-feira, Sexta-feira',
    },
  ],
];
const YES_OR_NO: Readonly<Record<Language, string>> = {
  en: 'Yes, No, Not sure',
  de: 'Ja, Nein, Weiß nicht',
  es: 'Sí, No, No lo sé',
  fr: 'Oui, Non, Je ne sais pas',
  pt: 'Sim, Não, Não sei',
};
const ANY: Readonly<Record<Language, string>> = {
  en: 'Option A, Option B, Option C',
  de: 'Option A, Option B, Option C',
  es: 'Opción A, Opción B, Opción C',
  fr: 'Option A, Option B, Option C',
  pt: 'Opção A, Opção B, Opção C',
};

/** Options of a poll that names none, or undefined if the prompt may ask for a survey. */
function examplesFor({ text, request }: Brief, question: string): Readonly<Record<Language, string>> | undefined {
  const isVote = VOTE.test(request);
  const subject = question || (isVote ? text : '');
  const [, topical] = EXAMPLES.find(([asked]) => asked.test(subject)) ?? [];
  if (topical || !isVote) return topical;
  return question === '' && text.includes('?') ? YES_OR_NO : ANY;
}

/** Returns the options of a poll: those that the prompt names, otherwise examples; none if it may ask for a survey. */
export function readChoices(brief: Brief): {
  readonly options: readonly string[];
  readonly areExamples: boolean;
} {
  const { text, lang } = brief;
  const question = readQuestion(brief);
  // Between the last two options, Spanish has "o".
  const entries = readEntries(lang === 'es' ? text.replace(/ [ou] (?=[^,]*$)/, ' or ') : text);
  const named = entries.map((entry) => capitalize(entry.replace(/^[¿¡]/, '')));
  const options = named.filter((option) => !question.replace(/^¿/, '').startsWith(option));
  if (options.length > 1) return { options, areExamples: false };
  return { options: examplesFor(brief, question)?.[lang].split(', ') ?? [], areExamples: true };
}
