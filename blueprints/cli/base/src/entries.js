import { read } from './store.js';

/** Something that the person at the keyboard can mend, and the exit status it leads to. */
export class Failure extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export function readAll(file) {
  try {
    return read(file);
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${error.message}`, 1);
  }
}

/** The entries with the numbers that were typed. */
export function pick(entries, typed) {
  if (typed.length === 0) throw new Failure('Which one? Give a number that “list” shows.', 2);
  return typed.map((word) => {
    const entry = entries.find(({ number }) => String(number) === word);
    if (!entry) throw new Failure(`There is no number ${word}.`, 1);
    return entry;
  });
}

/** A text as the one line that an entry is. */
export const toLine = (text) => text.replace(/\s+/g, ' ').trim();

/** The entries with one more; numbers are never given twice while the highest is there. */
export function withNew(entries, text, done = false) {
  const number = Math.max(0, ...entries.map((entry) => entry.number)) + 1;
  return [...entries, { number, text, done }];
}
