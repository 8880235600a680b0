import { columns, get, inColumn } from './cards.js';
import { matches } from './filter.js';
import { describe, limitOf, setLimit } from './limits.js';

const $ = (id) => document.getElementById(id);

/** Shows limits and the filter on a board that was just drawn. */
export function decorate() {
  const query = $('filter').value;
  [...$('board').children].forEach((column, index) => {
    const { label, state } = describe(inColumn(index).length, limitOf(index));
    column.querySelector('.number').textContent = state === 'over' ? `${label}, too many` : label;
    column.dataset.state = state;
  });
  let hidden = 0;
  for (const card of $('board').querySelectorAll('.card')) {
    card.parentElement.hidden = !matches(get(card.dataset.id).text, query);
    if (card.parentElement.hidden) hidden++;
  }
  $('hidden').textContent = hidden > 0 ? `${hidden} hidden` : '';
}

$('filter').addEventListener('input', decorate);
$('filter').addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  $('filter').value = '';
  decorate();
});
$('open-limits').addEventListener('click', () => {
  $('limit-list').replaceChildren(
    ...columns.map((name, index) => {
      const label = document.createElement('label');
      const input = Object.assign(document.createElement('input'), { type: 'number', min: 0, max: 99, placeholder: 'none' });
      input.value = limitOf(index) ?? '';
      input.addEventListener('change', () => {
        if (!input.validity.valid) return;
        setLimit(index, input.valueAsNumber || 0);
        decorate();
      });
      label.append(name, input);
      return label;
    }),
  );
  $('limits').showModal();
});
