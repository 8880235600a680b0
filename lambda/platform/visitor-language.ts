/** The languages of the pages that the service shows to visitors of deployed pages. */
export const VISITOR_LANGUAGES = ['en', 'de', 'es', 'fr', 'pt'] as const;

export type VisitorLanguage = (typeof VISITOR_LANGUAGES)[number];

/**
 * Returns the language that a browser prefers (RFC 9110, 12.5.4), by the first part of its tags.
 * @param acceptLanguage such as `pt-BR,pt;q=0.9,en;q=0.8`
 */
export function visitorLanguage(acceptLanguage = ''): VisitorLanguage {
  const wanted = acceptLanguage
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const quality = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
      return { primary: tag.split('-', 1)[0], quality: Number(quality) || 0 };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  for (const { primary } of wanted) {
    const known = VISITOR_LANGUAGES.find((language) => language === primary);
    if (known) return known;
  }
  return 'en';
}
