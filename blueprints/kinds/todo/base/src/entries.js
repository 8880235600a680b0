import { load, save } from './store.js';

/** The entries of a first visit. */
const firstEntries = '{{entries}}';

/** The list. Every change creates a new array, so that undo can restore the previous one. */
let entries = load(
  'entries',
  firstEntries.map((text, index) => ({ id: `first-${index}`, text, done: false })),
);

export const all = () => entries;

export function replace(next) {
  entries = next;
  save('entries', entries);
}

export function add(text) {
  const id = `${Date.now().toString(36)}-${entries.length}`;
  replace([...entries, { id, text, done: false }]);
}

/** Changes one entry: `{ done: true }` or `{ text: '…' }`. */
export const change = (id, changes) =>
  replace(entries.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)));

export const remove = (id) => replace(entries.filter((entry) => entry.id !== id));

export const clearDone = () => replace(entries.filter((entry) => !entry.done));
