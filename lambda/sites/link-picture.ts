/** A page with a picture for links to it, which messengers and social networks show. */
interface LinkPicture {
  readonly html: string;
  /** The line of the tag that was added, from 1. */
  readonly line: number;
}

const END_OF_HEAD = /<\/head\s*>/i;
/** Where the tag goes in a page without the end of a head: after the first of these. */
const BEFORE_IT = [/<head(?:\s[^<>]*)?>/i, /<\/title\s*>/i, /<!doctype[^<>]*>/i];

/**
 * Returns a page with a line for the picture of links to it (https://ogp.me), or undefined if the page has one.
 * @param url absolute, of the picture
 */
export function withLinkPicture(html: string, url: string): LinkPicture | undefined {
  if (/\bog:image\b/i.test(html)) return undefined;
  const tag = `<meta property="og:image" content="${url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`;
  const newline = html.includes('\r\n') ? '\r\n' : '\n';
  const { at, text } = lineOf(html, tag, newline);
  const line = (html.slice(0, at) + text.slice(0, text.indexOf(tag))).split('\n').length;
  return { html: html.slice(0, at) + text + html.slice(at), line };
}

/** Returns where to insert which text, so that the tag has a line of its own. */
function lineOf(html: string, tag: string, newline: string): { readonly at: number; readonly text: string } {
  const end = END_OF_HEAD.exec(html)?.index;
  if (end === undefined) {
    const found = BEFORE_IT.map((pattern) => pattern.exec(html)).find((match) => match !== null);
    return found
      ? { at: found.index + found[0].length, text: `${newline}${tag}` }
      : { at: 0, text: `${tag}${newline}` };
  }
  const start = html.lastIndexOf('\n', end) + 1;
  if (html.slice(start, end).trim() !== '') return { at: end, text: `${newline}${tag}${newline}` };
  const before = html.lastIndexOf('\n', start - 2) + 1;
  const [indent] = /^[ \t]*/.exec(html.slice(before, start)) ?? [''];
  return { at: start, text: `${indent}${tag}${newline}` };
}
