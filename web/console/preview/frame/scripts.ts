import { parse } from 'es-module-lexer/js';
import { readCss } from '../../../../lambda/sites/references/css.ts';
import type { Span } from '../../../../lambda/sites/references/css-tokens.ts';

/** The global with what rewritten scripts call. */
export const GLOBAL = '__preview';

/**
 * Assignments and calls that leave the page. Nothing can intercept those, since `location` cannot be replaced: they get an object
 * with the same members. A variable that is called `location` is left alone.
 */
const LEAVES =
  /(?<![\w$.])(?:(?:window|self|globalThis|document)\.location(?=\s*=[^=>])|(?:(?:window|self|globalThis|document)\.)?location(?=\.href\s*=[^=]|\.(?:assign|replace|reload)\()|(?<=^|[;{}]\s*)location(?=\s*=\s*["'`]))/gm;

/**
 * Reads of the path of a location, which is not that of the page: `location.pathname`, and `{ pathname } = other || window.location`. Other
 * objects of this name stay what they are.
 */
const READS =
  /(?<![\w$.])((?:[\w$]+\.)?location)(?=\.(?:pathname|href)\b(?!\s*=[^=]))|(?<=\}\s{0,9}=\s{0,9}(?:[\w$]{1,40}\s{0,9}\|\|\s{0,9})?)([\w$]+\.location)\b(?!\s*[.=([])/g;

/**
 * Returns a script that runs from a `blob:` URL as it would from its own: with absolute specifiers, which the import map of the
 * page resolves, and its URL in `import.meta.url` and in errors. Lines stay where they are.
 * @param url of the script, or of the page that it is in
 * @param resolve returns the absolute URL of a specifier, or undefined for a bare one and for other origins
 */
export function rewriteScript(text: string, url: string, resolve: (specifier: string) => string | undefined): string {
  let rewritten = '';
  let end = 0;
  const replace = (from: number, to: number, by: string) => {
    rewritten += text.slice(end, from) + by;
    end = to;
  };
  for (const { n: name, s, e, d } of importsOf(text)) {
    if (s < end) continue;
    if (d === -2) {
      if (text.startsWith('.url', e)) replace(s, e + '.url'.length, JSON.stringify(url));
    } else if (name === undefined) {
      const expression = text.slice(s, e);
      if (d > -1) replace(s, e, `${GLOBAL}.resolve(${expression},${JSON.stringify(url)})`);
    } else {
      const absolute = resolve(name);
      // The positions of a dynamic import include the quotes.
      if (absolute !== undefined) replace(s, e, d > -1 ? JSON.stringify(absolute) : absolute);
    }
  }
  return located(stay(rewritten + text.slice(end)));
}

/** Returns code with the preview's `location` where it leaves the page. */
export const stay = (code: string): string => code.replace(LEAVES, `${GLOBAL}.location`);

/** Returns code with the preview's `location` where it reads the path. Workers have none, and keep theirs. */
export const located = (code: string): string => code.replace(READS, `(self.${GLOBAL}?.at??Object)($1$2)`);

function importsOf(text: string) {
  try {
    return parse(text)[0];
  } catch {
    // The browser says what is wrong with it.
    return [];
  }
}

/** Returns a text with its URLs replaced; undefined keeps one. */
export function replaceUrls(
  text: string,
  spans: readonly Span[],
  replacement: (url: string) => string | undefined,
): string {
  let rewritten = '';
  let end = 0;
  for (const span of spans) {
    const url = replacement(text.slice(span.start, span.end));
    if (url === undefined) continue;
    rewritten += text.slice(end, span.start) + url;
    end = span.end;
  }
  return rewritten + text.slice(end);
}

/** Returns a style sheet with the URLs in `url()`, `@import` and `image-set()` replaced. */
export const replaceCssUrls = (css: string, replacement: (url: string) => string | undefined): string =>
  replaceUrls(css, readCss(css).urls, replacement);
