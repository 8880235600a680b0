/**
 * Waits until the page is drawn, and puts animations at their end, or those without one at their begin.
 * @param {number} fontsMs how long it waits for fonts
 */
export async function settleFrames(fontsMs) {
  const frame = () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  await Promise.race([document.fonts.ready, new Promise((over) => setTimeout(over, fontsMs))]);
  await frame();
  await frame();
  for (const animation of document.getAnimations()) {
    try {
      animation.finish();
    } catch {
      animation.pause();
      animation.currentTime = 0;
    }
  }
  await frame();
}

/** Returns whether a visitor finds anything on the page: a text, a control or a picture. */
export function showsSomething() {
  const isVisible = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const things = 'canvas, svg, img, video, audio, picture, object, iframe, button, input, select, textarea, a[href]';
  const within = (root) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      const hidden = parentElement?.closest('script, style, template, noscript, title');
      if (data.trim() !== '' && parentElement && !hidden && isVisible(parentElement)) return true;
    }
    if ([...root.querySelectorAll(things)].some(isVisible)) return true;
    return [...root.querySelectorAll('*')].some(
      (element) =>
        (element.shadowRoot && within(element.shadowRoot)) ||
        (isVisible(element) && /url\(|gradient\(/.test(getComputedStyle(element).backgroundImage)),
    );
  };
  return document.body !== null && within(document.body);
}

/** Returns whether all pixels of a picture have the same color. @param {string} png in base64 */
export async function isOneColor(png) {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const pixels = new Uint32Array(data.buffer);
  return pixels.every((pixel) => pixel === pixels[0]);
}

/** Returns how wide a page is that scrolls sideways, and the element that sticks out; undefined if it does not. */
export function sticksOut() {
  const root = document.documentElement;
  const width = root.clientWidth;
  if (root.scrollWidth <= width + 1) return undefined;
  const clips = (element) => /hidden|clip/.test(getComputedStyle(element).overflowX);
  const ofViewport = getComputedStyle(root).overflowX === 'visible' ? document.body : root;
  if (ofViewport === null || clips(ofViewport)) return undefined;
  /** A fixed element is as wide as the page, so it is never the cause. */
  const isContained = (element) => {
    for (let one = element; one && one !== document.body && one !== root; one = one.parentElement) {
      const { overflowX, position } = getComputedStyle(one);
      if (position === 'fixed' || (one !== element && overflowX !== 'visible')) return true;
    }
    return false;
  };
  let widest;
  for (const element of document.body.querySelectorAll('*')) {
    const { right, width: own } = element.getBoundingClientRect();
    const end = right + scrollX;
    // Of elements that end at the same place, the outermost is the cause.
    if (own > 0 && end > width + 1 && end > (widest?.end ?? 0) + 0.5 && !isContained(element))
      widest = { element, end };
  }
  const name = widest?.element.cloneNode(false).outerHTML.replace(/<\/[^>]*>$/, '');
  return { scrollWidth: root.scrollWidth, width, element: name };
}
