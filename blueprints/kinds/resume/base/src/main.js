import { load, save } from './store.js';
import { format, texts } from './texts.js';

const $ = (id) => document.getElementById(id);
const fields = [...document.querySelectorAll('.edit')];
/** The changed texts, by their place on the sheet. */
const changes = load('changes', {});

function show() {
  for (const [index, text] of Object.entries(changes)) if (fields[index]) fields[index].textContent = text;
  $('reset').hidden = Object.keys(changes).length === 0;
}

function setEditing(isEditing) {
  $('edit').setAttribute('aria-pressed', String(isEditing));
  for (const [index, field] of fields.entries()) {
    if (!isEditing) {
      for (const name of ['contenteditable', 'role', 'aria-label']) field.removeAttribute(name);
      continue;
    }
    field.setAttribute('contenteditable', 'plaintext-only');
    field.setAttribute('role', 'textbox');
    field.setAttribute('aria-label', format(texts.text, { n: index + 1 }));
  }
}

$('sheet').addEventListener('input', ({ target }) => {
  changes[fields.indexOf(target)] = target.textContent.trim();
  save('changes', changes);
  $('reset').hidden = false;
});
$('edit').addEventListener('click', () => {
  const isEditing = $('edit').getAttribute('aria-pressed') !== 'true';
  setEditing(isEditing);
  if (isEditing) fields[0].focus();
});
$('print').addEventListener('click', () => {
  setEditing(false);
  print();
});
$('reset').addEventListener('click', () => {
  if (!confirm(texts.confirm)) return;
  save('changes', {});
  location.reload();
});
show();
