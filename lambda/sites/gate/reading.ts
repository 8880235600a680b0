import { NEEDED_WORDS } from './brands.ts';
import type { Findings, Target } from './findings.ts';
import { foreignUrl } from './hosts.ts';
import { unescapePercent } from './literals.ts';
import { wordsOf } from './words.ts';

/** The most that is read, so that the work on any site is bounded. */
type Amounts = Record<'text' | 'fields' | 'urls' | 'nested', number>;

/** The amounts for all files together. */
const SHARED: Amounts = {
  /** Characters of texts that may be claims. */
  text: 1_000_000,
  fields: 10_000,
  urls: 20_000,
  /** Characters of pages and scripts that were encoded, or are strings of others. */
  nested: 6_000_000,
};

/** The amounts for each file, even if the others have used up the shared ones. */
const OWN: Amounts = { text: 5_000, fields: 50, urls: 100, nested: 100_000 };

class Budget {
  readonly #shared = { ...SHARED };
  #own = { ...OWN };

  nextFile(): void {
    this.#own = { ...OWN };
  }

  /** Returns whether there is enough left, and takes it. */
  take(kind: keyof Amounts, amount: number): boolean {
    const left = [this.#shared, this.#own].find((one) => one[kind] >= amount);
    if (left) left[kind] -= amount;
    return left !== undefined;
  }
}

/** The cost of a call, in characters. */
const CALL = 300;

type Read = (text: string, into: Findings, reading: Reading, depth: number) => void;

/** How many encodings and strings a part may be in. */
const DEEPEST = 4;

/** The state that the readers of pages and scripts share while they read a site. */
export class Reading {
  readonly budget = new Budget();
  readonly #ownHosts: readonly string[];
  readonly #read: { readonly page: Read; readonly script: Read };

  constructor(ownHosts: readonly string[], read: { readonly page: Read; readonly script: Read }) {
    this.#ownHosts = ownHosts;
    this.#read = read;
  }

  /** Reads a page that is part of another page or of a script. */
  page(html: string, into: Findings, depth: number): void {
    if (depth < DEEPEST && this.budget.take('nested', html.length + CALL)) this.#read.page(html, into, this, depth + 1);
  }

  /** Reads a script that the page has between its tags. */
  inline(code: string, into: Findings, depth: number): void {
    if (code.length > 5 && this.budget.take('nested', CALL)) this.#read.script(code, into, this, depth);
  }

  /** Reads a script that was encoded, or that is an attribute. */
  script(code: string, into: Findings, depth: number): void {
    if (depth < DEEPEST && this.budget.take('nested', code.length + CALL))
      this.#read.script(code, into, this, depth + 1);
  }

  /** Reads a page or a script in a `data:` URL. */
  data(url: string, into: Findings, depth: number): void {
    const comma = url.indexOf(',');
    const type = url.slice('data:'.length, comma).toLowerCase();
    const isPage = /^(?:text\/html|image\/svg|application\/xhtml)/.test(type);
    if (comma === -1 || !(isPage || /javascript/.test(type))) return;
    const data = url.slice(comma + 1);
    const text = type.endsWith('base64') ? Buffer.from(data, 'base64').toString() : unescapePercent(data);
    if (isPage && type.startsWith('text/html')) into.hidings.add('encoded page');
    if (isPage) this.page(text, into, depth);
    else this.script(text, into, depth);
  }

  /** Keeps the words of a text that names of brands need. */
  words(text: string, into: Findings): void {
    for (const { plain } of wordsOf(text)) if (NEEDED_WORDS.has(plain)) into.words.add(plain);
  }

  /** Returns an absolute URL of another host. */
  url(text: string): Target | undefined {
    return this.budget.take('urls', 1) ? foreignUrl(text, this.#ownHosts) : undefined;
  }

  /**
   * Returns the URL that a string of a script is, even if it is hidden: in base64, backwards, escaped, or in parts that divide
   * the name of the host.
   */
  hiddenUrl(value: string, first: string, escaped: number): Target | undefined {
    const plain = plainUrl(value);
    if (plain === undefined) return undefined;
    const target = this.url(plain);
    const isHidden = plain !== value || escaped > 3 || (first !== value && !/^(?:\w+:)?\/\/[^/]+\//.test(first));
    return target && (isHidden ? { ...target, isHidden } : target);
  }
}

function plainUrl(value: string): string | undefined {
  if (/^(?:https?:|wss?:)?\/\//i.test(value)) return value;
  if (value.length > 1_000) return undefined;
  if (/^aHR0c[\w+/=-]+$/.test(value)) return Buffer.from(value, 'base64').toString('latin1');
  if (/\/\/:s?ptth$/i.test(value)) return [...value].reverse().join('');
  return undefined;
}

/** Returns the first matches of a global pattern, so that the work on a text is bounded. */
export function firstMatches(text: string, pattern: RegExp, most: number): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  for (const match of text.matchAll(pattern)) {
    matches.push(match);
    if (matches.length >= most) break;
  }
  return matches;
}
