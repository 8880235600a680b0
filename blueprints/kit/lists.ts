import { shorten } from './phrases.ts';

const BULLET = /^\s*(?:[-*•–+]|\d{1,2}[.)])\s+(.+)$/;
const MAX_ENTRIES = 24;
const MAX_LENGTH = 80;

const tidy = (entry: string): string =>
  shorten(entry.replace(/^(?:and|und|et|y|e|or)\s+/i, '').replace(/^["'“”‘’«»\s]+|["'“”‘’«»\s.,;]+$/g, ''), MAX_LENGTH);

function finish(entries: readonly string[]): string[] {
  return [...new Set(entries.map(tidy))].filter((entry) => /[\p{L}\p{N}]/u.test(entry)).slice(0, MAX_ENTRIES);
}

// The conjunctions before the last entry of a list. The Spanish "o" is missing: in Portuguese it is an article.
const AND = '(?:and|und|sowie|et|y|e|or|oder|ou|&)';
const AND_FIRST = new RegExp(`^${AND}\\s`, 'iu');
const AND_INSIDE = new RegExp(`^(.+?)\\s+${AND}\\s+(.+)$`, 'iu');
/** How the sentence goes on after a list: "…, I want to drag cards", "…, auf dem ich Karten verschiebe". */
const CLAUSE =
  /^(?:and |und |y |et |e )?(?:I|we|you|it|they|each|all|everyone|so|where|which|that|who|with|but|please|make|ich|wir|man|jede[rsn]?|auf|in|bei|damit|mit|aber|bitte|yo|quiero|donde|dónde|para|con|pero|cada|por favor|je|on|où|avec|pour|mais|chacun|eu|quero|onde|com|mas)(?!\p{L})/u;
/** A relative clause within the last entry: "Done where I move cards". */
const RELATIVE =
  /\s(?:where|which|that I|that we|so (?:that )?(?:I|we)|(?:I|we) (?:can|want|need|move)|(?:in|on|between) which|wo(?:hin)?|auf de[mnr]|in de[mnr]|damit|donde|en (?:el|la|los|las) que|para que|où|(?:sur|dans) l[ae]quel|onde|em que|n[oa] qual)(?!\p{L}).*$/iu;
const ADDITION =
  /\s(?:with|for|to|in|on|as|from|using|mit|für|zum|zur|zu|als|con|para|en|avec|pour|à|com|em|no|na)\s.*$/iu;
const lengthOf = (entry: string): number => entry.split(' ').length;

/** Returns how many of the parts between commas belong to the list: up to the conjunction, or to the next clause. */
function lengthOfList(parts: readonly string[]): number {
  const clause = parts.findIndex((part, at) => at > 0 && CLAUSE.test(part));
  const own = clause < 0 ? parts : parts.slice(0, clause);
  const joins = own.map((part) => AND_FIRST.test(part) || AND_INSIDE.test(part));
  const last = joins.findIndex((join, at) => at > 0 && join && (!joins[at + 1] || AND_FIRST.test(own[at + 1] ?? '')));
  return last < 0 ? own.length : last + 1;
}

/**
 * Splits "milk, eggs and bread" into its entries. What follows the list in the sentence is left out: ", I want to tick them"
 * and "Done where I move cards".
 */
export function splitList(text: string): string[] {
  const parts = text.split(/\s*[,;|]\s*/);
  const own = parts.slice(0, lengthOfList(parts));
  const end = (own.at(-1) ?? '').replace(RELATIVE, '');
  const [, first = end, second = ''] = AND_FIRST.test(end) ? [] : (AND_INSIDE.exec(end) ?? []);
  const entries = [...own.slice(0, -1), first, second].filter(Boolean);
  const longest = Math.max(...entries.slice(0, -1).map(lengthOf), 1);
  const last = entries.at(-1) ?? '';
  const isTooLong = entries.length > 1 && lengthOf(last) > longest + 1;
  return finish([...entries.slice(0, -1), isTooLong ? last.replace(ADDITION, '') : last]);
}

/** "To do / doing / done" is a list too. */
const withCommas = (text: string): string => text.replace(/ [/|] (?=\p{L})/gu, ', ');

/** Returns the bullet lines below the first line that names a label, or undefined. */
function bullets(lines: readonly string[], label: RegExp): string[] | undefined {
  const from = lines.findIndex(
    (line, at) => BULLET.test(lines[at + 1] ?? '') && label.test(line) && !BULLET.test(line),
  );
  if (from < 0) return undefined;
  const after = lines.slice(from + 1);
  const end = after.findIndex((line) => !BULLET.test(line));
  const entries = after.slice(0, end < 0 ? undefined : end).map((line) => BULLET.exec(line)?.[1] ?? '');
  return entries.filter(isFeature).length * 2 >= entries.length ? [] : finish(entries);
}

/**
 * Returns the entries that a prompt lists under one of the labels: "items: a, b and c", "with the items a, b",
 * or bullet or numbered lines below a line that names a label.
 * @param labels a regular expression source, such as `items|tasks`
 */
export function readList(prompt: string, labels: string): string[] {
  const text = withCommas(prompt);
  const label = new RegExp(`(?<![\\p{L}-])(?:${labels})(?!\\p{L})`, 'iu');
  const listed = bullets(text.split('\n'), label);
  if (listed) return listed;
  const introduced = new RegExp(
    `${label.source}(?: ?(?::|such as|like|including|include|are|sind|son|sont|são|named|called|wie|como|comme|[-–—])| [^.:,;\\n]{1,60}:) ?([^.\\n]+)`,
    'iu',
  ).exec(text)?.[1];
  const bare = new RegExp(
    `(?:with|containing|and|mit|con|avec|com)(?: the| these| den| las?| los| les| os| as)? ${label.source} ([^.;\\n]*,[^.;\\n]+)`,
    'iu',
  ).exec(text)?.[1];
  const slashed = new RegExp(`${label.source} ([^.;,\\n/]+(?: / [^.;,\\n/]+)+)`, 'iu').exec(prompt)?.[1];
  const entries = introduced ?? bare ?? (slashed && withCommas(slashed)) ?? '';
  // A semicolon separates entries, but ends a list that has commas.
  const own = entries.includes(',') ? entries.replace(/;.*$/, '') : entries;
  return splitList(own.replace(/ (?:(?:with|in an?|using) |and [\p{L} ]{2,20}:).*$/iu, ''));
}

const PREPOSITION =
  '(?:with|for|between|among|mit|für|zwischen|con|para|entre|avec|pour|com|por)(?: (?:the|den|die|las?|los|les|os|as))?';
const AFTER_PREPOSITION = new RegExp(
  `(?<!\\p{L})${PREPOSITION} ((?:(?!(?<!\\p{L})${PREPOSITION} )[^.,;:\\n]){1,40},[^.;:\\n]+)`,
  'giu',
);
const WORDS_OF_A_NAME = 4;

/**
 * Returns the entries of a list that has no label: "packing list for Norway: tent, boots", "hábitos para meditar, correr y
 * leer". A list that has features among its entries describes the project; it has none.
 */
export function readEntries(prompt: string): string[] {
  const text = withCommas(prompt);
  const introduced = Array.from(text.matchAll(/(?<=\p{L}{2})\s?[:?] ([^\n.?]+)/gu), ([, list = '']) => splitList(list));
  const others = Array.from(text.matchAll(AFTER_PREPOSITION), ([, list = '']) => splitList(list));
  const lists = [
    ...introduced,
    ...others.filter((entries) => entries.length > 2 && entries.every((entry) => lengthOf(entry) <= WORDS_OF_A_NAME)),
  ];
  return lists.find((entries) => entries.length > 1 && !entries.some(isFeature)) ?? [];
}

/** Words of prompts for features of a project, by language; `*` stands for the end of a word. */
const FEATURES = [
  'users?|it|must|should|can|supports?|uses?|allow*|add(?:ing|s)?|mark(?:ing|s)?|delet*|edit*|filter*|sav(?:e|es|ing)|persist*|stor(?:e|es|age)|responsive|dark|light|display*|include*|local ?storage|keyboard|drag*|ability|option*',
  'search*|sort(?:ing|able)?|exports?|imports?|print(?:ing|able)?|undo|history|stats|statisti*|charts?|graphs?|reminders?|notifi*|streaks?|progress|sounds?|animat*|offline|mobile|login|priorit*|tags?|labels?|categor*|due dates?|deadlines?|calendar|(?:high ?)?scores?|levels|leaderboard|buttons?|images|pictures|contact form|testimonials|pricing|totals?|colou?rs?|themes?|swim ?lanes|avatars|comments|attachments|swipe|arrow keys|big|large|smooth',
  'such(?:e|en|funktion)|sortier*|dunk(?:el|le)*|druck*|statistik*|diagramm*|grafik*|erinnerung*|benachricht*|fortschritt*|farb*|bilder|kategorien|serien|speicher*|zähl*|anzeig*|punktestand|fälligkeit*',
  'b[uú]s[qc]*|ordena*|oscur*|imprimir|estad[ií]sti*|gráfic*|recordatori*|notific*|rachas?|progreso|colores|imágenes|etiquetas|prioridad*|fechas|puntuaci*|niveles|modo|guardar',
  'recherche|tri|sombre|graphi*|rappels?|séries|progression|couleurs|étiquettes|échéances?|niveaux|mode|sauvegard*|enregistr*',
  'pesquisa*|escuro|lembretes?|sequências?|cores|etiquetas|prazos?|pontua*|níveis|salvar',
];
/** A few words before it: "a dark", "CSV". */
const BEFORE = '(?:an? |the |eine?[mnr]? |una? |une? |uma |\\p{L}+ (?=exports?|modes?|themes?|charts?|graphs?|form))?';
const FEATURE = new RegExp(`^${BEFORE}(?:${FEATURES.join('|').replaceAll('*', '\\p{L}*')})(?!\\p{L})`, 'iu');

/** Whether an entry of a list, such as "users can filter tasks", asks for a feature: it is not an entry of the project. */
export const isFeature = (entry: string): boolean => FEATURE.test(entry);
