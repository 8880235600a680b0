import { BRAND_LIST } from './brand-list.ts';

/** A name that phishing imitates. */
export interface Brand {
  readonly name: string;
}

/** How a brand is written: its words without spaces. */
interface Alias {
  readonly brand: Brand;
  /** Words one of which must be on the page too, because the name is also a common word or another name. */
  readonly needs: readonly string[];
}

const joined = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9+]/g, '')
    .replace('+', 'plus');

const byName = new Map<string, Alias>();
const byDomain = new Map<string, Brand>();
for (const line of BRAND_LIST.trim().split('\n')) {
  const [names = '', domains = '', needs = ''] = line.split('|').map((part) => part.trim());
  const [name = '', ...others] = names.split(', ');
  const brand = { name };
  for (const domain of domains.split(' ')) byDomain.set(domain, brand);
  byName.set(joined(name), { brand, needs: needs.split(' ').filter(Boolean) });
  for (const other of others) byName.set(joined(other), { brand, needs: [] });
}

/** Names of brands by their words without spaces, accents and capitals. */
export const ALIASES: ReadonlyMap<string, Alias> = byName;

const COMMON_TLD =
  /^(?:com|net|org|de|fr|es|it|nl|be|pl|ch|at|pt|ca|jp|in|eu|co\.uk|com\.br|com\.au|co\.jp|com\.mx)$/;

/** Returns the brand that a host belongs to. */
export function brandOfHost(host: string): Brand | undefined {
  const labels = host.split('.', 10);
  for (const [i, label] of labels.entries()) {
    const rest = labels.slice(i + 1).join('.');
    const brand =
      byDomain.get(`${label}.${rest}`) ??
      (COMMON_TLD.test(rest) ? ALIASES.get(label.replaceAll('-', ''))?.brand : undefined);
    if (brand) return brand;
  }
  return undefined;
}

/** All words that names need. */
export const NEEDED_WORDS: ReadonlySet<string> = new Set([...byName.values()].flatMap(({ needs }) => needs));
