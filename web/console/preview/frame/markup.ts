import { urlsInAttribute } from '../../../../lambda/sites/references/html.ts';
import type { Resources } from './resources.ts';
import { replaceUrls, stay } from './scripts.ts';
import type { Page } from './shims.ts';

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
    const code = element.localName === 'script' && !element.hasAttribute('src') ? scriptOf(element) : undefined;
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
function rewriteElement(element: Element, base: string, resources: Resources): void {
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

/** Properties with a URL that elements load before they are in the document, or at once. */
const LOADING: readonly (readonly [{ prototype: Element }, string])[] = [
  [HTMLImageElement, 'src'],
  [HTMLImageElement, 'srcset'],
  [HTMLMediaElement, 'src'],
  [HTMLScriptElement, 'src'],
  [HTMLLinkElement, 'href'],
];
const ATTRIBUTES = ['src', 'srcset', 'href', 'xlink:href', 'poster', 'style', 'data'];

/** Rewrites the references that scripts of the page make. */
export function installLiveReferences(page: Page): void {
  const { url, resources } = page;
  const find = (value: unknown) => resources.at(String(value), url) ?? value;
  for (const [{ prototype }, name] of LOADING) {
    const property = Object.getOwnPropertyDescriptor(prototype, name);
    if (!property?.set) continue;
    const { set } = property;
    Object.defineProperty(prototype, name, {
      ...property,
      set(value) {
        set.call(this, name === 'srcset' ? value : find(value));
      },
    });
  }
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (name, value) {
    const loads = LOADING.some(([element, property]) => property === name && this instanceof (element as never));
    setAttribute.call(this, name, loads ? String(find(value)) : value);
  };
  rewriteHtml(Element.prototype, 'innerHTML', page);
  rewriteHtml(Element.prototype, 'outerHTML', page);
  const { insertAdjacentHTML } = Element.prototype;
  Element.prototype.insertAdjacentHTML = function (position, html) {
    insertAdjacentHTML.call(this, position, rewrittenHtml(html, page));
  };
  const { Audio } = window;
  window.Audio = ((source?: string) =>
    new Audio(source === undefined ? undefined : String(find(source)))) as unknown as typeof Audio;
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'attributes') rewriteElement(target as Element, url, resources);
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const element of [node, ...node.querySelectorAll('*')]) rewriteElement(element, url, resources);
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ATTRIBUTES });
}

/** Markup must be rewritten before it is in the document: pictures load at once. */
function rewriteHtml(prototype: Element, name: 'innerHTML' | 'outerHTML', page: Page): void {
  const property = Object.getOwnPropertyDescriptor(prototype, name);
  if (!property?.set) return;
  const { set } = property;
  Object.defineProperty(prototype, name, {
    ...property,
    set(html) {
      set.call(this, rewrittenHtml(html, page));
    },
  });
}

const LOADS = /(?:src|srcset|href|poster|data|style)\s*=|url\(/i;
const inert = document.implementation.createHTMLDocument();

function rewrittenHtml(html: unknown, { url, resources }: Page): string {
  const text = html === null ? '' : String(html);
  if (!LOADS.test(text)) return text;
  const template = inert.createElement('template');
  setInnerHtml?.call(template, text);
  for (const element of template.content.querySelectorAll('*')) rewriteElement(element, url, resources);
  return template.innerHTML;
}

const setInnerHtml = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')?.set;
