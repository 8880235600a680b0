import { TagReader } from '../html-reader.ts';
import type { Span } from '../references/css-tokens.ts';

/** Returns the path that a URL has in the project, without query and fragment; empty if browsers load nothing from it. */
export function pathOf(url: string, from: string): string {
  const base = from.split('/').map((part) => encodeURIComponent(part.toWellFormed()));
  // URLs may have tabs and line feeds, without which they can name an invalid host.
  const pathname = URL.parse(url, `file:///${base.join('/')}`)?.pathname ?? '/';
  try {
    // As paths of a project are.
    return decodeURIComponent(pathname).slice(1).normalize('NFC');
  } catch {
    return pathname.slice(1);
  }
}

/** A tag of a page. `html.slice(start, end)` is the tag, or the whole element of a script or style. */
export interface PageTag extends Span {
  /** In lower case. */
  readonly name: string;
  /** By name in lower case; the first one of two counts. The span of one is that of its name and value in the page. */
  readonly attributes: ReadonlyMap<string, Span & { readonly value: string }>;
  /** The text of a script or style; empty for other elements. */
  readonly text: string;
  /** Where the text begins: behind the start tag. */
  readonly textStart: number;
}

/** Returns the tags of a page that have attributes, its scripts and styles, and the end tags `/head` and `/body`, in order. Takes linear time. */
export function pageTags(html: string): readonly PageTag[] {
  return new PageTags(html).read().tags;
}

/** Returns the URL of a script; undefined for other tags. */
export function scriptUrl({ name, attributes }: PageTag): string | undefined {
  return name === 'script' ? attributes.get('src')?.value.trim() : undefined;
}

/** Returns the type of a script, such as `module` or `importmap`; undefined for other tags. */
export function scriptType({ name, attributes }: PageTag): string | undefined {
  return name === 'script' ? attributes.get('type')?.value.trim().toLowerCase() : undefined;
}

class PageTags extends TagReader {
  readonly tags: PageTag[] = [];
  #start = 0;
  /** The script or style that is being read. */
  #open: PageTag | undefined;

  override onopentagname(start: number, end: number): void {
    super.onopentagname(start, end);
    this.#start = start - 1;
  }

  override onopentagend(end: number): void {
    const tag = {
      name: this.element,
      attributes: this.attributes,
      text: '',
      start: this.#start,
      end: end + 1,
      textStart: end + 1,
    };
    if (this.element === 'script' || this.element === 'style') this.#open = tag;
    else if (this.attributes.size > 0) this.tags.push(tag);
  }

  override onselfclosingtag(end: number): void {
    this.onopentagend(end);
  }

  override onclosetag(start: number, end: number): void {
    const name = this.nameAt(start, end);
    const close = this.html.indexOf('>', end) + 1 || this.html.length;
    if (this.#open?.name === name) {
      const text = this.html.slice(this.#open.textStart, start - 2);
      this.tags.push({ ...this.#open, text, end: close });
      this.#open = undefined;
    } else if (name === 'head' || name === 'body') {
      this.tags.push({
        name: `/${name}`,
        attributes: new Map(),
        text: '',
        start: start - 2,
        end: close,
        textStart: close,
      });
    }
  }
}
