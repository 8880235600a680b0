import { urlsInAttribute } from '../../../../lambda/sites/references/html.ts';
import type { Resources } from './resources.ts';
import { stay } from './scripts.ts';
import { replaceUrls } from './styles.ts';

/** Attributes whose URL is followed, not loaded. */
const FOLLOWED = new Set(['action', 'cite', 'formaction']);

/**
 * Returns the document of a page, with references that work in the preview, for `document.write`.
 * @param file of the page
 */
export function renderPage(html: string, file: string, pageUrl: string, resources: Resources): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const base = baseOf(page, pageUrl, resources);
  // The policy of the preview applies; one for `'self'` would forbid `blob:` URLs.
  for (const meta of page.querySelectorAll('meta[http-equiv="content-security-policy" i]')) meta.remove();
  const source = resources.project.urlOf(file);
  const map = page.createElement('script');
  map.type = 'importmap';
  map.textContent = JSON.stringify(importMap(page, base, resources));
  for (const element of elementsOf(page)) {
    const code =
      element.localName === 'script' && !element.hasAttribute('src') ? scriptOf(element) : undefined;
    if (code !== undefined)
      element.textContent = `${linesBefore(code, html)}${resources.script(code, base)}\n//# sourceURL=${source}`;
    else rewriteElement(element, base, resources);
  }
  page.head.prepend(map);
  return (page.doctype ? '<!doctype html>' : '') + page.documentElement.outerHTML;
}

function elementsOf(root: ParentNode): Element[] {
  return [...root.querySelectorAll('*')].flatMap((element) =>
    element instanceof HTMLTemplateElement ? [element, ...elementsOf(element.content)] : [element],
  );
}

/** Rewrites what an element loads: its attributes, and the text of `<style>`. */
export function rewriteElement(element: Element, base: string, resources: Resources): void {
  const { localName } = element;
  const find = (reference: string) => resources.at(reference, base);
  if (localName === 'style') {
    const css = element.textContent ?? '';
    const rewritten = resources.css(css, base);
    if (rewritten !== css) element.textContent = rewritten;
  }
  if (localName === 'a' || localName === 'area' || localName === 'base' || localName === 'meta') return;
  for (const { name, value } of [...element.attributes]) {
    if (name.startsWith('on') && value !== stay(value)) element.setAttribute(name, stay(value));
    const spans = FOLLOWED.has(name)
      ? undefined
      : urlsInAttribute(localName, name, (other) => element.getAttribute(other) ?? '');
    if (spans === undefined) continue;
    const rewritten = replaceUrls(value, spans(value), find);
    if (rewritten === value) continue;
    // The content is not what was hashed.
    element.removeAttribute('integrity');
    element.setAttribute(name, rewritten);
  }
}

/** Returns the URL that relative references of a page start from. A `<base>` would change where fragments lead. */
function baseOf(page: Document, pageUrl: string, { project }: Resources): string {
  const bases = page.querySelectorAll('base');
  const href = [...bases].find((element) => element.hasAttribute('href'))?.getAttribute('href') ?? '';
  for (const element of bases) element.removeAttribute('href');
  return project.localUrl(href, pageUrl)?.href ?? pageUrl;
}

/** Scripts of a document that is written count their own lines: these give errors the line in the file. */
const linesBefore = (code: string, html: string) =>
  html.slice(0, Math.max(0, html.indexOf(code))).replaceAll(/[^\n]+/g, '');

/** Returns the text of an inline script, unless it is data. */
function scriptOf(element: Element): string | undefined {
  const type = element.getAttribute('type')?.trim().toLowerCase() ?? '';
  return /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/.test(type)
    ? (element.textContent ?? '')
    : undefined;
}

/** Returns the import map of the files with those of the page, which it removes. */
function importMap(page: Document, base: string, resources: Resources) {
  const imports = resources.importMap();
  const scopes: Record<string, Record<string, string>> = {};
  const scopeOf = (scope: string) => {
    scopes[absolute(scope, base)] ??= {};
    return scopes[absolute(scope, base)] ?? {};
  };
  const add = (to: Record<string, string>, from: unknown) => {
    for (const [key, value] of Object.entries(from ?? {})) {
      const specifier = absolute(key, base);
      if (typeof value !== 'string') continue;
      const target = absolute(value, base);
      // A prefix maps what the files of that folder are called.
      if (key.endsWith('/'))
        for (const [url, blob] of Object.entries(resources.importMap()))
          if (url.startsWith(target)) to[specifier + url.slice(target.length)] = blob;
      to[specifier] ??= key.endsWith('/') ? target : (resources.at(value, base) ?? value);
    }
  };
  for (const element of page.querySelectorAll('script[type="importmap" i]')) {
    element.remove();
    try {
      const map = JSON.parse(element.textContent ?? '');
      add(imports, map.imports);
      for (const [scope, mapped] of Object.entries(map.scopes ?? {})) add(scopeOf(scope), mapped);
    } catch {
      // Browsers ignore it too, and say so.
    }
  }
  return { imports, scopes };
}

const absolute = (url: string, base: string) =>
  /^(?:\.{0,2}\/|[a-z]+:)/i.test(url) && URL.canParse(url, base) ? new URL(url, base).href : url;
