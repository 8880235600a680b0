import { languageNamed } from '../kit/languages.ts';
import { readAccent } from '../kit/palette.ts';
import type { Language } from '../kit/types.ts';

/** One thing that a prompt asks to change. */
export type Edit =
  | { readonly type: 'title' | 'heading'; readonly to: string }
  | { readonly type: 'accent'; readonly color: string }
  | { readonly type: 'theme'; readonly theme: 'dark' | 'light' | 'auto' }
  | { readonly type: 'text'; readonly from: string; readonly to: string }
  | { readonly type: 'language'; readonly language: Language }
  | { readonly type: 'add'; readonly items: readonly string[]; readonly after: string | undefined }
  | { readonly type: 'remove'; readonly items: readonly string[] };

const QUOTED = /["“”„«]\s*([^"“”„«»\n]{1,200}?)\s*["“”»]|(?<!\p{L})['‘]([^'‘’\n]{1,200}|[^‘\n]{1,200}?)['’](?!\p{L})/gu;
/** A quoted text is replaced with its number, so that its words and commas mean nothing. */
const Q = '⟦(\\d+)⟧';
/** Longer parts of a prompt are no simple edits. */
const LONGEST = 300;
const LISTED = '((?:⟦\\d+⟧(?:,? and |, ?)?)+)';
const LIST =
  '(?:(?:the|my|this) )?(?:\\w+ )?(?:list|entries|items|tasks|cards|columns|habits|tracks|board|playlist|skills)';
const ITEM =
  '(?:(?:the|an?|another|new|more|two|three) )*(?:items?|entry|entries|tasks?|to-?dos?|cards?|columns?|habits?|tracks?|songs?|points?|skills?)? ?:? ?';
const PAGE = '(?:it|this|(?:the|this|my) (?:page|site|website|app|project|list|board|game|interface))';

const rule = (source: string) => new RegExp(`^(?:${source})$`, 'iu');
const SET = '(?:change|set|update|make|rename)';
const REPLACE = rule(`(?:replace|change|rename|turn) (?:the )?(?:\\w+ )?${Q} (?:with|by|to|into) ${Q}`);
const TITLE = rule(
  `(?:${SET} )?(?:the |its |page )*(?:title|name)(?: of ${PAGE})?(?: (?:to|as|be|should be) |: ?)(.+)|(?:rename|call|name|title) ${PAGE}(?: to| as)? (.+)`,
);
const HEADING = rule(`(?:${SET} )?the (?:main |page )?(?:heading|headline|h1)(?: (?:to|be|should be) |: ?)(.+)`);
const LANGUAGE = rule(
  `(?:(?:translate|switch|change|put|make|show|write)(?: ${PAGE}| everything| the texts?)? )?(?:the )?(?:language )?(?:in|into|to|auf|en|em) (\\p{L}+)`,
);
const ADD = rule(`add ${ITEM}${LISTED}(?: (?:to|in) ${LIST})?(?: after ${Q})?|add ${ITEM}([\\p{L}\\d -]+?) to ${LIST}`);
const REMOVE = rule(
  `(?:remove|delete|drop) ${ITEM}${LISTED}(?: from ${LIST})?|(?:remove|delete|drop) ${ITEM}([\\p{L}\\d -]+?) from ${LIST}`,
);
/** Words around a color or a theme. */
const AROUND =
  /(?<![\p{L}#])(?:make|use|change|set|switch|turn|give|pick|it|its|the|this|my|whole|page|site|app|(?<=(?:dark|light) )background|to|into|as|an?|of|in|with|for|by|default|accents?|main|primary|colou?rs?|themed?|mode|design|look|scheme|buttons?|be|should)(?!\p{L})/giu;
const SHADE = /^(?:light|dark|sky|navy|bright|deep|pale)$/;
const POLITE = /^(?:(?:please|also|now|then|and|can you|could you|i want (?:you )?to|just|let's) )+|,? please$/giu;

/** Returns the edits that a prompt asks for, or the first part of it that is not understood. */
export function readEdits(prompt: string): readonly Edit[] | string {
  const quotes: string[] = [];
  const text = prompt.trim().replace(QUOTED, (_, double?: string, single?: string) => {
    quotes.push(double ?? single ?? '');
    return `⟦${quotes.length - 1}⟧`;
  });
  const unquoted = (part: string) => part.replace(/⟦(\d+)⟧/g, (_, n) => quotes[Number(n)] ?? '').trim();
  const listed = (part: string) => Array.from(part.matchAll(/⟦\d+⟧/g), ([quote]) => unquoted(quote));
  const edits: Edit[] = [];
  for (const sentence of text.split(/[.;!\n]+(?:\s+|$)|,?\s+(?:and|then)\s+(?!⟦)|,\s*(?!⟦|and )/)) {
    const part = sentence.trim().replace(POLITE, '');
    if (part === '') continue;
    const edit = readEdit(part, unquoted, listed);
    if (edit === undefined) return unquoted(part);
    edits.push(edit);
  }
  // A translation starts from the unchanged starter.
  const first = (edit: Edit) => Number(edit.type !== 'language');
  return edits.length > 0 ? edits.toSorted((a, b) => first(a) - first(b)) : prompt;
}

function readEdit(
  part: string,
  unquoted: (part: string) => string,
  listed: (part: string) => string[],
): Edit | undefined {
  // Also bounds the time that the patterns take.
  if (part.length > LONGEST) return undefined;
  const replace = REPLACE.exec(part);
  if (replace) return { type: 'text', from: unquoted(`⟦${replace[1]}⟧`), to: unquoted(`⟦${replace[2]}⟧`) };
  const heading = HEADING.exec(part)?.[1];
  if (heading) return { type: 'heading', to: unquoted(heading) };
  const language = languageNamed(LANGUAGE.exec(part)?.[1] ?? '');
  if (language) return { type: 'language', language };
  const title = TITLE.exec(part);
  if (title) return { type: 'title', to: unquoted(title[1] ?? title[2] ?? '') };
  const add = ADD.exec(part);
  if (add) {
    const after = add[2] === undefined ? undefined : unquoted(`⟦${add[2]}⟧`);
    return { type: 'add', items: add[1] ? listed(add[1]) : [add[3] ?? ''], after };
  }
  const remove = REMOVE.exec(part);
  if (remove) return { type: 'remove', items: remove[1] ? listed(remove[1]) : [remove[2] ?? ''] };
  return readStyle(part.replace(AROUND, ' ').trim().toLowerCase().split(/\s+/));
}

/** Reads what is left of "use … as the accent color" or of "make it …". */
function readStyle([first = '', second, ...others]: readonly string[]): Edit | undefined {
  if (others.length > 0 || first.includes('⟦')) return undefined;
  if (second === undefined && (first === 'dark' || first === 'light')) return { type: 'theme', theme: first };
  if (second !== undefined && !SHADE.test(first)) return undefined;
  const color = readAccent(`accent ${first}`) || readAccent(`accent ${second ?? first}`);
  const both = second === undefined ? color : readAccent(`accent ${first} ${second}`) || color;
  return both === '' ? undefined : { type: 'accent', color: both };
}
