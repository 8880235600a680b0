import type { Entry } from '../browser-data.ts';
import { announce, create, find, onClick } from './page.ts';
import { matches } from './search-match.ts';
import { unfold } from './unfold.ts';

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
  const go = (chosen: HTMLElement | undefined) => {
    const id = chosen?.dataset.target;
    if (!id) return;
    dialog.close();
    location.hash = id;
    unfold(id)?.scrollIntoView();
  };

  onClick('[data-search]', open);
  onClick('[role=option]', go);
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
    const isSlash = event.key === '/' && !isTyping;
    if (!isSlash && !(event.key === 'k' && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    open();
  });
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) activate(active + step);
    else if (event.key === 'Escape') dialog.close();
    else if (event.key === 'Enter') go(list.children[active] as HTMLElement | undefined);
    else return;
    event.preventDefault();
  });
}

function option([id, title, group, words]: Entry, index: number): HTMLElement {
  const name = create(id.includes('.') ? 'code' : 'span', {}, title);
  const detail = create('small', {}, group ? `${group} · ${words}` : words);
  const element = create('li', { id: `result-${index}`, role: 'option' }, name, detail);
  element.dataset.target = id;
  return element;
}
