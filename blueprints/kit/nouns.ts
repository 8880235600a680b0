const NOUNS =
  /(?<!\p{L})(?:to-?dos?(?: lists?)?|tasks?|books?|notes?|movies?|films?|recipes?|expenses?|users?|customers?|products?|orders?|contacts?|events?|bookmarks?|posts?|articles?|songs?|plants?|habits?|links?|projects?|tickets?|invoices?|students?|employees?|pets?|cars?|messages?|comments?|reviews?|words)(?!\p{L})/iu;

/** Returns the plural of what a prompt wants to store ("books" of "a REST API for my book collection"), or `fallback`. */
export function readNoun(text: string, fallback: string): string {
  const found = NOUNS.exec(text)?.[0]?.toLowerCase();
  if (!found) return fallback;
  if (/^to-?do/.test(found)) return 'todos';
  return found.endsWith('s') ? found : `${found}s`;
}
