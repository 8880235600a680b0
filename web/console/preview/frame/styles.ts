import type { Span } from '../../../../lambda/sites/references/css.ts';
import { readCss } from '../../../../lambda/sites/references/css.ts';

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
