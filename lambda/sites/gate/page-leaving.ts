import type { Findings } from './findings.ts';
import type { Reading } from './reading.ts';
import { PROGRAM_NAME } from './script-calls.ts';

/** What a page loads from its own site, as it names it. */
export interface LocalReferences {
  readonly scripts: Set<string>;
  readonly frames: Set<string>;
}

const REFRESH = /^\s{0,20}([\d.]{1,9})\s{0,20}[;,]?\s{0,20}(?:url\s{0,20}=\s{0,20})?["']?(.*)$/is;

/** A page that goes elsewhere after more seconds than this has been read. */
const AT_ONCE_SECONDS = 4;

/** Reads the content of `<meta http-equiv="refresh">`. */
export function readRefresh(content: string, into: Findings, reading: Reading, depth: number): void {
  const [, seconds, url = ''] = REFRESH.exec(content) ?? [];
  const target = reading.url(url);
  if (target) into.url(target);
  if (url.startsWith('data:')) reading.data(url, into, depth);
  else if (!(Number(seconds) <= AT_ONCE_SECONDS)) return;
  else if (PROGRAM_NAME.test(`${url.slice(0, 500)}"`)) into.downloads.add('program');
  else if (target) into.add('redirects', target);
}

/** Reads a frame: a page of the site or of another, or one that is in an attribute. */
export function readFrame(
  get: (attribute: string) => string,
  into: Findings,
  reading: Reading,
  depth: number,
  local: LocalReferences,
): void {
  const source = get('src') || get('data');
  const page = get('srcdoc');
  const target = reading.url(source);
  if (PROGRAM_NAME.test(`${source.slice(0, 500)}"`)) into.downloads.add('program');
  if (page) reading.page(page, into, depth);
  else if (source.startsWith('data:')) reading.data(source, into, depth);
  else if (target) into.add('frames', target);
  else if (source) local.frames.add(source);
}
