/** Returns the first element that matches. @throws Error if the page has none */
export function find<T extends Element = HTMLElement>(selector: string, parent: ParentNode = document): T {
  const element = parent.querySelector<T>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
}

/** Returns a new element. */
export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Calls a listener with the element that was clicked, or the ancestor of it, that matches. */
export function onClick(selector: string, listener: (element: HTMLElement) => unknown): void {
  document.addEventListener('click', ({ target }) => {
    const element = target instanceof Element && target.closest<HTMLElement>(selector);
    if (element) listener(element);
  });
}

/** Makes screen readers say a message. */
export function announce(message: string): void {
  find('#status').textContent = message;
}

/** Opens the folded fields around an element, by default the target of the URL, and returns the element. */
export function unfold(id = location.hash.slice(1)): HTMLElement | null {
  const target = document.getElementById(id);
  let folded = target?.parentElement?.closest('details');
  for (; folded; folded = folded.parentElement?.closest('details')) folded.open = true;
  return target;
}

/** Makes the buttons of the page copy, and clicks outside of dialogs close them. */
export function initPage(): void {
  // Content fills a dialog, so that only its backdrop is the dialog itself.
  document.addEventListener('click', ({ target }) => target instanceof HTMLDialogElement && target.close());
  onClick('.anchor', (anchor) => copy((anchor as HTMLAnchorElement).href, 'Link copied'));
  onClick('.code .copy', async (button) => {
    const panels = button.closest('.code')?.querySelectorAll('pre') ?? [];
    const shown = [...panels].find((panel) => panel.checkVisibility());
    if (!shown) return;
    const copied = await copy(shown.textContent, 'Copied');
    if (!copied) getSelection()?.selectAllChildren(shown);
    button.textContent = copied ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => Object.assign(button, { textContent: 'Copy' }), 2_000);
  });
}

/** Resolves to false where the browser has no clipboard, as on pages without HTTPS. */
async function copy(text: string, message: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce(message);
    return true;
  } catch {
    return false;
  }
}
