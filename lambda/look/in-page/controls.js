/**
 * Returns the visible controls in the order in which they are used: fields first, what deletes or leaves last.
 * @param {string} home the URL of the site, which ends with a slash
 */
export function listControls(home) {
  const SELECTOR =
    'a[href], button, input, select, textarea, summary, canvas, [contenteditable=""], [contenteditable=true], [onclick], [role=button], [role=tab], [role=menuitem], [role=switch], [role=checkbox], [role=radio], [role=option], [role=link], [role=gridcell], label';
  const PRESSED = /^(?:button|submit|reset|checkbox|radio|image)$/;
  const LATE = /delete|remove|clear|reset|log ?out|sign ?out|close|cancel|lösch|supprim|elimin|borrar|apagar/i;
  const all = [];
  const collect = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.matches(SELECTOR)) all.push(element);
      if (element.shadowRoot) collect(element.shadowRoot);
    }
  };
  collect(document);

  const isVisible = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 2 && height > 2 && element.checkVisibility({ visibilityProperty: true });
  };
  /** A field for a file is often hidden, and opened by its label or by a button beside it. */
  const isOffered = (element) =>
    isVisible(element) ||
    (element.type === 'file' && [...element.labels, element.parentElement].some((one) => one && isVisible(one)));
  const nameOf = (element) => {
    const isButton = /^(?:submit|button|reset)$/.test(element.type);
    const label = element.labels?.[0]?.innerText || element.placeholder;
    const name =
      element.ariaLabel ||
      (element.matches('select, input, textarea') ? (isButton && element.value) || label : element.innerText) ||
      element.title ||
      element.querySelector?.('img[alt]')?.alt ||
      element.name ||
      element.id ||
      element.localName;
    return String(name).trim().split('\n')[0].slice(0, 40).trim();
  };
  const markupOf = (element) => {
    const parts = [];
    for (let one = element; one && parts.length < 3; one = one.parentElement) parts.push(one.localName);
    return `${parts.join(' ')} ${element.getAttribute('role') ?? ''} ${element.getAttribute('type') ?? ''} ${element.classList[0] ?? ''}`;
  };
  const linkOf = (element) => {
    const { href, download } = element;
    if (typeof href !== 'string' || download !== '') return undefined;
    return href.startsWith(home) ? href : undefined;
  };
  const useOf = (element) => {
    if (element.disabled || element.readOnly || element.ariaDisabled === 'true') return undefined;
    if (element.localName === 'a' && element.hasAttribute('href')) return linkOf(element) && 'link';
    if (element.localName === 'select') return 'choose';
    if (element.localName === 'textarea' || element.isContentEditable) return 'type';
    // A label is pressed in the place of a field that only it shows.
    if (element.localName === 'label')
      return element.control?.matches('[type=checkbox], [type=radio]') && !isVisible(element.control)
        ? 'press'
        : undefined;
    if (element.localName !== 'input' || PRESSED.test(element.type)) return 'press';
    if (element.type === 'hidden') return undefined;
    if (element.type === 'file') return /csv|text|\.(?:txt|md)\b|image/.test(element.accept) ? 'file' : undefined;
    return /^(?:date|time|month|week|datetime-local|color|range)$/.test(element.type) ? 'set' : 'type';
  };

  const controls = all
    .map((element) => ({ element, use: useOf(element) }))
    .filter(({ element, use }) => use !== undefined && isOffered(element))
    .map(({ element, use }) => {
      const name = nameOf(element);
      const isField = use !== 'press' && use !== 'link';
      const isChoice = element.matches('input[type=checkbox], input[type=radio], label');
      let rank = isField || isChoice ? 0 : 1;
      if (use === 'link' || use === 'file') rank = 2;
      if (rank === 1 && LATE.test(name)) rank = 3;
      const url = use === 'link' ? element.href.split('#')[0] : undefined;
      const markup = url === undefined ? markupOf(element) : `link ${url}`;
      return { element, rank, use, name, url, markup, key: `${markup} ${name.replace(/\d+/g, '#')}` };
    })
    .sort((a, b) => a.rank - b.rank);
  globalThis.controls = controls.map(({ element }) => element);
  return controls.map(({ use, name, url, markup, key }, index) => ({ index, use, name, url, markup, key }));
}

/**
 * Returns the URLs of the site that links of the page have, without fragments, each once.
 * @param {string} home the URL of the site, which ends with a slash
 */
export function listLinks(home) {
  const urls = [...document.querySelectorAll('a[href]:not([download]), area[href]')].map(({ href }) => href);
  const own = urls.filter((url) => typeof url === 'string' && url.startsWith(home));
  return [...new Set(own.map((url) => url.split('#')[0]))].slice(0, 200);
}

/** Returns the fragments with which links of the page lead to views of it: those that look like paths, each once. */
export function listViews() {
  const here = location.href.split('#')[0];
  const links = [...document.querySelectorAll('a[href*="#/"], a[href*="#!/"]')].filter(
    ({ href }) => typeof href === 'string' && href.startsWith(`${here}#`),
  );
  return [...new Set(links.map(({ hash }) => hash))].filter((hash) => hash !== location.hash).slice(0, 20);
}

/** Returns the middle of a control in the window, which is scrolled to it; undefined if something else is there. */
export function reach(index) {
  const element = globalThis.controls?.[index];
  if (!element?.isConnected) return undefined;
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { x, y, width, height } = element.getClientRects()[0] ?? { x: 0, y: 0, width: 0, height: 0 };
  if (width === 0 || height === 0) return undefined;
  const middle = { x: x + width / 2, y: y + height / 2 };
  const hit = element.getRootNode().elementFromPoint(middle.x, middle.y);
  if (!hit || !(element.contains(hit) || hit.closest('label')?.control === element)) return undefined;
  if (element.localName === 'a') element.removeAttribute('target');
  return middle;
}

/** Focuses a field, and returns what to type into it, and whether Enter is pressed because nothing else submits it. */
export function beginTyping(index) {
  const field = globalThis.controls?.[index];
  if (!field) return { value: '', enter: false };
  field.focus();
  field.select?.();
  const values = {
    email: 'test@example.com',
    url: 'https://example.com/',
    tel: '+1 555 0100',
    number: field.min || '1',
    password: 'Test-1234-test',
  };
  const isNumber = /^(?:decimal|numeric)$/.test(field.inputMode);
  let value = Object.hasOwn(values, field.type) ? values[field.type] : 'Test';
  if (isNumber && field.type === 'text') value = '1';
  if (field.minLength > value.length) value = value.padEnd(field.minLength, ' text');
  if (field.maxLength >= 0) value = value.slice(0, field.maxLength);
  const submits = field.form?.querySelector('button:not([type=button], [type=reset]), input[type=submit]');
  return { value, enter: field.localName === 'input' && !submits };
}

/** Gives a field that a person sets without typing another value: a date, a color, a place of a slider, an option. */
export function setField(index) {
  const field = globalThis.controls[index];
  const values = {
    date: '2026-02-03',
    time: '09:30',
    month: '2026-02',
    week: '2026-W06',
    'datetime-local': '2026-02-03T09:30',
    color: '#336699',
  };
  field.focus();
  if (field.localName === 'select') {
    const next = [...field.options].findIndex((option, i) => i !== field.selectedIndex && !option.disabled);
    if (next < 0) return;
    field.selectedIndex = next;
  } else if (field.type === 'range') field.stepUp();
  else field.value = values[field.type];
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * Chooses a file as people have them, of the first type that a field accepts. A file in a format of the page, such as
 * JSON, is not made up.
 */
export function chooseFile(index) {
  const field = globalThis.controls[index];
  const drawn = () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 });
    const context = canvas.getContext('2d');
    context.fillStyle = '#336699';
    context.fillRect(40, 30, 160, 120);
    return Uint8Array.from(atob(canvas.toDataURL('image/png').split(',')[1]), (letter) => letter.charCodeAt(0));
  };
  const table =
    'Date,Name,Category,Amount\n2026-01-05,Alpha,Food,-12.50\n2026-01-09,Beta,Travel,-3.20\n2026-02-03,Gamma,Income,40.00\n';
  const [name, type, content] =
    field.accept
      .split(',')
      .map((accepted) => {
        if (/csv/.test(accepted)) return ['sample.csv', 'text/csv', table];
        if (/image/.test(accepted)) return ['sample.png', 'image/png', drawn()];
        return /text|txt|md/.test(accepted) ? ['sample.txt', 'text/plain', 'Alpha, beta.\n\nGamma.\n'] : undefined;
      })
      .find((file) => file !== undefined) ?? [];
  if (name === undefined) return;
  const chosen = new DataTransfer();
  chosen.items.add(new File([content], name, { type }));
  field.files = chosen.files;
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Takes the focus from everything, so that keys go to the page. */
export function leaveFields() {
  document.activeElement?.blur();
  scrollTo(0, 0);
}

/**
 * Keeps buttons that do nothing by themselves, with all that they are in, and returns what they are called and where
 * each is.
 * @param {number} most how many buttons
 */
export function keepPlainButtons(most) {
  const isPlain = (button) =>
    !button.form &&
    !button.disabled &&
    !button.popoverTargetElement &&
    !button.hasAttribute('commandfor') &&
    !button.closest('label, summary, a') &&
    button.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const kept = [document];
  const buttons = [...document.querySelectorAll('button')].filter(isPlain).slice(0, most);
  const paths = buttons.map((button) => {
    const path = [];
    for (let one = button; one; one = one.parentElement) {
      if (!kept.includes(one)) kept.push(one);
      path.push(kept.indexOf(one));
    }
    return path;
  });
  globalThis.kept = kept;
  const names = buttons.map((button) => (button.ariaLabel || button.innerText || button.title).trim());
  return names.map((name, i) => ({ name: name.split('\n')[0].slice(0, 40).trim(), path: paths[i] }));
}
