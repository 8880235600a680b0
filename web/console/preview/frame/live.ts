import { rewriteElement } from './markup.ts';
import type { Page } from './shown-page.ts';

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
    const loads = LOADING.some(
      ([element, property]) => property === name && this instanceof (element as never),
    );
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
          for (const element of [node, ...node.querySelectorAll('*')])
            rewriteElement(element, url, resources);
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
