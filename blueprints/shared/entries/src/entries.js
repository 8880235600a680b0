import { $ } from './dom.js';
import { load, save } from './store.js';
import { format, texts } from './texts.js';

const SECONDS = 10;
let timer;

/** Says that something was removed, and offers for some seconds to restore it. */
export function offerUndo(name, restore) {
  $('toast-text').textContent = format(texts.removed, { name });
  $('toast').hidden = false;
  $('undo').onclick = () => {
    $('toast').hidden = true;
    restore();
  };
  clearTimeout(timer);
  timer = setTimeout(() => {
    $('toast').hidden = true;
  }, SECONDS * 1000);
}

/**
 * Returns a stored list of entries, each with an `id`. Every change calls `show(id)` with the entry to focus, if any.
 * `first` are the entries of a first visit.
 */
export function entriesOf(name, first, show) {
  let entries = load(name, first.map((entry, index) => ({ ...entry, id: `first-${index}` })));
  const keep = (next, id) => {
    entries = next;
    save(name, entries);
    show(id);
  };
  return {
    all: () => entries,
    get: (id) => entries.find((entry) => entry.id === id),
    add(entry) {
      const id = `${Date.now().toString(36)}-${entries.length}`;
      keep([...entries, { ...entry, id }], id);
    },
    change: (id, changes) => keep(entries.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)), id),
    clear: () => keep([]),
    /** Removes an entry, which is called `label`, and offers to undo that. */
    remove(id, label) {
      const before = entries;
      keep(entries.filter((entry) => entry.id !== id));
      offerUndo(label, () => keep(before, id));
    },
  };
}
