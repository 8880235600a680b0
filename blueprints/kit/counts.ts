// The numerals of prompts, in the languages that they come in; the first row is one.
const NUMERALS = [
  'one|single|eine?[mnr]?|una?|uno|une|uma?',
  'two|both|zwei|dos|deux|dois|duas',
  'three|drei|tres|trois|três',
  'four|vier|cuatro|quatre|quatro',
  'five|fünf|cinco|cinq',
  'six|sechs|seis',
  'seven|sieben|siete|sept|sete',
  'eight|acht|ocho|huit|oito',
  'nine|neun|nueve|neuf|nove',
  'ten|zehn|diez|dix|dez',
];
/** A regular expression source. */
export const NUMBER = `(\\d{1,3}|${NUMERALS.join('|')})`;

/**
 * Returns how many of something a prompt asks for: 3 of "a form with three short pages"; 0 if it does not say.
 * @param nouns a regular expression source, such as `pages?|seiten`
 */
export function readCount(text: string, nouns: string): number {
  const found = new RegExp(`(?<![\\p{L}\\d])${NUMBER}[ -](?:\\p{L}+ )?(?:${nouns})(?!\\p{L})`, 'iu').exec(text)?.[1];
  if (!found) return 0;
  const numeral = NUMERALS.findIndex((names) => new RegExp(`^(?:${names})$`, 'iu').test(found));
  return Number(found) || numeral + 1;
}

export const PLAYERS =
  'players?|spielern?|jugador(?:es)?|joueur(?:s|euses)?|jogador(?:es)?|people|friends|personas|personen';
export const PAGES =
  'pages?|steps?|screens?|parts?|sections?|seiten?|schritten?|teilen?|páginas?|pasos?|pantallas?|partes?|étapes?|écrans?|etapas?|passos?|telas?';

const NOUNS =
  /(?<!\p{L})(?:to-?dos?(?: lists?)?|tasks?|books?|notes?|movies?|films?|recipes?|expenses?|users?|customers?|products?|orders?|contacts?|events?|bookmarks?|posts?|articles?|songs?|plants?|habits?|links?|projects?|tickets?|invoices?|students?|employees?|pets?|cars?|messages?|comments?|reviews?|words)(?!\p{L})/iu;

/** Returns the plural of what a prompt wants to store ("books" of "a REST API for my book collection"), or `fallback`. */
export function readNoun(text: string, fallback: string): string {
  const found = NOUNS.exec(text)?.[0]?.toLowerCase();
  if (!found) return fallback;
  if (/^to-?do/.test(found)) return 'todos';
  return found.endsWith('s') ? found : `${found}s`;
}
