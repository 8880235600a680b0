import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { LIMITS } from '../contract/limits.ts';
import { serverOf } from '../sites/source/server.ts';

/** A place in a file of the project. */
export interface Place {
  readonly path: string;
  /** From 1. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
}

/**
 * A frame of a stack, as in the protocol of Chromium:
 * https://chromedevtools.github.io/devtools-protocol/tot/Runtime/#type-CallFrame
 */
export interface Frame {
  readonly url: string;
  /** From 0. */
  readonly lineNumber: number;
  /** From 0. */
  readonly columnNumber: number;
}

/** The site whose places are named. */
export interface Mapped {
  /** The URL of its root, which ends with a slash. */
  readonly home: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly entry: string;
  /** Returns a path of the site, decoded and relative to it; undefined for a URL elsewhere. */
  pathOf(url: string): string | undefined;
}

const MAPS = 'file:///';
/** A page may throw with stacks of any length. */
const MAX_FRAMES = 50;

/** Names places of a site as those of its source, through the source maps that lie beside its files. */
export class Places {
  readonly home: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly #site: Mapped;
  readonly #root: string;
  #answers: ((path: string) => boolean) | undefined;
  readonly #maps = new Map<string, TraceMap | undefined>();

  constructor(site: Mapped) {
    this.home = site.home;
    this.files = site.files;
    this.#site = site;
    this.#root = site.entry.slice(0, site.entry.lastIndexOf('/') + 1);
  }

  /** Returns the file that a URL of the site is answered from; undefined if there is none. */
  fileOf(url: string): string | undefined {
    const path = this.#site.pathOf(url);
    if (path === undefined) return undefined;
    if (path === '') return this.#site.entry || undefined;
    const name = this.#root + path;
    const candidates = [name, `${name}index.html`, `${name}/index.html`, `${name}.html`];
    return candidates.find((candidate) => this.#site.files.has(candidate));
  }

  /** Returns whether a URL has the origin of the site. */
  isHome(url: string): boolean {
    return URL.parse(url)?.origin === new URL(this.home).origin;
  }

  /** Returns the path for a URL of the site, whether or not the file exists; undefined for a URL elsewhere. */
  nameOf(url: string): string | undefined {
    const path = this.#site.pathOf(url);
    return path === undefined ? undefined : this.#root + path;
  }

  /** Reports if a program of the project, which does not run here, may answer a URL of the site. */
  isAnswered(url: string): boolean {
    const path = this.#site.pathOf(url);
    if (path === undefined) return false;
    this.#answers ??= serverOf(textsOf(this.files));
    return this.#answers(path);
  }

  /** Returns the file whose path differs in its case only. */
  otherCase(name: string): string | undefined {
    const lower = name.toLowerCase();
    return [...this.#site.files.keys()].sort().find((path) => path.toLowerCase() === lower);
  }

  /** Returns the place of the first frame that is in the project. */
  placeOf(frames: readonly Frame[]): Place | undefined {
    for (const frame of frames.slice(0, MAX_FRAMES)) {
      const place = this.#place(frame);
      if (place) return place;
    }
    return undefined;
  }

  /** Returns the first place at which a file names another one, by the last part of its path. */
  mentionOf(name: string): Place | undefined {
    const last = name.slice(name.lastIndexOf('/') + 1);
    if (last === '') return undefined;
    const readable = [...this.#site.files].filter(([path]) => /\.(?:html?|css|m?js)$/i.test(path)).sort();
    for (const [path, content] of readable) {
      const text = Buffer.from(content).toString();
      const at = text.indexOf(last);
      if (at >= 0) return { path, line: text.slice(0, at).split('\n').length };
    }
    return undefined;
  }

  #place({ url, lineNumber, columnNumber }: Frame): Place | undefined {
    const path = this.fileOf(url);
    if (path === undefined) return undefined;
    // Of a page, Chromium says this if it does not know more.
    if (lineNumber === 0 && columnNumber === 0 && /\.html?$/i.test(path)) return { path };
    const map = this.#mapOf(path);
    if (map === undefined) return { path, line: lineNumber + 1, column: columnNumber + 1 };
    const { source, line, column } = originalPositionFor(map, { line: lineNumber + 1, column: columnNumber });
    if (source === null || line === null) return { path };
    const original = decoded(source.replace(/^file:\/*/, ''));
    // Anyone can write a map.
    if (original.length > LIMITS.pathBytes) return { path };
    return /(?:^|\/)node_modules\//.test(original) ? undefined : { path: original, line, column: column + 1 };
  }

  #mapOf(path: string): TraceMap | undefined {
    if (!this.#maps.has(path)) this.#maps.set(path, readMap(this.#site.files.get(`${path}.map`), path));
    return this.#maps.get(path);
  }
}

function textsOf(files: ReadonlyMap<string, Uint8Array>): Map<string, string> {
  return new Map(Array.from(files, ([path, content]) => [path, Buffer.from(content).toString()]));
}

function readMap(content: Uint8Array | undefined, path: string): TraceMap | undefined {
  if (content === undefined) return undefined;
  try {
    return new TraceMap(Buffer.from(content).toString(), `${MAPS}${path}.map`);
  } catch {
    return undefined;
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
