/**
 * Reports whether an Accept-Encoding header lists gzip, or `*`, with a weight above 0 (RFC 9110, 12.5.3). A request without
 * the header accepts anything by the RFC, but CloudFront drops the header if the viewer accepts neither gzip nor Brotli.
 */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const weights = new Map(weighted(acceptEncoding).map(({ name, weight }) => [name.replace(/^x-/, ''), weight]));
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Reports if an Accept header names a media type, with a weight above 0 (RFC 9110, 12.5.1). Wildcards do not count. */
export function namesType(accept: string | undefined, type: string): boolean {
  return weighted(accept).some(({ name, weight }) => name === type && weight > 0);
}

/**
 * Returns the language of a list that an Accept-Language header prefers, the first one of the list by default
 * (RFC 9110, 12.5.4; lookup of RFC 4647, 3.4).
 */
export function preferredLanguage<Language extends string>(
  header: string | undefined,
  known: readonly [Language, ...Language[]],
): Language {
  const wanted = weighted(header).filter(({ weight }) => weight > 0);
  const languages = wanted.toSorted((a, b) => b.weight - a.weight).map(({ name }) => name.split('-')[0]);
  for (const language of languages) {
    const found = known.find((one) => one === language);
    if (found) return found;
  }
  return known[0];
}

/** Returns the values of a header in lower case, with their weights: 1 without a valid one (RFC 9110, 12.4.2). */
function weighted(header = ''): { readonly name: string; readonly weight: number }[] {
  const items = header.slice(0, 4_000).toLowerCase().split(',');
  return items.map((item) => {
    const [name = '', ...parameters] = item.split(';');
    const weight = parameters.map((one) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(one)?.[1]).find(Boolean);
    return { name: name.trim(), weight: Number(weight ?? 1) };
  });
}
