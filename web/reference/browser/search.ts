import type { Entry } from '../browser-data.ts';
import { announce, create, find, onClick, unfold } from './page.ts';
import { matches } from './search-match.ts';

/** Makes the search dialog work (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). */
export function initSearch(entries: readonly Entry[]): void {
  const dialog = find<HTMLDialogElement>('#search');
  const input = find<HTMLInputElement>('input', dialog);
  const list = find('ul', dialog);
  let active = 0;

  const activate = (index: number) => {
    const options = [...list.children];
    active = (index + options.length) % (options.length || 1);
    for (const [at, option] of options.entries()) option.ariaSelected = String(at === active);
    options[active]?.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', options[active]?.id ?? '');
  };
  const show = () => {
    const found = matches(entries, input.value);
    list.replaceChildren(...found.map(option));
    input.ariaExpanded = String(found.length > 0);
    find('p', dialog).hidden = found.length > 0;
    activate(0);
    announce(`${found.length} results`);
  };
  const open = () => {
    if (document.querySelector('dialog[open]')) return;
    dialog.showModal();
    input.select();
    show();
  };
  const go = (chosen: Element | undefined) => {
    const id = chosen?.getAttribute('data-target');
    if (!id) return;
    dialog.close();
    location.hash = id;
    unfold(id)?.scrollIntoView();
  };

  onClick('[data-search]', open);
  onClick('[role=option]', go);
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, target } = event;
    const isTyping = target instanceof Element && target.matches('input, textarea, select');
    if (!(key === '/' && !isTyping) && !(key === 'k' && (ctrlKey || metaKey))) return;
    event.preventDefault();
    open();
  });
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => activate(active + 1),
      ArrowUp: () => activate(active - 1),
      Enter: () => go(list.children[active]),
      Escape: () => dialog.close(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function option([id, title, group, words]: Entry, index: number): HTMLElement {
  const name = create(id.includes('.') ? 'code' : 'span', {}, title);
  const detail = create('small', {}, group ? `${group} · ${words}` : words);
  const element = create('li', { id: `result-${index}`, role: 'option' }, name, detail);
  element.dataset.target = id;
  return element;
}
