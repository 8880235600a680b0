import { add, all, change, clearDone, remove, replace } from './entries.js';
/* #from5min */
import { offerDue } from './due-view.js';
import { offerMoves } from './order-view.js';
/* /from5min */
/* #from10min */
import { linesOf } from './tags.js';
import { hasChosenTag, showTags } from './tags-view.js';
/* /from10min */
import { format, lang, texts } from './texts.js';

const $ = (id) => document.getElementById(id);
const FILTERS = {
  all: { keeps: () => true, empty: texts.emptyAll },
  open: { keeps: (entry) => !entry.done, empty: texts.emptyOpen },
  done: { keeps: (entry) => entry.done, empty: texts.emptyDone },
};
let filter = 'all';
let before = null;
let toastTimer;

function row(entry) {
  const item = $('row').content.cloneNode(true).firstElementChild;
  const [tick, text] = item.querySelectorAll('input');
  const button = item.querySelector('.remove');
  item.dataset.id = entry.id;
  tick.checked = entry.done;
  text.value = entry.text;
  button.setAttribute('aria-label', format(texts.deleteOne, entry));
  tick.setAttribute('aria-label', entry.text);

  tick.addEventListener('change', () => {
    change(entry.id, { done: tick.checked });
    show(entry.id);
  });
  text.addEventListener('change', () => {
    const changed = text.value.trim();
    if (changed) change(entry.id, { text: changed });
    else removeWithUndo(format(texts.deleted, entry), () => remove(entry.id));
    show();
  });
  text.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') text.blur();
    if (event.key === 'Escape') {
      text.value = entry.text;
      text.blur();
    }
  });
  button.addEventListener('click', () => {
    removeWithUndo(format(texts.deleted, entry), () => remove(entry.id));
    show();
    $('new-entry').focus();
  });
  /* #from5min */
  offerDue(item, entry, () => show(entry.id, '.due'));
  offerMoves(item, entry, isShown, (part) => show(entry.id, part));
  /* /from5min */
  return item;
}

const isShown = (entry) =>
  /* #from10min */
  hasChosenTag(entry) &&
  /* /from10min */
  FILTERS[filter].keeps(entry);

/** Redraws the list and focuses a part of the entry with the id `focused`. */
function show(focused, part = 'input') {
  /* #from10min */
  showTags(() => show());
  /* /from10min */
  const shown = all().filter(isShown);
  const done = all().filter((entry) => entry.done).length;
  const open = all().length - done;
  $('list').replaceChildren(...shown.map(row));
  $('empty').hidden = shown.length > 0;
  $('empty').textContent = FILTERS[filter].empty;
  $('clear').hidden = done === 0;
  $('count').textContent = all().length > 0 ? format(texts.left, { open, done }) : '';
  $('progress').style.setProperty('--done', String(done / (all().length || 1)));
  for (const button of $('filters').children) {
    button.setAttribute('aria-pressed', String(button.value === filter));
  }
  if (focused) document.querySelector(`[data-id="${CSS.escape(focused)}"] ${part}`)?.focus();
}

function removeWithUndo(message, action) {
  before = all();
  action();
  $('toast-text').textContent = message;
  $('toast').hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    $('toast').hidden = true;
  }, 8000);
}

$('add').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = $('new-entry').value.trim();
  if (!text) return;
  add(text);
  $('new-entry').value = '';
  if (filter === 'done') filter = 'all';
  show();
});

/* #from10min */
// Each pasted line becomes an entry; an input would join them into one.
$('new-entry').addEventListener('paste', (event) => {
  const lines = linesOf(event.clipboardData.getData('text'));
  if (lines.length < 2) return;
  event.preventDefault();
  for (const line of lines) add(line);
  show();
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, dialog');
  if (event.key.toLowerCase() !== 'n' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  $('new-entry').focus();
});

/* /from10min */
$('filters').addEventListener('click', (event) => {
  if (!event.target.value) return;
  filter = event.target.value;
  show();
});

$('clear').addEventListener('click', () => {
  removeWithUndo(texts.cleared, clearDone);
  show();
  $('new-entry').focus();
});

$('undo').addEventListener('click', () => {
  replace(before);
  $('toast').hidden = true;
  show();
  $('new-entry').focus();
});

$('date').textContent = new Intl.DateTimeFormat(lang, { weekday: 'long', day: 'numeric', month: 'long' }).format();
show();
