/**
 * Moves the focus to the nearest part of the page that takes it when the element that has it is removed, such as a button that is
 * replaced: users of a keyboard would start from the top again.
 */
export function keepFocus(root: HTMLElement): void {
  let parts: readonly HTMLElement[] = [];
  root.addEventListener('focusin', ({ target }) => {
    parts = partsAround(target as HTMLElement);
  });
  root.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget) parts = [];
  });
  new MutationObserver(() => {
    const isLost = document.activeElement === document.body && parts[0]?.isConnected === false;
    if (isLost) parts.find((part) => part.isConnected)?.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
}

/** Returns the element, then those around it that take the focus. */
function partsAround(element: HTMLElement): HTMLElement[] {
  const outer = element.parentElement?.closest<HTMLElement>('[tabindex]');
  return [element, ...(outer ? partsAround(outer) : [])];
}
