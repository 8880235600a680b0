import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { check, expectHeader, expectStatus, SkippedError } from './checks.ts';
import { type SmokeResponse, short } from './http.ts';
import { publish } from './keep.ts';
import type { Session } from './session.ts';
import type { Step } from './step.ts';

/** Names with characters that URLs, signatures and CloudFront encode in different ways. */
const ODD_NAMES = ['a b.txt', 'a+b.txt', 'a(b).txt', 'a@b.txt', 'é.txt'];
const AT_ONCE = 30;
const LOGS = 'The log group *-DeploymentsSiteLogs*';

const contentOf = (name: string) => `This is ${name}`;
const nameOf = (n: number) => `many/${n}.txt`;

/** The page that these steps of a session share. */
const pages = new WeakMap<Session, Promise<URL>>();

/** Returns the URL of a deployment with many files. */
function pageOf(session: Session): Promise<URL> {
  const known = pages.get(session);
  if (known) return known;
  const names = [...ODD_NAMES, ...Array.from({ length: AT_ONCE }, (_, n) => nameOf(n))];
  const html = `<!doctype html><title>Many files</title>${'<p>A line that repeats</p>'.repeat(400)}`;
  const files = [
    { path: 'index.html', content: html },
    ...names.map((path) => ({ path, content: contentOf(path) })),
  ];
  const page = publish(session, { files }).then(({ id }) => new URL(`/d/${id}/`, session.options.baseUrl));
  pages.set(session, page);
  return page;
}

function expectContent(response: SmokeResponse, name: string): void {
  expectStatus(response, 200);
  const { request, text } = response;
  check(text === contentOf(name), `${request} returned "${short(text)}" instead of the file "${name}"`);
}

const paths: Step = {
  name: 'paths',
  title: 'Files whose names contain spaces, +, (, @ and é load, and queries with %2B arrive unchanged',
  means:
    'The path or query that CloudFront signs for the function URL (OAC) differs from the one that Lambda checks or the function reads.',
  lookAt: `${LOGS}: a request that Lambda rejects is a 403 without a line. CloudFront > Origin access`,
  run: async (session) => {
    const page = await pageOf(session);
    for (const name of ODD_NAMES) {
      // Encoded as browsers do, completely encoded, and with a query.
      for (const path of [name, encodeURIComponent(name), `${name}?q=a%2Bb+c%20d&e=%C3%A9&f`])
        expectContent(await session.http.send(new URL(path, page)), name);
    }
    const query = '?q=a%2Bb&r=%28%40%29&s=%20';
    const bare = new URL(page.href.slice(0, -1) + query);
    const redirect = await session.http.send(bare, { headers: { 'sec-fetch-mode': 'navigate' } });
    expectStatus(redirect, 308);
    const { location = '' } = redirect.headers;
    check(location.endsWith(query), `${redirect.request}${query} redirects to ${location}`);
  },
};

const burst: Step = {
  name: 'burst',
  title: `${AT_ONCE} files load at once`,
  means: 'The function that serves pages has too little concurrency: pages with many files are broken.',
  lookAt: `${LOGS}, the metric Throttles of the function, and the step capacity`,
  run: async (session) => {
    const page = await pageOf(session);
    const names = Array.from({ length: AT_ONCE }, (_, n) => nameOf(n));
    const loaded = await Promise.all(names.map((name) => session.http.send(new URL(name, page))));
    const refused = loaded.filter(({ status }) => status !== 200).map(({ status }) => status);
    check(refused.length === 0, `${refused.length} of ${AT_ONCE} files failed: ${[...new Set(refused)]}`);
    for (const [n, response] of loaded.entries()) expectContent(response, nameOf(n));
    return `the slowest took ${Math.round(Math.max(...loaded.map(({ ms }) => ms)))} ms`;
  },
};

const encoding: Step = {
  name: 'page-encoding',
  title: 'A page is compressed for clients that accept it, and plain for others',
  means: 'Pages take several times as long to load, or are sent as base64 or compressed twice.',
  lookAt:
    'CloudFront > Distributions > Behaviors > /d/*: Compress objects automatically, and the cache policy',
  run: async (session) => {
    const page = await pageOf(session);
    const load = async (accept: string) => {
      const response = await session.http.send(page, { headers: { 'accept-encoding': accept } });
      expectStatus(response, 200);
      return response;
    };
    const plain = await load('identity');
    expectHeader(plain, 'Content-Encoding', '');
    for (const accept of ['gzip', 'br, gzip']) {
      const packed = await load(accept);
      if (packed.headers['content-encoding'] === undefined && page.hostname.endsWith('localhost'))
        throw new SkippedError('the edge of the local cloud does not compress');
      expectHeader(packed, 'Content-Encoding', accept === 'gzip' ? 'gzip' : /^(br|gzip)$/);
      check(
        unpacked(packed)?.equals(plain.bytes) === true,
        `${packed.request} has a different body with ${accept}`,
      );
    }
    return `${plain.bytes.length} bytes are ${(await load('gzip')).bytes.length}`;
  },
};

/** Returns the decoded body, or undefined if its encoding does not match Content-Encoding. */
function unpacked({ headers, bytes }: SmokeResponse): Buffer | undefined {
  const unpack = headers['content-encoding'] === 'br' ? brotliDecompressSync : gunzipSync;
  try {
    return unpack(bytes);
  } catch {
    return undefined;
  }
}

export const PATH_STEPS = [paths, burst, encoding];
