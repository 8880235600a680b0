import type { Answer, Files, Start, Stored } from './messages.ts';

/**
 * What a project in a frame may do. Without `allow-same-origin` its origin is opaque: no storage, cookies or DOM of the console.
 * Popups open links to other origins, which work only outside the sandbox; the console's opener policy keeps them apart. Downloads
 * are what generated tools export. There are no dialogs, which could block the console, and no navigation of the console.
 */
const SANDBOX = 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads';
const RELOAD_MS = 500;
/** A page that does not finish loading is shown nevertheless. */
const SHOWN_MS = 2_000;
const MOST_PROBLEMS = 50;
const LONGEST_PROBLEM = 1_000;
const MAX_STORED = 6_000_000;

/** Returns whether a change of a file can change what the preview shows. */
const matters = (path: string) =>
  !/^(?:tests?|spec|docs)\/|^(?:README|LICENSE|CHANGELOG)\b|\.md$/i.test(path);

/** Returns whether two versions of a project look the same. */
export function sameSite(one: Files, other: Files): boolean {
  const paths = (files: Files) => [...files.keys()].filter(matters);
  const [before, after] = [paths(one), paths(other)];
  return (
    before.length === after.length &&
    before.every((path) => other.has(path) && one.get(path) === other.get(path))
  );
}

/** The frames that show a project: the visible one and, while it loads, the next one. */
export class Frames {
  readonly #box: HTMLElement;
  readonly #report: (message: string) => void;
  readonly #abort = new AbortController();
  #files: Files = new Map();
  #url = '/';
  #stored: { local: Stored; session: Stored } = { local: [], session: [] };
  #visible: HTMLIFrameElement | undefined;
  #next: HTMLIFrameElement | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(box: HTMLElement, report: (message: string) => void) {
    this.#box = box;
    this.#report = report;
    this.#keepFocus();
  }

  /** Shows other files, at most every half second. */
  update(files: Files): void {
    const same = sameSite(this.#files, files);
    this.#files = files;
    if (!same) this.#loadSoon();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#box.replaceChildren();
  }

  #loadSoon(): void {
    if (this.#timer !== undefined) return;
    const wait = Math.max(0, this.#loadedAt + RELOAD_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#loadedAt = performance.now();
      this.#load();
    }, wait);
  }

  /** A new frame for each page: files are never sent to a document that a project went to. */
  #load(): void {
    this.#next?.remove();
    const frame = document.createElement('iframe');
    frame.title = 'Preview';
    frame.setAttribute('sandbox', SANDBOX);
    frame.referrerPolicy = 'no-referrer';
    frame.allow = 'clipboard-write';
    frame.className = 'preview-next';
    const { search, hash } = new URL(this.#url, location.origin);
    frame.src = `/preview${search}${hash}`;
    frame.addEventListener('load', () => this.#start(frame), { once: true });
    this.#next = frame;
    this.#box.append(frame);
  }

  #start(frame: HTMLIFrameElement): void {
    const { port1, port2 } = new MessageChannel();
    let problems = 0;
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!frame.isConnected) return port1.close();
      const answer = readAnswer(data);
      if (answer?.type === 'problem' && problems++ < MOST_PROBLEMS) this.#report(answer.message);
      if (answer?.type === 'ready') this.#reveal(frame);
      if (answer?.type === 'stored') this.#stored = answer;
      if (answer?.type === 'open') {
        this.#url = answer.url;
        this.#loadSoon();
      }
    };
    const start: Start = { files: this.#files, url: this.#url, ...this.#stored };
    // An opaque origin cannot be named; the frame is new, and this is its first document.
    frame.contentWindow?.postMessage(start, '*', [port2]);
    setTimeout(() => this.#reveal(frame), SHOWN_MS);
    let loads = 0;
    // The first one is that of the project's page, which replaces the document.
    frame.addEventListener('load', () => loads++ > 0 && this.#left(frame));
  }

  #reveal(frame: HTMLIFrameElement): void {
    if (frame !== this.#next) return;
    this.#visible?.remove();
    frame.className = '';
    this.#visible = frame;
    this.#next = undefined;
  }

  /** A script can leave the page in ways that the preview cannot follow. */
  #left(frame: HTMLIFrameElement): void {
    if (frame === this.#visible) this.#report('The page went to another URL, which a preview does not show');
  }

  /** Gives the focus back that a project takes without the user: it must not get what is typed elsewhere. */
  #keepFocus(): void {
    const { signal } = this.#abort;
    let last: HTMLElement | undefined;
    let byTab = false;
    const options = { signal, capture: true };
    document.addEventListener(
      'focusin',
      ({ target }) => (last = target instanceof HTMLElement ? target : last),
      options,
    );
    document.addEventListener('keydown', ({ key }) => (byTab = key === 'Tab'), options);
    addEventListener(
      'blur',
      () => {
        const { activeElement } = document;
        if (!(activeElement instanceof HTMLIFrameElement) || !this.#box.contains(activeElement)) return;
        if (!byTab && !activeElement.matches(':hover')) (last?.isConnected ? last : activeElement).focus();
        byTab = false;
      },
      { signal },
    );
  }
}

/** Returns a message of a frame if it has the right form and size: the page can send anything. */
export function readAnswer(data: unknown): Answer | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data)) return undefined;
  const { type, message, url, local, session } = data as Record<string, unknown>;
  if (type === 'ready') return { type };
  if (type === 'problem' && typeof message === 'string')
    return { type, message: message.slice(0, LONGEST_PROBLEM) };
  if (type === 'open' && typeof url === 'string' && URL.canParse(url)) {
    const { origin, pathname, search, hash } = new URL(url);
    return origin === location.origin ? { type, url: pathname + search + hash } : undefined;
  }
  if (type === 'stored' && isStored(local) && isStored(session)) return { type, local, session };
  return undefined;
}

function isStored(value: unknown): value is Stored {
  const pairs = Array.isArray(value) ? value.flat() : [0];
  return (
    pairs.every((text) => typeof text === 'string') &&
    pairs.length === (value as unknown[]).length * 2 &&
    pairs.reduce((sum: number, text) => sum + (text as string).length, 0) <= MAX_STORED
  );
}
