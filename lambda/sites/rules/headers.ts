import { type Ignore, match, type Pattern, pathPattern, ruleLines } from './pattern.ts';

/** The headers of a path pattern, by their name as it is sent. */
interface HeaderRule {
  readonly pattern: Pattern;
  readonly headers: Map<string, string>;
}

export type HeaderRules = readonly HeaderRule[];

/**
 * The headers that a site may set, besides its own `X-` names. A site may share the origin with other sites and with the
 * console, so the list excludes headers that act beyond the response:
 *
 * - Set-Cookie, Clear-Site-Data, Strict-Transport-Security, Alt-Svc, NEL, Report-To: on all of the origin or the host.
 * - Service-Worker-Allowed: puts other sites and the console under the service worker of a site.
 * - Cross-Origin-Opener-Policy: a page whose policy matches the console's keeps a reference to the console's window, with
 *   access to its document (HTML Standard, 7.1.3.1). The report-only form reports the URLs of the windows that it opens.
 * - Cross-Origin-Embedder-Policy: part of that match.
 * - Origin-Agent-Cluster: the first page of an origin decides for all others.
 *
 * It also excludes those that Netlify refuses, and those that describe the body or belong to the service. The others affect
 * only what loads the response. The list is the same for sites with their own origin, so that a change of `siteDomain`
 * changes no page.
 */
const ALLOWED: ReadonlyMap<string, string> = new Map(
  [
    'Cache-Control',
    'Content-Disposition',
    'Content-Language',
    'Link',
    'SourceMap',
    'Content-Security-Policy',
    'Content-Security-Policy-Report-Only',
    'Reporting-Endpoints',
    'Referrer-Policy',
    'Permissions-Policy',
    'Timing-Allow-Origin',
    'Cross-Origin-Resource-Policy',
    'Access-Control-Allow-Origin',
    'Access-Control-Allow-Methods',
    'Access-Control-Allow-Headers',
    'Access-Control-Allow-Credentials',
    'Access-Control-Expose-Headers',
    'Access-Control-Max-Age',
  ].map((name) => [name.toLowerCase(), name]),
);

/** Browsers act on few `X-` names, all of them harmless; these mean something to the service or to servers on the way. */
const RESERVED =
  /^x-(?:content-type-options|accel|amz|amzn|api|cache|deployment|edge|forwarded|generation|ptp|ratelimit|real|request|sendfile)\b/;

/** Directives for browsers. The others are for shared caches, which belong to the service. */
const DIRECTIVE = /^(?:public|private|no-cache|no-store|no-transform|must-revalidate|immutable|max-age=\d{1,10})$/;

/** The most bytes of names and values in one response: CloudFront limits all headers of a response together. */
const MAX_BYTES = 8_192;

/**
 * Reads `_headers` (https://docs.netlify.com/manage/routing/headers/): a path pattern on a line, then its headers, one a
 * line. A name that is repeated for a pattern has its values joined with `, `. Lines with a header that a site may not
 * set, and headers of a URL, are ignored.
 * @param ignore gets each such line
 */
export function readHeaders(file: Uint8Array | undefined, ignore: Ignore = () => {}): HeaderRules {
  const rules: HeaderRule[] = [];
  let headers: Map<string, string> | undefined;
  for (const line of ruleLines(file, ignore)) {
    if (/^(?:\/|https?:\/\/)/i.test(line.text)) {
      headers = new Map();
      const pattern = pathPattern(line.text);
      if (pattern) rules.push({ pattern, headers });
      else ignore(line, `${line.text} is not a path of the site`);
      continue;
    }
    // Every response has it.
    if (/^x-content-type-options:\s*nosniff$/i.test(line.text)) continue;
    const header = readHeader(line.text);
    if (typeof header === 'string') ignore(line, header);
    else if (headers === undefined) ignore(line, 'no path comes before it');
    else {
      const { name, value } = header;
      const before = headers.get(name);
      headers.set(name, before === undefined ? value : `${before}, ${value}`);
    }
  }
  return rules;
}

/** Returns the header of a line, or why it does not count. */
function readHeader(line: string): { readonly name: string; readonly value: string } | string {
  const colon = line.indexOf(':');
  if (colon === -1) return 'it has no colon';
  const written = line.slice(0, colon).trim();
  const name = nameOf(written.toLowerCase());
  const value = line.slice(colon + 1).trim();
  if (name === undefined) return `${written} cannot be set by a site`;
  if (value === '') return `${written} has no value`;
  return /^[\t\x20-\x7e]*$/.test(value) ? { name, value } : `${written} has characters that are not ASCII`;
}

/**
 * Returns the headers for a path. All matching patterns count; of patterns that set the same header, the last one does,
 * as in Netlify's command line, because most headers have one value. Cache-Control has no directives for shared caches.
 *
 * @param path decoded, relative to the site
 */
export function headersOf(rules: HeaderRules, path: string): Record<string, string> {
  const found = new Map<string, string>();
  const whole = `/${path}`;
  for (const { pattern, headers } of rules)
    if (match(pattern, whole)) for (const [name, value] of headers) found.set(name, value);
  const cacheControl = forBrowsers(found.get('Cache-Control') ?? '');
  if (cacheControl === '') found.delete('Cache-Control');
  else found.set('Cache-Control', cacheControl);
  let left = MAX_BYTES;
  return Object.fromEntries(
    [...found].filter(([name, value]) => {
      left -= name.length + value.length;
      return left >= 0;
    }),
  );
}

function nameOf(name: string): string | undefined {
  const known = ALLOWED.get(name);
  return known ?? (/^x-[a-z0-9-]+$/.test(name) && !RESERVED.test(name) ? name : undefined);
}

function forBrowsers(cacheControl: string): string {
  const directives = cacheControl.split(',').map((directive) => directive.trim().toLowerCase());
  return [...new Set(directives)].filter((directive) => DIRECTIVE.test(directive)).join(', ');
}
