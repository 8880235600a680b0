import { HttpError } from './http.js';
import { fields } from './schema.js';

const PAGE = { usual: 50, most: 200 };
const NAMES = ['id', 'createdAt', ...fields.map(({ name }) => name)];

function wholeNumber(searchParams, name, fallback, most) {
  const text = searchParams.get(name);
  if (text === null) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new HttpError(400, `${name} must be a whole number`);
  return Math.min(Number(text), most);
}

const compare = (a, b) => (typeof a === 'string' ? a.localeCompare(b) : Number(a) - Number(b));

/** Parses “-year,title” into a compare function: a minus means descending, missing values come last. Throws 400. */
function orderOf(sort) {
  const keys = sort.split(',').map((key) => ({ name: key.replace(/^-/, ''), turn: key.startsWith('-') ? -1 : 1 }));
  for (const { name } of keys) {
    if (!NAMES.includes(name)) throw new HttpError(400, `sort takes ${NAMES.join(', ')}, with a minus for descending order`);
  }
  return (a, b) => {
    for (const { name, turn } of keys) {
      if (a[name] === b[name]) continue;
      if (a[name] === undefined || b[name] === undefined) return a[name] === undefined ? 1 : -1;
      return turn * compare(a[name], b[name]);
    }
    return 0;
  };
}

/** Returns the Link header (RFC 8288) for the previous and the next page. */
function linksOf(url, offset, limit, total) {
  const to = (start, rel) => {
    const target = new URL(url);
    target.searchParams.set('offset', String(start));
    return `<${target.pathname}${target.search}>; rel="${rel}"`;
  };
  const links = [];
  if (offset > 0) links.push(to(Math.max(0, offset - limit), 'prev'));
  if (offset + limit < total) links.push(to(offset + limit, 'next'));
  return links.length > 0 ? { link: links.join(', ') } : {};
}

/**
 * Applies a query to the entries: `search` in all fields, `field=value` for an exact match, `sort`, and a page by
 * `limit` and `offset`. Throws 400 for an invalid parameter.
 */
export function list(entries, url) {
  const { searchParams } = url;
  const search = (searchParams.get('search') ?? '').toLowerCase();
  const wanted = NAMES.filter((name) => searchParams.has(name));
  const found = entries
    .filter((entry) => Object.values(entry).some((value) => String(value).toLowerCase().includes(search)))
    .filter((entry) => wanted.every((name) => String(entry[name]) === searchParams.get(name)));
  if (searchParams.get('sort')) found.sort(orderOf(searchParams.get('sort')));
  const limit = Math.max(1, wholeNumber(searchParams, 'limit', PAGE.usual, PAGE.most));
  const offset = wholeNumber(searchParams, 'offset', 0, Number.MAX_SAFE_INTEGER);
  return {
    entries: found.slice(offset, offset + limit),
    headers: { 'x-total-count': String(found.length), ...linksOf(url, offset, limit, found.length) },
  };
}
