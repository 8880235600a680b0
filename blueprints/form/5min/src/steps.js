import { forgetDraft, loadDraft, saveDraft } from './draft.js';
import { fields } from './rules.js';

const $ = (id) => document.getElementById(id);
const HIDDEN_VALUE = '••••••••';
let answer;

/** Shows how far one is: 0 filling in, 1 checking, 2 sent. */
export function showStep(step) {
  [...$('steps').children].forEach((item, index) => {
    if (index === step) item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
    item.classList.toggle('past', index < step);
  });
}

/** Shows the values once more; resolves to true when they shall be sent, to false when something is to be changed. */
export function confirmed(values) {
  $('summary').replaceChildren(
    ...fields.map(({ id, label, type }) => {
      const row = document.createElement('div');
      const [term, value, change] = ['dt', 'dd', 'button'].map((name) => document.createElement(name));
      term.textContent = label;
      value.textContent = (type === 'password' ? HIDDEN_VALUE : values[id]) || 'nothing';
      Object.assign(change, { type: 'button', textContent: 'Change' });
      change.setAttribute('aria-label', `Change ${label}`);
      change.addEventListener('click', () => close(false, id));
      row.append(term, value, change);
      return row;
    }),
  );
  $('form').hidden = true;
  $('check').hidden = false;
  showStep(1);
  $('check-title').focus();
  return new Promise((resolve) => {
    answer = resolve;
  });
}

function close(isSent, focused) {
  $('check').hidden = true;
  $('form').hidden = isSent;
  showStep(isSent ? 2 : 0);
  if (!isSent) $(focused).focus();
  answer(isSent);
}

/** There is nothing to go on with any more: it has arrived, or is begun again. */
export function endDraft() {
  forgetDraft();
  $('draft-note').hidden = true;
}

$('back').addEventListener('click', () => close(false, fields[0].id));
$('confirm').addEventListener('click', () => close(true));

const draft = loadDraft();
for (const { id } of fields) $(id).value = draft[id] ?? '';
$('draft-note').hidden = !Object.values(draft).some(Boolean);
$('form').addEventListener('input', () => saveDraft(fields, Object.fromEntries(new FormData($('form')))));
$('forget').addEventListener('click', () => {
  endDraft();
  $('form').reset();
  $(fields[0].id).focus();
});
showStep(0);
