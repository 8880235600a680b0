import { read } from './store.js';

/** An error that the person at the keyboard can fix, with the exit status. */
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

/** Returns the entries with the given numbers. Throws Failure when one does not exist. */
export function pick(entries, typed) {
  if (typed.length === 0) throw new Failure('Write the number of an entry, as shown by “list”.', 2);
  return typed.map((word) => {
    const entry = entries.find(({ number }) => String(number) === word);
    if (!entry) throw new Failure(`No entry has the number ${word}.`, 1);
    return entry;
  });
}

/** Joins a text into one line. */
export const toLine = (text) => text.replace(/\s+/g, ' ').trim();

/** Returns the entries with a new one, whose number is one above the highest. */
export function withNew(entries, text, done = false) {
  const number = Math.max(0, ...entries.map((entry) => entry.number)) + 1;
  return [...entries, { number, text, done }];
}
