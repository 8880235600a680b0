/**
 * Reports if style sheets of other sites, or scripts that make some, may have rules, which a look does not load. Those of fonts have none.
 */
export function isStyledElsewhere() {
  const MAKERS = /tailwind|unocss|twind|windi|bootstrap/i;
  const FONTS = /^(?:fonts\.(?:googleapis\.com|bunny\.net)|(?:use|p)\.typekit\.net|rsms\.me)$/;
  const isElsewhere = (url) => {
    const { origin, hostname } = URL.parse(url, document.baseURI) ?? location;
    return origin !== location.origin && /^https?:/.test(origin) && !FONTS.test(hostname);
  };
  const importsElsewhere = (sheet) => {
    try {
      return [...sheet.cssRules].some((rule) => rule instanceof CSSImportRule && isElsewhere(rule.href));
    } catch {
      return false;
    }
  };
  const sheets = [...document.querySelectorAll('link[rel~=stylesheet]')];
  const scripts = [...document.querySelectorAll('script[src]')].filter(({ src }) => MAKERS.test(src));
  return (
    sheets.some(({ href }) => isElsewhere(href)) ||
    scripts.some(({ src }) => isElsewhere(src)) ||
    [...document.styleSheets].some(importsElsewhere)
  );
}

/**
 * Returns elements with classes that show that no rule applies to them: links that skip the header and stand in the
 * window, buttons as browsers draw them beside others with a style, shapes of a drawing without a color, and texts
 * without a space between them. None if scripts are elsewhere: they may have had rules.
 */
export function findUnstyled() {
  const MOST_RULES = 5_000;
  const MOST = 1_000;
  const STATES = /(\()?::?(?:before|after|hover|focus(?:-visible|-within)?|active|visited|placeholder|marker)\b/g;
  const SHAPES = 'path, rect, circle, ellipse, polygon, polyline, line, text';

  const scripts = [...document.querySelectorAll('script[src]')];
  if (scripts.some(({ src }) => URL.canParse(src) && new URL(src).origin !== location.origin)) return [];

  /** The selectors of all rules, whatever their conditions, without states and parts of elements. */
  const selectors = [];
  const read = (rules, parent) => {
    for (const rule of rules) {
      if (selectors.length > MOST_RULES) return;
      let own = parent;
      if (rule.selectorText !== undefined) {
        // Within `:not()`, a state is one that is not there.
        own = rule.selectorText
          .replaceAll('&', parent === undefined ? ':scope' : `:is(${parent})`)
          .replace(STATES, (_, inside) => (inside ? '(x-none' : ''));
        selectors.push(...own.split(/,(?![^()]*\))/).map((one) => one.trim()));
      }
      if (rule.styleSheet) read(rule.styleSheet.cssRules, parent);
      if (rule.cssRules) read(rule.cssRules, own);
    }
  };
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets])
    try {
      read(sheet.cssRules);
    } catch {
      // A sheet of another site that was not loaded.
    }
  if (selectors.length === 0 || selectors.length > MOST_RULES) return [];
  const telling = selectors.filter((one) => one !== '' && !/(?:^|[\s>+~])(?:\*|:root|html|body)$/.test(one));
  // Of a list in `:is()`, browsers ignore what they do not know.
  const any = `:is(${telling.join()})`;
  const hasRule = (element) => element.hasAttribute('style') || element.matches(any);

  const found = [];
  const tagOf = (element) => element.cloneNode(false).outerHTML.replace(/<\/[^>]*>$/, '');
  const add = (what, element, more) => {
    const [first = ''] = element.classList;
    const count = document.getElementsByClassName(first).length;
    found.push({ what, element: tagOf(element), classes: [...element.classList], count, ...more });
  };
  const isVisible = (element) => {
    const { width, height, right, bottom } = element.getBoundingClientRect();
    const shown = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    return shown && width > 8 && height > 8 && right > 0 && bottom > 0;
  };
  const withClass = [...document.querySelectorAll('body [class]')].slice(0, MOST);

  const skip = document.querySelector('body a[href], body button, body input');
  const target = skip?.getAttribute('href');
  if (
    /skip|jump|spring|aller|saltar|ir al|pular|content|inhalt|main/i.test(
      `${skip?.className} ${target} ${skip?.innerText}`,
    ) &&
    skip.classList.length > 0 &&
    /^#./.test(target) &&
    document.getElementById(target.slice(1)) !== null
  ) {
    const { clip, clipPath } = getComputedStyle(skip);
    if (isVisible(skip) && clip === 'auto' && clipPath === 'none' && !skip.closest('nav, ul, ol, main'))
      add('skip', skip);
  }

  /** As a browser draws it: https://html.spec.whatwg.org/multipage/rendering.html#the-button-element */
  const isPlain = (button) => {
    const { appearance, borderTopStyle } = getComputedStyle(button);
    return appearance === 'auto' && borderTopStyle === 'outset' && !hasRule(button);
  };
  const buttons = [...document.querySelectorAll('button')].slice(0, 100).filter(isVisible);
  const plain = buttons.filter((button) => isPlain(button));
  if (buttons.length - plain.length > 1)
    for (const button of plain) if (button.classList.length > 0) add('button', button);

  /** Its color is written in the markup, as that of icons is. */
  const isColored = (shape, svg) => {
    for (let one = shape; one && one !== svg.parentElement; one = one.parentElement)
      if (one.hasAttribute('fill') || one.hasAttribute('stroke') || one.hasAttribute('style')) return true;
    return false;
  };
  for (const element of withClass) {
    const svg = element.ownerSVGElement;
    if (!svg || !isVisible(svg) || element.closest('defs, symbol, clipPath, mask') || hasRule(element)) continue;
    const shapes = [element, ...element.querySelectorAll('*')].filter((one) => one.matches(SHAPES));
    if (shapes.some((shape) => !isColored(shape, svg) && !hasRule(shape))) add('drawing', element);
  }

  for (const left of withClass) {
    const right = left.nextSibling;
    if (right?.nodeType !== Node.ELEMENT_NODE || left.children.length + right.children.length > 0) continue;
    if (![left, right].every((one) => getComputedStyle(one).display === 'inline' && isVisible(one))) continue;
    // Other texts may be one word, or a number with its unit.
    if (!/\p{Ll}$/u.test(left.textContent) || !/^(?:\p{Lu}|\p{N})/u.test(right.textContent)) continue;
    const [before, after] = [[...left.getClientRects()].at(-1), right.getClientRects()[0]];
    const isBeside = Math.abs(after.left - before.right) < 1 && Math.abs(after.bottom - before.bottom) < 3;
    const texts = [left.textContent, right.textContent].map((text) => text.trim().slice(0, 30));
    if (isBeside && !hasRule(left) && !hasRule(right)) add('stuck', left, { texts });
  }
  return found.slice(0, 100);
}
