import type { PreviewSite } from './preview-site.ts';
import { replaceCssUrls, rewriteScript } from './scripts.ts';

const SCRIPT = 'text/javascript';
/** The types that browsers insist on; they detect those of pictures, sounds and fonts. */
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: SCRIPT,
  mjs: SCRIPT,
  cjs: SCRIPT,
  json: 'application/json',
  webmanifest: 'application/manifest+json',
  svg: 'image/svg+xml',
  html: 'text/html',
  htm: 'text/html',
  xml: 'application/xml',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  wasm: 'application/wasm',
  pdf: 'application/pdf',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  webm: 'video/webm',
};

export const typeOf = (file: string): string => TYPES[/\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? ''] ?? '';

/** The files of a project as `blob:` URLs, with references to each other that work. */
export class Resources {
  readonly project: PreviewSite;
  readonly #missing: (path: string, by: string) => void;
  readonly #urls = new Map<string, string>();
  /** A URL that fails to load, as that of a missing file does. */
  readonly #nowhere = URL.createObjectURL(new Blob());

  /** @param missing is told of references to files that the project does not have */
  constructor(project: PreviewSite, missing: (path: string, by: string) => void) {
    this.project = project;
    this.#missing = missing;
    URL.revokeObjectURL(this.#nowhere);
  }

  /**
   * Returns the `blob:` URL of what a reference names, or undefined if it leads elsewhere.
   * @param base URL of the page or style sheet with the reference
   */
  at(reference: string, base: string): string | undefined {
    const url = this.project.localUrl(reference, base);
    if (url === undefined) return undefined;
    const file = this.project.fileAt(url);
    if (file !== undefined) return this.#urlOf(file) + url.hash;
    this.#missing(url.pathname, base);
    return this.#nowhere;
  }

  /** Returns the URLs of the modules, by those that rewritten scripts import. */
  importMap(): Record<string, string> {
    const { project } = this;
    return Object.fromEntries(project.modules.map((file) => [project.urlOf(file), this.#urlOf(file)]));
  }

  /** Returns a script of the project for its URL in the preview. */
  script(text: string, url: string): string {
    const { project } = this;
    return rewriteScript(text, url, (specifier) => {
      if (!/^(?:\.{0,2}\/|https?:)/.test(specifier)) return undefined;
      const found = project.localUrl(specifier, url);
      if (found && project.fileAt(found) === undefined) this.#missing(found.pathname, url);
      return found?.href;
    });
  }

  css(text: string, url: string): string {
    return replaceCssUrls(text, (reference) => this.at(reference, url));
  }

  #urlOf(file: string): string {
    const known = this.#urls.get(file);
    if (known !== undefined) return known;
    // Style sheets that import each other end here.
    this.#urls.set(file, this.#nowhere);
    const type = typeOf(file);
    const url = URL.createObjectURL(new Blob([this.#content(file, type) as BlobPart], { type }));
    this.#urls.set(file, url);
    return url;
  }

  #content(file: string, type: string): string | Uint8Array {
    const url = this.project.urlOf(file);
    if (type === SCRIPT) return `${this.script(this.project.text(file), url)}\n//# sourceURL=${url}`;
    return type === 'text/css' ? this.css(this.project.text(file), url) : this.project.content(file);
  }
}
