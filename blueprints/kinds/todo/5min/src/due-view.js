import { change } from './entries.js';
import { dayOf, describe } from './due.js';
import { format, texts } from './texts.js';

const $ = (id) => document.getElementById(id);
const QUICK = { [texts.today]: 0, [texts.tomorrow]: 1, [texts.inAWeek]: 7 };
let asked;

/** Makes the button of a row set the due date of its entry; `changed` is called afterwards. */
export function offerDue(item, entry, changed) {
  const button = item.querySelector('.due');
  const { label, state } = entry.due ? describe(entry.due, dayOf(new Date())) : { label: texts.addDay, state: 'none' };
  button.textContent = state === 'past' ? format(texts.late, { day: label }) : label;
  button.dataset.state = state;
  button.hidden = entry.done;
  button.setAttribute('aria-label', `${button.textContent}: ${entry.text}`);
  button.addEventListener('click', () => {
    asked = { entry, changed };
    $('due-day').value = entry.due ?? '';
    $('due-dialog').showModal();
  });
}

function choose(due) {
  change(asked.entry.id, { due });
  $('due-dialog').close();
  asked.changed();
}

for (const [label, days] of Object.entries(QUICK)) {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: label });
  button.addEventListener('click', () => choose(dayOf(new Date(), days)));
  $('due-quick').append(button);
}
$('due-form').addEventListener('submit', (event) => {
  event.preventDefault();
  choose($('due-day').value || undefined);
});
$('due-none').addEventListener('click', () => choose(undefined));
