/** The files of a site by their paths. */
export type SampleFiles = Readonly<Record<string, string | Uint8Array>>;

/** Sites by a name that says what each is. */
export type Samples = Readonly<Record<string, SampleFiles>>;

interface PageOptions {
  readonly lang?: string;
  readonly head?: string;
}

/** Returns an HTML page. */
export function page(title: string, body: string, { lang = 'en', head = '' }: PageOptions = {}): string {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;
}

/** Returns a site of one page. */
export const site = (title: string, body: string, options?: PageOptions): SampleFiles => ({
  'index.html': page(title, body, options),
});

/** Returns a site whose page a script builds, as bundles of React do: `h` creates elements. */
export const scripted = (title: string, code: string, options?: PageOptions): SampleFiles => ({
  'index.html': page(
    title,
    '<div id="root"></div><script type="module" src="./assets/index-B3xk29Qa.js"></script>',
    options,
  ),
  'assets/index-B3xk29Qa.js': `var e=(t,n,...r)=>({t,n,r});function x(t){return import.meta.env?.DEV?t:null}${code}`,
});

/** Returns an `<input>` with its label. */
export const field = (label: string, attributes: string): string => `<label>${label} <input ${attributes}></label>`;

/** Returns the paragraphs of a text, so that a page has content as real ones do. */
export const prose = (...paragraphs: readonly string[]): string =>
  paragraphs.map((text) => `<p>${text}</p>`).join('\n');

export const base64 = (content: string | Uint8Array): string => Buffer.from(content).toString('base64');

/** Returns bytes that look random, the same each time. */
export function noise(length: number, seed = 7): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[i] = state >>> 16;
  }
  return bytes;
}
