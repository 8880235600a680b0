import { ALIASES, type Brand, brandOfHost } from './brands.ts';
import type { ForeignUrl } from './hosts.ts';
import { isAsking, isFilling, isPicturing, type Word, wordsOf } from './words.ts';

/** What a page says that makes a visitor think that it belongs to a brand. */
export interface Claim {
  readonly brand: Brand;
  /** Whether it takes more than a picture: the title, the heading, or a request to log in. */
  readonly isStrong: boolean;
  /** Whether letters are used that look like those of the name. */
  readonly isLookAlike: boolean;
  /** Where it was found, such as `title`. */
  readonly place: Place;
  /** Words one of which the page must have too. */
  readonly needs: readonly string[];
}

/** A place of a text, from the telling to the harmless. */
export type Place = 'title' | 'heading' | 'subheading' | 'text' | 'start' | 'picture' | 'file' | 'field';

/** The longest text that is read as a claim, and the most words beside a name. */
const LONGEST = 120;
const MOST_WORDS = 12;
/** The most words of a name. */
const NAME_WORDS = 5;

const SEGMENTS = /\s+[-–—~]+\s+|[|:•·»›\n]/;

/** Returns the claims of a text. The text of a title is read in parts. */
export function claimsIn(text: string, place: Place): Claim[] {
  const segments = place === 'title' ? text.slice(0, 300).split(SEGMENTS) : [text];
  return segments.flatMap((segment) => (segment.length > LONGEST ? [] : (claimIn(segment, place) ?? [])));
}

function claimIn(text: string, place: Place): Claim | undefined {
  const words = wordsOf(text);
  if (words.length > MOST_WORDS) return undefined;
  const { names, others } = namesIn(words);
  const [first] = names;
  if (first === undefined || names.some(({ alias }) => alias.brand !== first.alias.brand)) return undefined;
  const isPicture = place === 'picture' || place === 'file';
  if (!others.every(isPicture ? isPicturing : isFilling)) return undefined;
  const asks = others.some(isAsking);
  if (place === 'text' && !asks) return undefined;
  const isStrong = place === 'title' || place === 'heading' || (asks && !isPicture);
  const { brand, needs } = first.alias;
  return { brand, needs, isStrong, isLookAlike: names.some((name) => name.isLookAlike), place };
}

interface Name {
  readonly alias: { readonly brand: Brand; readonly needs: readonly string[] };
  readonly isLookAlike: boolean;
}

/** Returns the names of brands in a text, the longest first at each word, and the words that belong to none. */
function namesIn(words: readonly Word[]): { names: readonly Name[]; others: readonly Word[] } {
  const names: Name[] = [];
  const others: Word[] = [];
  for (let i = 0; i < words.length; ) {
    const [length, name] = nameAt(words, i);
    if (name) names.push(name);
    else others.push(words[i] as Word);
    i += length;
  }
  return { names, others };
}

function nameAt(words: readonly Word[], start: number): readonly [length: number, name: Name | undefined] {
  for (let length = Math.min(NAME_WORDS, words.length - start); length > 0; length--) {
    const part = words.slice(start, start + length);
    const plain = ALIASES.get(part.map((word) => word.plain).join(''));
    if (plain) return [length, { alias: plain, isLookAlike: false }];
    const folded = part.map((word) => word.folded).join('');
    const alias = folded.length < 5 ? undefined : ALIASES.get(folded);
    if (alias) return [length, { alias, isLookAlike: true }];
  }
  return [1, undefined];
}

/** Services that return the logo of the domain in their URL. */
const LOGO_SERVICE =
  /^https:\/\/(?:logo\.clearbit\.com\/|img\.logo\.dev\/|icons\.duckduckgo\.com\/ip3\/|(?:www\.)?google\.com\/s2\/favicons\?.{0,200}domain=(?:https?:\/\/)?|[^/]*favicon[^/]*\/)([\w.-]+)/i;

const PICTURE_NAME = /^(.*)\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp)$/i;

/** Returns the claims of a picture by the name of its file, or by the host of the brand that it is loaded from. */
export function pictureClaims(source: string, foreign: ForeignUrl | undefined): Claim[] {
  const host = foreign && (LOGO_SERVICE.exec(foreign.url)?.[1] ?? foreign.host);
  const brand = host === undefined ? undefined : brandOfHost(host);
  if (brand) return [{ brand, isStrong: false, isLookAlike: false, place: 'file', needs: [] }];
  const [path = ''] = source.slice(0, 1_000).split(/[?#]/, 1);
  const name = PICTURE_NAME.exec(path.slice(path.lastIndexOf('/') + 1))?.[1];
  return name === undefined ? [] : nameClaims(name);
}

/** Returns the claims of the name of a file or a folder. */
export const nameClaims = (name: string): Claim[] =>
  claimsIn(name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_.]/g, ' '), 'file');
