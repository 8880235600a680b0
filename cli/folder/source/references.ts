/** Files whose text can refer to other files. */
const REFERS = /\.(?:[cm]?[jt]sx?|vue|svelte|css|html?)$/i;
const QUOTES = new Set(['"', "'", '`']);
const LONGEST = 300;
/** A URL in a style sheet may have no quotes. */
const BARE_URL = /url\(([^'"()\s]{1,300})\)/g;

export const canRefer = (path: string): boolean => REFERS.test(path);

/**
 * Returns what a file may refer to: every short quoted text in it, and every URL of a style sheet. These are more than its
 * imports, which is harmless: a text counts only if there is a file or package of this name. Comments and languages need no
 * parser then, and imports, `new URL`, globs, `<script src>` and `@import` no cases.
 */
export function referencesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    const quote = text[at] ?? '';
    if (!QUOTES.has(quote)) continue;
    // Every quote may begin a text: an apostrophe does not hide what follows it.
    const rest = text.slice(at + 1, at + 1 + LONGEST);
    const inside = rest.slice(0, Math.max(0, rest.indexOf(quote)));
    if (inside !== '' && !inside.includes('\n')) found.add(inside);
  }
  for (const [, url = ''] of text.matchAll(BARE_URL)) found.add(url);
  return found;
}

/** Returns the package that a reference can name, such as `@radix-ui/react-dialog` of `@radix-ui/react-dialog/dist`. */
export function packageIn(reference: string): string | undefined {
  return /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*(?=\/|$)/.exec(reference)?.[0];
}
