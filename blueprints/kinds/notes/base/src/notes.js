import { load, save } from './store.js';
import { texts } from './texts.js';

/** The notes of a first visit, in Markdown. */
const firstNotes = '{{notes}}';

let notes = load(
  'notes',
  firstNotes.map((text, index) => ({ id: `first-${index}`, text, changed: Date.now() - index })),
);

const keep = (next) => {
  notes = next;
  save('notes', notes);
};

/** Returns the notes that contain every word of the search, the last changed first. */
export function find(search = '') {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return notes
    .filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)))
    .sort((a, b) => b.changed - a.changed);
}

export const get = (id) => notes.find((note) => note.id === id);

export function create(text = '') {
  const note = { id: `${Date.now().toString(36)}-${notes.length}`, text, changed: Date.now() };
  keep([note, ...notes]);
  return note;
}

export const write = (id, text) =>
  keep(notes.map((note) => (note.id === id ? { ...note, text, changed: Date.now() } : note)));

export const remove = (id) => keep(notes.filter((note) => note.id !== id));

const plain = (line) => line.replace(/^(?:#{1,6}|>|[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, '').replace(/[*_`~]/g, '').trim();

/** Returns the first line of a note as its title and the second as its summary. */
export function outline({ text }) {
  const [title, summary] = text.split('\n').map(plain).filter(Boolean);
  return { title: title ?? texts.emptyNote, summary: summary ?? texts.noMore };
}
