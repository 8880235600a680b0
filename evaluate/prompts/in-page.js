// Runs in every evaluated page before its own scripts, and answers what a visitor sees and hears.
(() => {
  const DRAWN = 100;
  const drawn = [];
  const visitor = { sounds: 0, prints: 0 };
  window.visitor = visitor;

  const observe = (prototype, name, before) => {
    const original = prototype?.[name];
    if (!original) return;
    prototype[name] = function (...given) {
      before(...given);
      return original.apply(this, given);
    };
  };
  // Games draw their texts.
  for (const name of ['fillText', 'strokeText'])
    observe(window.CanvasRenderingContext2D?.prototype, name, (text) => {
      drawn.push(String(text));
      if (drawn.length > DRAWN) drawn.shift();
    });
  const heard = () => visitor.sounds++;
  observe(window.AudioScheduledSourceNode?.prototype, 'start', heard);
  observe(window.AudioBufferSourceNode?.prototype, 'start', heard);
  observe(window.HTMLMediaElement?.prototype, 'play', heard);
  window.print = () => visitor.prints++;

  const isVisible = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isVisible);

  /** The text of the page, of its fields and canvases, and the names of what has no text. */
  visitor.shown = () =>
    [
      document.body.innerText,
      ...all('input:not([type=checkbox], [type=radio], [type=password]), textarea').map(({ value }) => value),
      ...all('select').map((select) => select.selectedOptions[0]?.text ?? ''),
      ...all('[aria-label], [aria-valuetext]').map(
        (element) => `${element.ariaLabel ?? ''} ${element.ariaValueText ?? ''}`,
      ),
      ...all('img[alt]').map(({ alt }) => alt),
      ...new Set(drawn),
    ].join('\n');

  /** The text without announcements, such as "Coffee was deleted". */
  visitor.listed = () => {
    const live = [...document.querySelectorAll('[aria-live], [role=status], [role=alert], [role=log], output')];
    const before = live.map(({ style }) => style.display);
    for (const { style } of live) style.display = 'none';
    const text = visitor.shown();
    for (const [index, { style }] of live.entries()) style.display = before[index];
    return text;
  };

  const RANKS = ['button, [role=button], [role=checkbox]', '[role=gridcell], td, input', 'li, a', '*'];
  const rankOf = (element) => RANKS.findIndex((selector) => element.matches(selector));
  const near = (a, b) => Math.abs(a - b) <= 3;

  /**
   * The tiles of a board in reading order: `least` to `most` visible elements of one kind and one size. Of several groups,
   * the one that is most likely to be operable, then the larger one.
   */
  visitor.tiles = (least, most) => {
    const boxes = all('body *')
      .map((element) => ({ element, box: element.getBoundingClientRect(), rank: rankOf(element) }))
      .filter(({ box }) => box.width >= 8 && box.height >= 8);
    const groups = [];
    const taken = new Set();
    for (const seed of boxes) {
      if (taken.has(seed)) continue;
      const same = boxes.filter(
        ({ element, box }) =>
          element.tagName === seed.element.tagName &&
          near(box.width, seed.box.width) &&
          near(box.height, seed.box.height),
      );
      for (const one of same) taken.add(one);
      const places = new Set(same.map(({ box }) => `${Math.round(box.x)} ${Math.round(box.y)}`));
      const square = seed.box.width / seed.box.height;
      if (same.length >= least && same.length <= most && places.size === same.length && square > 0.4 && square < 2.5)
        groups.push(same);
    }
    groups.sort((a, b) => a[0].rank - b[0].rank || b.length - a.length);
    const tiles = (groups[0] ?? []).sort((a, b) => (near(a.box.y, b.box.y) ? a.box.x - b.box.x : a.box.y - b.box.y));
    return tiles.map(({ element, box }) => ({
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      text: element.innerText.trim() || element.value || '',
      label: element.ariaLabel ?? '',
      pictures: [...element.querySelectorAll('img, use')]
        .map((one) => one.getAttribute('src') ?? one.getAttribute('href'))
        .join(),
      look: element.outerHTML,
    }));
  };

  /** Visible elements without children whose whole text is a number. */
  visitor.numbers = () =>
    all('body *')
      .filter((element) => element.childElementCount === 0 && /^\d+$/.test(element.textContent.trim()))
      .map((element) => Number(element.textContent));

  /** Places of coloured shapes: bars of charts and time lines. */
  visitor.bars = () =>
    all('body *')
      .map((element) => ({
        style: getComputedStyle(element),
        box: element.getBoundingClientRect(),
        svg: element instanceof SVGElement,
      }))
      .filter(({ style, svg }) =>
        svg
          ? style.fill !== 'none'
          : !/^rgba\(.*, 0\)$|transparent/.test(style.backgroundColor) || style.backgroundImage !== 'none',
      )
      .filter(({ box }) => box.height >= 5 && box.height <= 80 && box.width >= 8)
      .map(({ box: { x, y, width, height } }) => ({ x, y, width, height }));

  /** The content of all canvases, and the places of everything else. */
  visitor.picture = () =>
    [
      ...[...document.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL()),
      ...all('main *, svg *').map(
        (element) => `${element.getAttribute('style')} ${element.getAttribute('class')} ${element.getAttribute('d')}`,
      ),
    ].join();

  /** The names of buttons, for the language of the interface. */
  visitor.buttons = () =>
    all('button, [role=button], input[type=submit]').map((one) => one.ariaLabel || one.innerText || one.value);

  /** What a person knows of a field before filling it. */
  visitor.field = ({ type, name, value, ariaLabel, labels, ownerDocument }) => ({
    type,
    label: `${name} ${ariaLabel} ${labels?.[0]?.textContent}`,
    answered:
      type === 'radio'
        ? ownerDocument.querySelector(`input[type=radio][name="${name}"]:checked`) !== null
        : value !== '',
  });
})();
