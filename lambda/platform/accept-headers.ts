/**
 * Reports whether an Accept-Encoding header lists gzip, or `*`, with a weight above 0 (RFC 9110, 12.5.3). A request without
 * the header accepts anything by the RFC, but CloudFront drops the header if the viewer accepts neither gzip nor Brotli.
 */
export function acceptsGzip(acceptEncoding = ''): boolean {
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [, coding = '', weight = '1'] = /^\s*([\w*-]+)\s*(?:;\s*q=([\d.]+)\s*)?$/.exec(item) ?? [];
    weights.set(coding.replace(/^x-/, ''), Number(weight));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Reports if an Accept header names a media type, with a weight above 0 (RFC 9110, 12.5.1). Wildcards do not count. */
export function namesType(accept: string | undefined, type: string): boolean {
  const items = (accept ?? '').toLowerCase().split(',');
  return items.some((item) => {
    const [name = '', ...parameters] = item.split(';');
    return name.trim() === type && weightIn(parameters) > 0;
  });
}

/**
 * Returns the language of a list that an Accept-Language header prefers, the first one of the list by default
 * (RFC 9110, 12.5.4; lookup of RFC 4647, 3.4).
 */
export function preferredLanguage<Language extends string>(
  header: string | undefined,
  known: readonly [Language, ...Language[]],
): Language {
  const ranges = (header ?? '').slice(0, 1_000).split(',').map(readRange);
  const wanted = ranges.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality);
  for (const { language } of wanted) {
    const found = known.find((one) => one === language);
    if (found) return found;
  }
  return known[0];
}

function readRange(text: string): { readonly language: string; readonly quality: number } {
  const [range = '', ...parameters] = text.split(';');
  const [language = ''] = range.trim().toLowerCase().split('-');
  return { language, quality: weightIn(parameters) };
}

/** Returns the weight among the parameters of an item; 1 without a valid one. */
function weightIn(parameters: readonly string[]): number {
  const weight = parameters.map((one) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(one)?.[1]).find(Boolean);
  return Number(weight ?? 1);
}
