import { readAccent, readTheme } from '../kit/palette.ts';
import { readHead, readTopic, shorten } from '../kit/phrases.ts';
import type { Brief } from '../kit/types.ts';

const MAX_NAME = 60;

const QUOTED = /["“”«»„]\s*([^"“”«»„\n]{2,60}?)\s*["“”«»„]|(?<!\p{L})['‘]([^'‘’\n]{2,60})['’](?!\p{L})/gu;
const CALLED =
  /(?<!\p{L})(?:called|named|titled|entitled|by the name of|title:|name:|namens|genannt|mit dem (?:titel|namen)|appelée?|nommée?|intitulée?|llamad[oa]|titulad[oa])\s+/iu;
const NAME_END =
  /[,;:!?\n"“”«»]|\.(?:\s|$)|\s(?:[-–—]\s|(?:with|that|which|for|using|where|in|on|mit|für|avec|pour|con|para)\s)/iu;

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

const LANGUAGES: Readonly<Record<string, RegExp>> = {
  de: /(?<!\p{L})(?:ich|und|mit|für|eine?[nr]?|der|die|das|erstelle|bitte|mir|über|zum|zur|nicht)(?!\p{L})/giu,
  fr: /(?<!\p{L})(?:je|et|avec|pour|une?|le|les|des|du|crée|moi|sur|veux|est)(?!\p{L})/giu,
  es: /(?<!\p{L})(?:quiero|y|con|para|una?|el|los|las|del|crea|haz|sobre|mi|de)(?!\p{L})/giu,
  en: /(?<!\p{L})(?:the|and|with|for|an?|build|make|create|please|me|that|about|of|to|my)(?!\p{L})/giu,
};
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  zh: /\p{Script=Han}/u,
  ko: /\p{Script=Hangul}/u,
  ar: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
  ru: /\p{Script=Cyrillic}/u,
};

function readLanguage(text: string): string {
  const script = Object.entries(SCRIPTS).find(([, letters]) => letters.test(text));
  if (script && !/[a-z]{3}/i.test(text)) return script[0];
  const counts = Object.entries(LANGUAGES).map(
    ([lang, words]) => [lang, text.match(words)?.length ?? 0] as const,
  );
  const [lang, count] = counts.sort((a, b) => b[1] - a[1])[0] ?? ['en', 0];
  const english = counts.find(([name]) => name === 'en')?.[1] ?? 0;
  return count >= 2 && count > english ? lang : 'en';
}

/** Extracts from a prompt what every kind can use. Never throws: a prompt may be any text. */
export function readPrompt(prompt: string): Brief {
  const text = clean(prompt);
  const { name, request } = readName(text);
  return {
    text,
    request,
    name,
    head: readHead(request),
    topic: readTopic(request),
    lang: readLanguage(request),
    theme: readTheme(request),
    accent: readAccent(request),
  };
}
