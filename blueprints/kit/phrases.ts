import type { Brief } from './types.ts';

// Words that come before the thing asked for: "please build me a…", "ich möchte einen…".
const REQUEST = new RegExp(
  `^(?:${[
    "hi|hello|hey|please|pls|kindly|can|could|would|will|you|i|i['’]?d|we|me|us|want|need|like|love|to(?! ?-?dos?\\b)|have|help|let['’]?s|let",
    'build|create|make|making|write|generate|design|develop|implement|code|program|give|show|get|put together|set up',
    'a|an|the|some|another|my|our|your|new|own|one',
    'erstelle?n?|baue?n?|mache?|schreibe?|entwickle|entwirf|gib|ich|möchte|brauche|will|hätte|gerne?|bitte|mir|uns|kannst|du|meine?[nmr]?|unsere?[nmr]?|eine?[nmr]?|de[nrm]|das|die',
    "crée[rz]?|fais|faites|génère|écris|je|veux|voudrais|j['’]aimerais|il|faut|moi|nous|mon|ma|mes|notre|nos|une?|les?|la|s['’]il|te|vous|plaît",
    'crea|crear|créame|haz|hazme|hacer|genera|escribe|diseña|quiero|quisiera|necesito|una?|unos|unas|el|los|las|mis?|por favor',
    'crie|cria|criar|faça|faz|fazer|gere|gera|escreva|desenvolva|quero|preciso|gostaria|uma?|os?|as|meus?|minhas?|eu|de(?= uma?(?!\\p{L}))',
  ].join('|')})(?![\\p{L}\\d'’])[\\s,:!]*`,
  'iu',
);

// Words that describe the manner, which a title omits.
const MANNER =
  /^(?:very|really|super|simple|small|basic|minimal(?:ist(?:ic)?)?|modern|clean|beautiful|nice|pretty|cool|responsive|elegant|stylish|dark|light|single[- ]page|one[- ]page|web[- ]based|interactive|(?:fully )?functional|working|sleek|professional|fancy|little|tiny|quick|good|great|awesome|classic|accessible|html5?|css|javascript|vanilla(?: js)?|typescript|react|node(?:\.?js)?|einfache[nrsm]?|schöne[nrsm]?|moderne[nrsm]?|kleine[nrsm]?|petite?|simples?|sencill[ao]|bonit[ao]|modern[ao]|pequeñ[ao]|pequen[ao]|red|green|blue|purple|pink|orange|yellow|teal|and|&)(?![\p{L}\d-])[\s,]*/iu;

// Where the noun phrase ends and its description begins.
const STOP =
  /[,.;:!?()\n"“”«»]|\s[-–—]\s|(?<!\p{L})(?:with|without|for|that|which|who|where|when|whose|using|to(?![- ]?dos?\b)|in|on|about|from|by|so|because|including|like|has|have|having|featuring|showing|based|mit|ohne|für|zum|zur|über|damit|avec|sans|pour|qui|sur|dans|con|sin|para|que|sobre|com|sem|em|called|named|titled|namens|llamad[oa]|chamad[oa]|appelée?)(?!\p{L})/iu;

const TOPIC = /(?<!\p{L})(?:for|about|on|of|für|über|zum|zur|pour|sur|para|sobre)\s+(?=\p{L}|\d)/iu;
const SMALL_WORDS =
  /^(?:a|an|and|as|at|but|by|for|in|of|on|or|the|to|und|der|die|das|von|et|de|du|des|la|le|y|e|à|en|em|do|da|dos|das|del|im|am|auf|nach|bei|aus|mit|für|con|com|pour|para|[dl]['’]\p{L}+|eine?[mnr]?|meine?[mnr]?|unsere?[mnr]?|zum|zur|un|una|el|l[eo]s|las|mis?|nuestr[oa]s?|une|mon|ma|mes|notre|nos|uma?|os?|meus?|minhas?|noss[oa]s?)$/iu;

const beforeStop = (text: string): string =>
  text.slice(0, text.search(STOP) < 0 ? undefined : text.search(STOP)).trim();

function strip(text: string, prefix: RegExp): string {
  const rest = text.replace(prefix, '');
  return rest === text ? text : strip(rest, prefix);
}

/** Returns a text without the words that come before what is meant: "please build me a", "our". */
export const withoutRequest = (text: string): string => strip(text.trimStart(), REQUEST);

/** Returns the noun phrase that a prompt asks for: "simple pomodoro timer" of "Build me a simple pomodoro timer with…". */
export function readHead(text: string): string {
  return beforeStop(withoutRequest(text));
}

const CONNECTIVE = /^\s*(?:for|about|of|für|über|zum|zur|pour|sur|para|sobre|d[eo])\s/iu;
/** "Our kitchen", "die Küche" and "Norway" are things of the caller; "a developer" could be any. */
const SPECIFIC =
  /^(?:(?:my|our|the|unser\p{L}*|mein\p{L}*|den|die|das|dem|mis?|nuestr[oa]s?|el|las?|los|mon|ma|mes|notre|nos|les?|(?:[oa]s? )?(?:meus?|minhas?|noss[oa]s?))(?!\p{L})|l['’])/iu;
const SPECIFIC_IN_PORTUGUESE = /^para [oa]s? /iu;
const PROPER = /^\p{Lu}/u;

/** Returns how the head phrase goes on if it names something of the caller, or ''. */
export function readPurpose(text: string): string {
  const rest = text.slice(text.indexOf(readHead(text)) + readHead(text).length);
  const [connective = ''] = CONNECTIVE.exec(rest) ?? [];
  const phrase = connective ? beforeStop(rest.slice(connective.length)) : '';
  const isSpecific = PROPER.test(phrase) || SPECIFIC.test(phrase) || SPECIFIC_IN_PORTUGUESE.test(rest.trim());
  const isOneOfMany = /^,? (?:(?:and|und|y|et|e) )?\p{Lu}/u.test(rest.slice(connective.length + phrase.length));
  return isSpecific && !isOneOfMany ? `${connective.trim()} ${phrase}` : '';
}

/** Returns what the first sentence says it is for or about: "coffee shop" of "a page for my coffee shop in Rome". */
export function readTopic(text: string): string {
  const sentence = text.split(/[.!?]\s|\n/)[0] ?? '';
  const start = TOPIC.exec(sentence);
  return start ? beforeStop(strip(sentence.slice(start.index + start[0].length), REQUEST)) : '';
}

/** Returns the phrase without leading words such as "simple", "modern" or "dark". */
export const withoutManner = (phrase: string): string => strip(phrase, MANNER) || phrase;

const PLACE =
  /(?<!\p{L})(?:in|aus|en|à|em) (?!(?:React|Vue|Svelte|Angular|Type|Java|HTML|CSS|Tailwind|Python|English|German|French|Spanish|Portuguese))(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]*){0,2})/u;

/** Returns the place that a prompt names: "Lagos" of "a designer in Lagos"; '' if there is none. */
export const readPlace = (text: string): string => PLACE.exec(text)?.[1] ?? '';

/** Returns the text with a capital first letter. */
export const capitalize = (text: string): string => text.replace(/^\p{Ll}/u, (first) => first.toUpperCase());

/**
 * Returns a phrase as a title, or '' when it is too long (over `most` words or 48 characters). Only English titles have
 * capitals.
 * @param language BCP 47 tag of the phrase
 */
export function toTitle(phrase: string, language: string, most = 6): string {
  const words = withoutManner(phrase).split(/\s+/).filter(Boolean);
  const isSmall = (word: string) => language !== 'en' || SMALL_WORDS.test(word);
  const title = words.map((word, at) => (at > 0 && isSmall(word) ? word : capitalize(word))).join(' ');
  return words.length > most || title.length > 48 || !/[\p{L}\p{N}]/u.test(title) ? '' : title;
}

/** Cuts a text at the end of a word to at most `limit` code points, with an ellipsis. */
export function shorten(text: string, limit: number): string {
  const points = Array.from(text.replace(/\s+/g, ' ').trim());
  if (points.length <= limit) return points.join('');
  const cut = points.slice(0, limit - 1).join('');
  return `${cut.slice(0, cut.lastIndexOf(' ') > limit / 2 ? cut.lastIndexOf(' ') : undefined)}…`;
}

/** Returns a name for identifiers and URLs: lower-case ASCII words joined by hyphens, or `fallback`. */
export function slug(text: string, fallback: string): string {
  const ascii = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return (
    ascii
      .match(/[a-z0-9]+/g)
      ?.join('-')
      .slice(0, 40)
      .replace(/-$/, '') || fallback
  );
}

/**
 * Returns the project's name: the one in the prompt, else the head phrase if it contains `noun`, else `fallback`. A head phrase
 * goes on with its purpose, "Kanban for Our Kitchen", or gives way to it if that is too long.
 */
export function titleOf(
  {
    name,
    head,
    purpose = '',
    promptLang,
  }: Pick<Brief, 'name' | 'head' | 'promptLang'> & Partial<Pick<Brief, 'purpose'>>,
  noun: RegExp,
  fallback: string,
): string {
  const phrase = withoutManner(head).replace(
    /[\s-]+(?:(?:web|mobile|browser)[\s-]*)?(?:app(?:lication)?|tool|program|widget|website)$/i,
    '',
  );
  if (name || !noun.test(phrase)) return name || fallback;
  const alone = strip(purpose.replace(CONNECTIVE, ''), REQUEST);
  const withPurpose = purpose && (toTitle(`${phrase} ${purpose}`, promptLang, 8) || toTitle(alone, promptLang));
  return withPurpose || toTitle(phrase, promptLang) || fallback;
}
