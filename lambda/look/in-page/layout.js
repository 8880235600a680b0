/**
 * Returns texts that lie on each other, headings that the list below them touches although its items have more space between
 * them, controls that stick out of the form or the box that they are in, or whose text does not fit into their own,
 * controls that the edge of the window cuts, where nobody can scroll, and elements that are shown although they have the
 * attribute `hidden`. What is turned, moves, or lies on a background of its own may be meant so.
 */
export function findMisplaced() {
  const MOST_TEXTS = 600;
  const MOST_CONTROLS = 300;
  const FAINT = 0.5;
  /** Below a heading, in sizes of its letters. */
  const LEAST_SPACE = 0.4;
  const { innerWidth: width, innerHeight: height } = window;
  const found = [];
  const tagOf = (element) => element.cloneNode(false).outerHTML.replace(/<\/[^>]*>$/, '');
  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const ancestors = function* (element) {
    for (let one = element; one; one = one.parentElement) yield one;
  };
  const alphaOf = (color) =>
    color === 'transparent' ? 0 : Number(/^rgba\(.*, ([\d.]+)\)$|\/ ([\d.]+)\)$/.exec(color)?.slice(1).join('') ?? 1);
  const covers = (element) => {
    const { backgroundColor, backgroundImage, backdropFilter } = styleOf(element);
    return alphaOf(backgroundColor) > 0 || backgroundImage !== 'none' || (backdropFilter ?? 'none') !== 'none';
  };
  /** Returns a function that reports if something holds for an element or one around it, and remembers what it found. */
  const inherited = (holds) => {
    const known = new Map();
    return (element) => {
      const path = [];
      let one = element;
      for (; one && !known.has(one); one = one.parentElement) path.push(one);
      let value = one ? known.get(one) : false;
      for (const each of path.reverse()) {
        value ||= holds(each);
        known.set(each, value);
      }
      return value;
    };
  };
  const isTurnedAround = inherited((one) => {
    const { transform, rotate, writingMode, transformStyle, backfaceVisibility } = styleOf(one);
    const [, , b = 0, c = 0] = /^matrix\(([^,]+), ([^,]+), ([^,]+),/.exec(transform) ?? [];
    if (Math.abs(b) > 0.01 || Math.abs(c) > 0.01 || transform.startsWith('matrix3d')) return true;
    if (transformStyle === 'preserve-3d' || backfaceVisibility === 'hidden') return true;
    return rotate !== 'none' || writingMode !== 'horizontal-tb';
  });
  const isTurned = (element) => {
    const { b, c } = (element.ownerSVGElement && element.getCTM()) || { b: 0, c: 0 };
    return Math.abs(b) > 0.01 || Math.abs(c) > 0.01 || isTurnedAround(element);
  };
  /** It stays where it is while the page scrolls beneath, or is hidden in a way of its own. */
  const isApart = inherited((one) => {
    const { position, clip, clipPath, opacity, mixBlendMode, animationName } = styleOf(one);
    if (position === 'fixed' || position === 'sticky' || mixBlendMode !== 'normal') return true;
    if (clip !== 'auto' || clipPath !== 'none' || Number(opacity) < FAINT || animationName !== 'none') return true;
    return one.matches('marquee, [aria-hidden=true]');
  });
  const EVERYWHERE = { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 };
  const common = (a, b) => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const windows = new Map();
  /** Returns where an element and those around it let their content be seen. */
  const windowOf = (element) => {
    const path = [];
    let one = element;
    for (; one && !windows.has(one); one = one.parentElement) path.push(one);
    let shown = one ? windows.get(one) : EVERYWHERE;
    for (const each of path.reverse()) {
      const { overflowX, overflowY } = styleOf(each);
      const isOpen = (overflowX === 'visible' && overflowY === 'visible') || each === document.body;
      shown = isOpen ? shown : common(shown, each.getBoundingClientRect());
      windows.set(each, shown);
    }
    return shown;
  };
  /** Returns what of a box the elements around it do not cut off; undefined if nothing. */
  const shownPart = (box, element) => {
    const part = common(box, windowOf(element));
    const isReached = part.right + scrollX > 0 && part.bottom + scrollY > 0;
    return isReached && part.right - part.left > 2 && part.bottom - part.top > 2 ? part : undefined;
  };
  const boxesOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()];
  };

  /** Lines of texts, where their letters are: between them and the next line there may be less space than they have. */
  const lines = [];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode() && lines.length < MOST_TEXTS) {
    const { data, parentElement: parent } = nodes.currentNode;
    if (data.trim().length < 2 || !parent || parent.closest('script, style, noscript, template, title, desc')) continue;
    if (parent.closest('button, a')?.matches(':disabled')) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { color, fontSize, webkitTextFillColor } = styleOf(parent);
    const size = Number.parseFloat(fontSize);
    if (Math.min(alphaOf(color), alphaOf(webkitTextFillColor)) < FAINT || size < 6) continue;
    if (isApart(parent) || isTurned(parent)) continue;
    for (const box of boxesOf(nodes.currentNode)) {
      const part = shownPart(box, parent);
      if (!part || box.width < 4) continue;
      const quarter = box.height / 4;
      const [top, bottom] = [Math.max(part.top, box.top + quarter), Math.min(part.bottom, box.bottom - quarter)];
      if (bottom > top) lines.push({ ...part, top, bottom, size, parent, text: data.trim() });
    }
  }
  const isCovered = (under, over) => {
    for (const one of ancestors(over)) {
      if (one.contains(under)) return false;
      if (covers(one)) return true;
    }
    return false;
  };
  const said = new Set();
  lines.sort((a, b) => a.top - b.top);
  for (const [i, a] of lines.entries())
    for (let j = i + 1; j < lines.length; j++) {
      const b = lines[j];
      if (b.top >= a.bottom) break;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - b.top;
      const isDeep = across > 4 && down > Math.min(a.bottom - a.top, b.bottom - b.top) * 0.25;
      if (!isDeep || a.text === b.text || a.parent === b.parent || said.has(a.parent)) continue;
      // A large number or word behind a text is a decoration.
      if (Math.max(a.size, b.size) > 2.5 * Math.min(a.size, b.size)) continue;
      if (isCovered(a.parent, b.parent) || isCovered(b.parent, a.parent)) continue;
      said.add(a.parent);
      found.push({ what: 'overlap', texts: [a.text, b.text], element: tagOf(b.parent) });
    }

  const isInScroller = inherited(
    (one) => one !== document.body && one !== document.documentElement && styleOf(one).overflowX !== 'visible',
  );
  const isMoved = inherited((one) => {
    const { transform, translate, animationName, clipPath } = styleOf(one);
    return transform !== 'none' || translate !== 'none' || animationName !== 'none' || clipPath !== 'none';
  });
  const CONTROLS = 'button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab]';
  const nameOf = (control) =>
    // The text of a select is that of all its options.
    (
      control.ariaLabel ||
      (control.localName === 'select' ? '' : control.innerText) ||
      control.labels?.[0]?.innerText ||
      control.title ||
      control.localName
    )
      .trim()
      .split('\n')[0]
      .trim();
  for (const element of document.querySelectorAll('[hidden]:not([hidden=until-found])')) {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const isFixed = [...ancestors(element)].some((one) => styleOf(one).position === 'fixed');
    const isInWindow = right > 8 && left < width - 8 && bottom > 8 && !(isFixed && top > height - 8);
    const isShown = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!isShown || !isInWindow || right - left < 8 || bottom - top < 8) continue;
    const shows = element.innerText?.trim() || element.querySelector('button, input, select, textarea, img, svg');
    if (shows && !element.parentElement.closest('[hidden]'))
      found.push({ what: 'revealed', texts: [], element: tagOf(element) });
  }

  const root = document.documentElement;
  const viewport = styleOf(root).overflowX === 'visible' ? document.body : root;
  const canScroll = root.scrollWidth > width + 1 && !/hidden|clip/.test(styleOf(viewport).overflowX);
  for (const control of [...document.querySelectorAll(CONTROLS)].slice(0, MOST_CONTROLS)) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { left, right, top, bottom } = control.getBoundingClientRect();
    if (right - left < 8 || bottom - top < 8 || isMoved(control)) continue;
    const isCutLeft = left < -8 && right > 8;
    const isCutRight = right > width + 8 && left < width - 8 && !canScroll;
    const fixed = [...ancestors(control)].find((one) => styleOf(one).position === 'fixed');
    const isBelow =
      fixed && top >= 0 && bottom > height + 8 && top < height - 8 && styleOf(fixed).overflowY === 'visible';
    if ((isCutLeft || isCutRight || isBelow) && !isInScroller(control.parentElement)) {
      found.push({ what: 'outside', texts: [nameOf(control)], element: tagOf(control) });
      continue;
    }
    const { display, textOverflow, overflowX } = styleOf(control);
    const hasBox = covers(control) || styleOf(control).borderLeftStyle !== 'none';
    if (!hasBox || display === 'inline' || display === 'contents' || textOverflow === 'ellipsis') continue;
    if (!control.matches('button, a, summary, [role=button], [role=tab]') || control.querySelector('svg, img'))
      continue;
    const texts = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
    let isCut = false;
    while (texts.nextNode() && !isCut) {
      const { data, parentElement: parent } = texts.currentNode;
      if (
        data.trim() === '' ||
        isApart(parent) ||
        isTurned(parent) ||
        styleOf(parent).position === 'absolute' ||
        (parent !== control && styleOf(parent).overflowX !== 'visible')
      )
        continue;
      isCut = boxesOf(texts.currentNode).some(
        (box) =>
          box.width > 2 &&
          // Wholly outside, it is hidden on purpose, as the name of a picture is.
          !(overflowX !== 'visible' && (box.right < left || box.left > right || box.top >= bottom)) &&
          (box.left < left - 3 ||
            box.right > right + 3 ||
            (overflowX !== 'visible' && box.bottom - box.height / 4 > bottom)),
      );
    }
    if (isCut) found.push({ what: 'cut', texts: [nameOf(control)], element: tagOf(control) });
  }

  const isShown = (element) => {
    const box = element.getBoundingClientRect();
    const isVisible = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    return isVisible && box.width > 8 && box.height > 8;
  };
  const linesOf = (element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const boxes = [];
    while (texts.nextNode()) if (texts.currentNode.data.trim() !== '') boxes.push(...boxesOf(texts.currentNode));
    return boxes.filter((box) => box.width > 1);
  };
  /** Returns the space between the texts of two elements below each other; undefined if one has no text. */
  const spaceBetween = (above, below) => {
    const [last, first] = [linesOf(above).at(-1), linesOf(below)[0]];
    return last && first ? first.top - last.bottom : undefined;
  };
  for (const heading of [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].slice(0, MOST_CONTROLS)) {
    const list = heading.nextElementSibling;
    if (!list?.matches('ul, ol, dl') || !isShown(heading) || !isShown(list) || covers(heading)) continue;
    const { fontSize, position } = styleOf(heading);
    const apart = list.getBoundingClientRect().top - heading.getBoundingClientRect().bottom;
    if (Math.abs(apart) > 3 || position === 'sticky') continue;
    const space = spaceBetween(heading, list);
    const [item, next] = list.children;
    const ofItems = next ? spaceBetween(item, next) : undefined;
    const least = Math.min(Number.parseFloat(fontSize) * LEAST_SPACE, ofItems === undefined ? 8 : ofItems - 2);
    if (space !== undefined && space < least)
      found.push({ what: 'touching', texts: [heading.innerText], element: tagOf(list) });
  }

  const left = new Set();
  const BOXED = 'input:not([type=hidden]), select, textarea, button, fieldset';
  for (const control of [...document.querySelectorAll(BOXED)].slice(0, MOST_CONTROLS)) {
    if (!isShown(control)) continue;
    const own = control.getBoundingClientRect();
    for (let one = control; one !== document.body; one = one.parentElement) {
      const { overflowX, position, transform, borderLeftWidth, boxShadow } = styleOf(one);
      // What scrolls, moves, or is placed by itself may leave its box.
      if (one !== control && /auto|scroll/.test(overflowX)) break;
      const isBox = covers(one) || borderLeftWidth !== '0px' || boxShadow !== 'none';
      if (one !== control && (one.matches('form') || overflowX === 'hidden' || isBox)) {
        const box = one.getBoundingClientRect();
        const isOver =
          (own.right > box.right + 4 && own.left < box.right - 8) ||
          (own.left < box.left - 4 && own.right > box.left + 8);
        if (isOver && !left.has(one)) found.push({ what: 'beyond', texts: [nameOf(control)], element: tagOf(one) });
        if (isOver) left.add(one);
        break;
      }
      if (/absolute|fixed/.test(position) || transform !== 'none') break;
    }
  }
  return found.slice(0, 20);
}
