import { render } from 'preact';
import type { ConsoleData } from './data.ts';
import { keepBuilt } from './effects/build.ts';
import { Context, Hold } from './effects/context.ts';
import { clearKept, guardEdits, keepGallery, keepProjects } from './effects/keep.ts';
import { keepLooking } from './effects/looks.ts';
import { followUrl } from './effects/open.ts';
import { Store } from './state/reduce.ts';
import { ProjectDatabase } from './storage/project-database.ts';
import { ProjectMemory } from './storage/project-store.ts';
import { App } from './views/app.tsx';

const find = (id: string) => document.getElementById(id) as HTMLElement;

const data = JSON.parse(find('data').textContent) as ConsoleData;
const { isolated } = data;
const context = new Context(new Store(), isolated ? new ProjectDatabase() : new ProjectMemory(), new Hold(isolated));
if (isolated) keepGallery(context);
else clearKept();
keepProjects(context);
guardEdits(context, isolated);
keepBuilt(context);
keepLooking(context);
followUrl(context);
keepFocus(find('app'));
render(<App context={context} data={data} />, find('app'));

/**
 * Moves the focus to the nearest part of the page that takes it when the element that has it is removed, such as a button that is
 * replaced: users of a keyboard would start from the top again.
 */
function keepFocus(root: HTMLElement): void {
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
