import { readAccent, readTheme } from '../kit/palette.ts';
import { readHead, readPurpose, readTopic, shorten } from '../kit/phrases.ts';
import { type Brief, LANGUAGES } from '../kit/types.ts';
import { readInterface, readLanguage } from './read-language.ts';

const MAX_NAME = 60;

const QUOTED = /["“”«»„]\s*([^"“”«»„\n]{2,60}?)\s*["“”«»„]|(?<!\p{L})['‘]([^'‘’\n]{2,60})['’](?!\p{L})/gu;
const CALLED =
  /(?<!\p{L})(?:called|named|titled|entitled|by the name of|title:|name:|namens|genannt|heißt|heissen|heißen|se llama|s['’]appelle|(?:se )?chama(?:-se)?|mit dem (?:titel|namen)|appelée?|nommée?|intitulée?|llamad[oa]|titulad[oa]|chamad[oa]|intitulad[oa]|com o (?:nome|título)|con el (?:nombre|título))\s+/iu;
const NAME_END =
  /[,;:!?\n"“”«»]|\.(?:\s|$)|\s(?:[-–—]\s|(?:with|that|which|for|using|where|in|on|en|em|mit|für|avec|pour|con|com|para)\s)/iu;

/** Normalizes a prompt: no lone surrogates, no control characters but line feeds; emoji keep their joiners. */
function clean(prompt: string): string {
  return prompt
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n\u200d]/gu, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}

function readName(text: string): { readonly name: string; readonly request: string } {
  const called = CALLED.exec(text);
  if (called) {
    const rest = text.slice(called.index + called[0].length);
    const quoted = rest.matchAll(QUOTED).next().value;
    const unquoted = rest.slice(0, rest.search(NAME_END) < 0 ? undefined : rest.search(NAME_END));
    const [written, name] =
      quoted?.index === 0 ? [quoted[0], quoted[1] ?? quoted[2] ?? ''] : [unquoted, unquoted];
    return {
      name: shorten(name, MAX_NAME),
      request: text.slice(0, called.index) + rest.slice(written.length),
    };
  }
  const quotes = [...text.matchAll(QUOTED)];
  const only = quotes.length === 1 ? quotes[0] : undefined;
  if (!only) return { name: '', request: text };
  return { name: shorten(only[1] ?? only[2] ?? '', MAX_NAME), request: text.replace(only[0], ' ') };
}

/** Extracts from a prompt what every kind can use. Never throws: a prompt may be any text. */
export function readPrompt(prompt: string): Brief {
  const text = clean(prompt);
  const named = readName(text);
  const asked = readInterface(named.request);
  const request = asked?.request ?? named.request;
  const promptLang = readLanguage(named.request);
  return {
    text,
    request,
    name: named.name,
    head: readHead(request),
    purpose: readPurpose(request),
    topic: readTopic(request),
    lang: asked?.lang ?? LANGUAGES.find((language) => language === promptLang) ?? 'en',
    promptLang,
    theme: readTheme(request),
    accent: readAccent(request),
    pictures: [],
  };
}
