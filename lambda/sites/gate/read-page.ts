import { ElementReader } from '../html-reader.ts';
import { claimsIn, type Place, pictureClaims } from './claims.ts';
import type { Findings } from './findings.ts';
import { PageForms } from './forms.ts';
import { PROGRAM_NAME } from './read-script.ts';
import { firstMatches, type Reading } from './reading.ts';
import { isUrgent } from './words.ts';

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Elements inside of a sentence, or of a word. */
const INLINE = names('b i em strong span font u s small sup sub mark bdi bdo abbr wbr tspan');
/** Elements whose text names others than the page: links, buttons, lists, samples of code. */
const OTHERS = names('a button option pre code li');
const FIELDS = names('input textarea button');
const FRAMES = names('iframe frame embed object');
const PLACES: ReadonlyMap<string, Place> = new Map([
  ['title', 'title'],
  ['h1', 'heading'],
  ...['h2', 'h3', 'h4', 'legend'].map((name): [string, Place] => [name, 'subheading']),
]);
const SCRIPT = /^(?:|module|(?:text|application)\/(?:javascript|ecmascript|jscript))$/i;
const CSS_URL = /url\(\s{0,9}["']?([^"')]{1,300})/g;
const PHRASE = /(?:recovery|seed|secret|backup) (?:recovery )?phrase/i;

/** How much of a text is kept, and how many texts are at the start of a page. */
const LONGEST_TEXT = 400;
const START = 3;
const MOST_LINKS = 100;

/** Reads a page. @param local gets what the page loads from its own site */
export function readPage(
  html: string,
  into: Findings,
  reading: Reading,
  depth = 0,
  local: LocalReferences = { scripts: new Set(), frames: new Set() },
): void {
  new PageReader(html, into, reading, depth, local).read();
}

/** A longer value of an attribute is cut off, except for these, which hold pages. */
const LONGEST_VALUE = 4_000;
const PAGES = names('srcdoc src href data content');
const cutOff = (name: string, value: string) => (PAGES.has(name) ? value : value.slice(0, LONGEST_VALUE));

class PageReader extends ElementReader {
  readonly #into: Findings;
  readonly #reading: Reading;
  readonly #depth: number;
  readonly #local: LocalReferences;
  readonly #forms: PageForms;
  #text = '';
  #texts = 0;
  /** The text before a field, which may be its label. */
  #label = '';
  #place: Place = 'text';
  #others = 0;
  /** The script or style sheet that is being read. */
  #raw: { readonly element: string; readonly isRead: boolean; readonly parts: string[] } | undefined;

  constructor(html: string, into: Findings, reading: Reading, depth: number, local: LocalReferences) {
    super(html);
    this.#into = into;
    this.#reading = reading;
    this.#depth = depth;
    this.#local = local;
    this.#forms = new PageForms(into, reading);
  }

  override ontext(start: number, end: number): void {
    this.#addText(this.html.slice(start, end));
  }

  override ontextentity(codePoint: number): void {
    this.#addText(String.fromCodePoint(codePoint));
  }

  #addText(text: string): void {
    if (this.#raw) {
      this.#raw.parts.push(text);
      return;
    }
    if (this.#text.length < LONGEST_TEXT) this.#text += text.slice(0, LONGEST_TEXT);
    this.#into.visible += text.length;
  }

  protected override opened(closed: boolean): void {
    const { element } = this;
    const attributes = new Map(Array.from(this.attributes, ([name, { value }]) => [name, cutOff(name, value)]));
    if (!INLINE.has(element)) this.#endText();
    this.#place = PLACES.get(element) ?? this.#place;
    if (OTHERS.has(element)) this.#others++;
    const get = (name: string) => attributes.get(name) ?? '';
    this.#handlers(attributes);
    this.#picture(element, get);
    if (element === 'script' || element === 'style') this.#openRaw(element, get);
    else if (element === 'form') this.#forms.open(get('action'));
    else if (FIELDS.has(element)) this.#forms.field(element, get, this.#takeLabel());
    else if (element === 'base') this.#forms.base(get('href'));
    else if (element === 'a') this.#link(get('id'), get('href'), attributes.has('download'));
    else if (element === 'meta' && /^\s*refresh\s*$/i.test(get('http-equiv')))
      readRefresh(get('content'), this.#into, this.#reading, this.#depth);
    else if (FRAMES.has(element)) readFrame(get, this.#into, this.#reading, this.#depth, this.#local);
    if (closed) this.closed(element);
  }

  protected override closed(element: string): void {
    if (this.#raw?.element === element) this.#closeRaw();
    if (!INLINE.has(element)) this.#endText();
    if (PLACES.has(element)) this.#place = 'text';
    if (OTHERS.has(element)) this.#others = Math.max(0, this.#others - 1);
    if (element === 'form') this.#forms.close();
  }

  override onend(): void {
    if (this.#raw) this.#closeRaw();
    this.#endText();
    this.#forms.close();
  }

  #endText(): void {
    const text = this.#text.replace(/\s+/g, ' ').trim();
    this.#text = '';
    if (text === '') return;
    this.#label = text;
    if (!this.#reading.budget.take('text', text.length)) return;
    const isStart = this.#place === 'text' && this.#texts++ < START;
    if (this.#others === 0) this.#into.claim(claimsIn(text, isStart ? 'start' : this.#place));
    this.#reading.words(text, this.#into);
    this.#into.isUrgent ||= isUrgent(text);
    this.#into.mentionsPhrase ||= PHRASE.test(text);
  }

  #takeLabel(): string {
    const label = this.#label.length > 60 ? '' : this.#label;
    this.#label = '';
    return label;
  }

  #handlers(attributes: ReadonlyMap<string, string>): void {
    for (const [name, value] of attributes) {
      if (name.startsWith('on')) this.#reading.script(`${name}=()=>{${value}}`, this.#into, this.#depth);
      else if (/^\s{0,9}javascript:/i.test(value)) this.#reading.script(value, this.#into, this.#depth);
      else if (name === 'style' && value.includes('url(')) this.#styles(value);
    }
  }

  /** A picture in a link or a button names where that leads, or who else may be used. */
  #picture(element: string, get: (name: string) => string): void {
    const isIcon = element === 'link' && /\bicon\b/i.test(get('rel'));
    const source = isIcon ? get('href') : get('src') || get('xlink:href') || get('href');
    const isPicture = isIcon || element === 'img' || element === 'image';
    const says = element === 'img' ? get('alt') : get('aria-label');
    if (this.#others > 0 || !(isPicture || says) || !this.#reading.budget.take('fields', 1)) return;
    if (isPicture) this.#into.claim(pictureClaims(source, this.#reading.url(source)));
    if (!FIELDS.has(element)) this.#into.claim(claimsIn(says, 'picture'));
  }

  #link(id: string, href: string, isDownload: boolean): void {
    const target = this.#reading.url(href);
    if (target) this.#into.url(target);
    const isProgram = PROGRAM_NAME.test(`${href.slice(0, 500)}"`);
    if (id && (isDownload || isProgram) && this.#into.links.size < MOST_LINKS)
      this.#into.links.set(id, isProgram ? 'program' : 'download');
  }

  #openRaw(element: string, get: (name: string) => string): void {
    const source = get('src');
    const isScript = element === 'script' && SCRIPT.test(get('type').trim());
    const target = isScript && source ? this.#reading.url(source) : undefined;
    if (target) this.#into.url(target);
    else if (isScript && source) this.#local.scripts.add(source);
    if (source.startsWith('data:')) this.#reading.data(source, this.#into, this.#depth);
    this.#raw = { element, isRead: element === 'style' || (isScript && !source), parts: [] };
  }

  #closeRaw(): void {
    const { element = '', isRead = false, parts = [] } = this.#raw ?? {};
    this.#raw = undefined;
    if (!isRead) return;
    const text = parts.join('');
    if (element === 'style') this.#styles(text);
    else this.#reading.inline(text, this.#into, this.#depth);
  }

  #styles(css: string): void {
    for (const [, url = ''] of firstMatches(css, CSS_URL, 100))
      this.#into.claim(pictureClaims(url, this.#reading.url(url)));
  }
}

/** The files that a page loads from its own site, as it names them. */
export interface LocalReferences {
  readonly scripts: Set<string>;
  readonly frames: Set<string>;
}

const REFRESH = /^\s{0,20}([\d.]{1,9})\s{0,20}[;,]?\s{0,20}(?:url\s{0,20}=\s{0,20})?["']?(.*)$/is;

/** A page that goes elsewhere after more seconds than this has been read. */
const AT_ONCE_SECONDS = 4;

/** Reads the content of `<meta http-equiv="refresh">`. */
function readRefresh(content: string, into: Findings, reading: Reading, depth: number): void {
  const [, seconds, url = ''] = REFRESH.exec(content) ?? [];
  const target = reading.url(url);
  if (target) into.url(target);
  if (url.startsWith('data:')) reading.data(url, into, depth);
  else if (!(Number(seconds) <= AT_ONCE_SECONDS)) return;
  else if (PROGRAM_NAME.test(`${url.slice(0, 500)}"`)) into.downloads.add('program');
  else if (target) into.add('redirects', target);
}

/** Reads a frame: a page of the site or of another, or one that is in an attribute. */
function readFrame(
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
