import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type Files, type PreviewStart, readFrameMessage, type StorageItems } from './messages.ts';

interface PreviewProps {
  /** They have a page to start from. */
  readonly files: Files;
  readonly width: 'phone' | 'desktop';
  /** Called with `path:line: message` for each error of the page. */
  readonly onProblem?: (message: string) => void;
}

/** A page that is wider than the box is scaled down to it. */
const DESKTOP_WIDTH = 1_280;

/** Runs a project that nobody trusts, isolated from the console (docs/decisions/0033). */
export function Preview({ files, width, onProblem }: PreviewProps) {
  const box = useRef<HTMLDivElement>(null);
  const frames = useRef<Frames>(undefined);
  const report = useRef(onProblem);
  report.current = onProblem;
  useEffect(() => {
    if (box.current === null) return;
    const own = new Frames(box.current, (message) => report.current?.(message));
    frames.current = own;
    return () => own.close();
  }, []);
  useLayoutEffect(() => {
    const outer = box.current?.parentElement;
    if (!outer) return;
    const observer = new ResizeObserver(() => {
      outer.style.setProperty('--scale', String(Math.min(1, outer.clientWidth / DESKTOP_WIDTH)));
    });
    observer.observe(outer);
    return () => observer.disconnect();
  }, []);
  useEffect(() => frames.current?.update(files), [files]);
  return (
    <div class={`preview ${width}`}>
      <div class="preview-frames" ref={box} />
    </div>
  );
}

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
const MOST_TAKEN = 3;

/** Returns whether a change of a file can change what the preview shows. */
const matters = (path: string) => !/^(?:tests?|spec|docs)\/|^(?:README|LICENSE|CHANGELOG)\b|\.md$/i.test(path);

/** Returns whether two versions of a project look the same. */
function sameSite(one: Files, other: Files): boolean {
  const paths = (files: Files) => [...files.keys()].filter(matters);
  const [before, after] = [paths(one), paths(other)];
  return before.length === after.length && before.every((path) => other.has(path) && one.get(path) === other.get(path));
}

/** The frames that show a project: the visible one and, while it loads, the next one. */
class Frames {
  readonly #box: HTMLElement;
  readonly #report: (message: string) => void;
  readonly #abort = new AbortController();
  #files: Files = new Map();
  #url = '/';
  #stored: { local: StorageItems; session: StorageItems } = { local: [], session: [] };
  #data = '';
  #visible: HTMLIFrameElement | undefined;
  #next: HTMLIFrameElement | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #inert = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(box: HTMLElement, report: (message: string) => void) {
    this.#box = box;
    this.#report = report;
    this.#guardFocus();
  }

  /** Shows other files, at most every half second. */
  update(files: Files): void {
    const same = sameSite(this.#files, files);
    this.#files = files;
    if (!same) this.#loadSoon();
  }

  close(): void {
    this.#cancelLoad();
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

  /** Ends a load that waits: a frame that starts now gets the newest files. */
  #cancelLoad(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
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
    frame.inert = this.#inert;
    const url = this.#url;
    const { search, hash } = new URL(url, location.origin);
    frame.src = `/preview${search}${hash}`;
    frame.addEventListener('load', () => this.#start(frame, url), { once: true });
    this.#next = frame;
    this.#box.append(frame);
  }

  #start(frame: HTMLIFrameElement, url: string): void {
    if (url === this.#url) this.#cancelLoad();
    const { port1, port2 } = new MessageChannel();
    let problems = 0;
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!frame.isConnected) return port1.close();
      const frameMessage = readFrameMessage(data, location.origin);
      if (frameMessage?.type === 'problem' && problems++ < MOST_PROBLEMS) this.#report(frameMessage.message);
      if (frameMessage?.type === 'ready') this.#reveal(frame);
      if (frameMessage?.type === 'stored') this.#stored = frameMessage;
      if (frameMessage?.type === 'data') this.#data = frameMessage.data;
      if (frameMessage?.type === 'moved') this.#url = frameMessage.url;
      if (frameMessage?.type === 'open') {
        this.#url = frameMessage.url;
        this.#loadSoon();
      }
    };
    const start: PreviewStart = {
      files: this.#files,
      url: this.#url,
      data: this.#data,
      ...this.#stored,
    };
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

  /**
   * Makes the frames inert while the focus is elsewhere in the console: a project could take it, and get what is typed. They are not
   * inert while the pointer moves over them, and when the tab key may lead into them.
   */
  #guardFocus(): void {
    const options = { signal: this.#abort.signal, capture: true };
    const set = (inert: boolean) => {
      this.#inert = inert;
      for (const frame of this.#box.children) (frame as HTMLElement).inert = inert;
    };
    const isElsewhere = () => {
      const { activeElement } = document;
      return activeElement !== document.body && !this.#box.contains(activeElement);
    };
    let last: EventTarget | null = null;
    document.addEventListener(
      'focusin',
      ({ target }) => {
        if (!isElsewhere()) return;
        set(true);
        last = target;
      },
      options,
    );
    // A frame that is inert can take the focus nevertheless, for its window. One that insists could get a key each time.
    let taken = 0;
    const giveBack = () => {
      if (!this.#inert || !this.#box.contains(document.activeElement)) return;
      if (last instanceof HTMLElement) last.focus();
      if (++taken < MOST_TAKEN) return;
      this.#box.replaceChildren();
      this.#report('The preview was stopped: the page keeps taking the focus');
    };
    addEventListener('blur', () => setTimeout(giveBack), options);
    document.addEventListener('keydown', ({ key }) => (key === 'Tab' || isElsewhere()) && set(key !== 'Tab'), options);
    for (const name of ['pointerenter', 'pointermove']) this.#box.addEventListener(name, () => set(false), options);
    this.#box.addEventListener('pointerleave', () => set(isElsewhere()), options);
    set(isElsewhere());
  }
}
