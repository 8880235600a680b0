/** Returns an amount in US dollars as people read it, with two significant digits below one: `$12.30`, `$0.0004`. */
export function dollars(usd: number): string {
  if (usd === 0) return '$0';
  const digits = usd < 1 ? Math.max(2, 1 - Math.floor(Math.log10(usd))) : 2;
  return `$${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
}

/** Returns the cost of calls of models, some of which may have no known price. */
export function knownDollars({ usd, unpriced }: { readonly usd: number; readonly unpriced: number }): string {
  if (unpriced === 0) return dollars(usd);
  return usd === 0 ? 'unknown' : `≥ ${dollars(usd)}`;
}
