/**
 * Returns the main part of the page if a visitor finds nothing there, nor anywhere but in headers, footers and
 * navigation; undefined if there is no such part, or if a field of the header asks for something first.
 */
export function findEmptyView() {
  const AROUND =
    'header, footer, nav, [role=banner], [role=contentinfo], [role=navigation], [role=status], [role=alert]';
  const VIEW = /(?:^|[-_])(?:main|app|root|content|view|outlet|page|screen)s?(?:$|[-_])/i;
  const THINGS =
    'canvas, svg, img, video, audio, picture, object, embed, iframe, button, input:not([type=hidden]), select, textarea, a[href], summary';
  /** Buttons that every header may have, in the languages in which their classes and names are written. */
  const OF_HEADERS = /theme|dark|light|mode|menu|nav|toggle|lang|search|burger/i;
  const NO_TEXT = 'script, style, template, noscript, title';
  /** Drawings are made of boxes, and an empty view may have one or two. */
  const DRAWN = 3;

  const isVisible = (element) => {
    const { width, height, top } = element.getBoundingClientRect();
    if (width === 0 || height === 0 || !element.checkVisibility({ visibilityProperty: true })) return false;
    // Further down, it may be waiting for somebody who scrolls.
    return top >= innerHeight || element.checkVisibility({ opacityProperty: true });
  };
  const isPainted = (element, pseudo) => {
    const { backgroundImage, backgroundColor, borderTopWidth, boxShadow, content } = getComputedStyle(element, pseudo);
    if (pseudo) return !/^(?:none|normal|""|'')$/.test(content);
    return (
      backgroundImage !== 'none' ||
      !/^(?:transparent|rgba\(.*, 0\))$/.test(backgroundColor) ||
      borderTopWidth !== '0px' ||
      boxShadow !== 'none'
    );
  };
  const main = [...document.querySelectorAll('main, [role=main]')];
  const isAround = (element) => {
    const around = element.closest(AROUND);
    return around !== null && !main.some((view) => view.contains(around));
  };
  /** A link within the page, such as the one that skips its header. */
  const isSkip = (element) => {
    const href = element.closest('a')?.getAttribute('href');
    return href?.startsWith('#') && href.length > 1 && document.getElementById(href.slice(1)) !== null;
  };
  const shows = (root) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement: parent } = texts.currentNode;
      if (data.trim() === '' || !parent || parent.closest(NO_TEXT) || isAround(parent)) continue;
      if (isVisible(parent) && (!isSkip(parent) || main.some((view) => view.contains(parent)))) return true;
    }
    for (const thing of root.querySelectorAll(THINGS))
      if (!isAround(thing) && !isSkip(thing) && isVisible(thing)) return true;
    let drawn = 0;
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot && shows(element.shadowRoot)) return true;
      if (isAround(element) || element.matches(NO_TEXT) || !isVisible(element)) continue;
      if (isPainted(element, '::before') || isPainted(element, '::after')) return true;
      if (!main.includes(element) && isPainted(element)) drawn++;
      if (drawn === DRAWN) return true;
    }
    return false;
  };
  /** Without `main`: what is named as the view, beside a header. */
  const named = () => {
    const header = document.querySelector('body > header, body > nav, body > div > header');
    const beside = [...(header?.parentElement.children ?? [])];
    return beside.find(
      (one) => one.matches('div, section') && [one.id, ...one.classList].some((name) => VIEW.test(name)),
    );
  };

  const view = main[0] ?? named();
  if (!view || shows(document.body)) return undefined;
  // A view of links alone, such as a list of contents.
  if ([...view.querySelectorAll('a[href]')].some(isVisible)) return undefined;
  const around = [...document.querySelectorAll(AROUND)];
  const fields = 'input:not([type=hidden]), select, textarea, canvas';
  if (around.some((one) => [...one.querySelectorAll(fields)].some(isVisible))) return undefined;
  // The page has its content in the header, as some applications have before anything is chosen.
  const tells = ({ innerText }) => innerText.length > 80;
  if (around.some((one) => one.querySelector('h1') && [...one.querySelectorAll('p')].some(tells))) return undefined;
  const offers = (button) => {
    const { ariaLabel, title, className, id, innerText } = button;
    return isVisible(button) && !OF_HEADERS.test([ariaLabel, title, className, id, innerText].join(' '));
  };
  const isOffered = around.some((one) => [...one.querySelectorAll('button')].some(offers));
  const element = view.cloneNode(false).outerHTML.replace(/<\/[^>]*>$/, '');
  return { element, isOffered };
}
