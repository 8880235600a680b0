import { entryOf } from '../../../../lambda/sites/paths.ts';
import { decode } from '../../../../lambda/sites/rules/pattern.ts';
import type { Files } from '../messages.ts';

/** The files of a project by the URLs that they have in the preview. As when it is deployed, the folder of its entry is the root. */
export class PreviewSite {
  readonly entry: string;
  readonly #files: Files;
  readonly #root: string;
  readonly #origin: string;

  /** @param origin of the preview's URL: it stands for the origin of the deployed page */
  constructor(files: Files, origin: string) {
    this.#files = files;
    this.#origin = origin;
    this.entry = entryOf([...files.keys()]);
    this.#root = this.entry.slice(0, this.entry.lastIndexOf('/') + 1);
  }

  /** The scripts and data that modules import. */
  get modules(): string[] {
    return [...this.#files.keys()].filter((path) => path.startsWith(this.#root) && /\.(?:[cm]?js|json)$/i.test(path));
  }

  content(file: string): string | Uint8Array {
    return this.#files.get(file) ?? '';
  }

  text(file: string): string {
    const content = this.content(file);
    return typeof content === 'string' ? content : new TextDecoder().decode(content);
  }

  /** Returns the URL of a file in the root. */
  urlOf(file: string): string {
    const path = file.slice(this.#root.length);
    return `${this.#origin}/${path.split('/').map(encodeURIComponent).join('/')}`;
  }

  /** Returns an absolute URL if the reference is one to the project, or undefined. Fragments of the same page are none. */
  localUrl(reference: string, base: string): URL | undefined {
    const trimmed = reference.trim();
    if (trimmed === '' || trimmed.startsWith('#') || !URL.canParse(trimmed, base)) return undefined;
    const url = new URL(trimmed, base);
    return url.origin === this.#origin && url.protocol.startsWith('http') ? url : undefined;
  }

  /** Returns the file at a URL of the project, or undefined. */
  fileAt({ pathname }: Pick<URL, 'pathname'>): string | undefined {
    const path = decode(pathname.slice(1));
    if (path === '') return this.entry || undefined;
    const name = this.#root + path;
    const candidates = [name, name.endsWith('/') ? `${name}index.html` : `${name}/index.html`, `${name}.html`];
    return candidates.find((file) => this.#files.has(file));
  }

  /** Returns the page that a visitor of a URL sees: its own, or the fallback that the service would choose. */
  pageAt(url: URL): string | undefined {
    const fallbacks = ['200.html', '404.html'].map((name) => this.#root + name);
    return this.fileAt(url) ?? fallbacks.find((file) => this.#files.has(file)) ?? (this.entry || undefined);
  }
}
