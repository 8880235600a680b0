import { LANGUAGES, type Language } from './types.ts';

/** The names of the languages of interface texts in these languages, as sources of regular expressions. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'english|englisch\\p{L}*|inglés|anglais|inglês',
  de: 'german|deutsch\\p{L}*|alem[áa]n|allemand|alemão',
  es: 'spanish|spanisch\\p{L}*|español|espagnol|espanhol',
  fr: 'french|französisch\\p{L}*|francés|français|francês',
  pt: 'portuguese|portugiesisch\\p{L}*|portugués|portugais|português',
};

/** Returns the first language that a text names, other than `except`, or undefined. */
export const languageNamed = (text: string, except?: Language): Language | undefined =>
  LANGUAGES.find(
    (language) =>
      language !== except && new RegExp(`(?<!\\p{L})(?:${LANGUAGE_NAMES[language]})(?!\\p{L})`, 'iu').test(text),
  );
