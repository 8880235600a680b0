import { styleText } from 'node:util';
import { name, noun } from './config.js';
import { read, write } from './store.js';

/** Something that the person at the keyboard can mend, and the exit status it leads to. */
export class Failure extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

const dim = (text) => (process.env.NO_COLOR || !process.stdout.isTTY ? text : styleText('dim', text));
const line = ({ number, text }) => `${String(number).padStart(2)}  ${text}`;

function readAll(file) {
  try {
    return read(file);
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${error.message}`, 1);
  }
}

/** The entries with the numbers that were typed. */
function pick(entries, typed) {
  if (typed.length === 0) throw new Failure('Which one? Give a number that “list” shows.', 2);
  return typed.map((word) => {
    const entry = entries.find(({ number }) => String(number) === word);
    if (!entry) throw new Failure(`There is no number ${word}.`, 1);
    return entry;
  });
}

/** Each command takes its words and options, and answers the lines to print. */
export const COMMANDS = {
  add(words, { file }) {
    const text = words.join(' ').trim();
    if (!text) throw new Failure('Add what? Write it after “add”.', 2);
    const entries = readAll(file);
    const number = Math.max(0, ...entries.map((entry) => entry.number)) + 1;
    write(file, [...entries, { number, text, done: false }]);
    return [`Added ${number}  ${text}`];
  },

  list(_words, { file, all, json }) {
    const entries = readAll(file).filter(({ done }) => all || !done);
    if (json) return [JSON.stringify(entries, null, 2)];
    if (entries.length === 0) return [dim(`No ${noun} here.`)];
    return entries.map((entry) => (entry.done ? dim(`${line(entry)}  (done)`) : line(entry)));
  },

  done(words, { file }) {
    const entries = readAll(file);
    const picked = pick(entries, words);
    write(file, entries.map((entry) => (picked.includes(entry) ? { ...entry, done: true } : entry)));
    return picked.map(({ number, text }) => `Done ${number}  ${text}`);
  },

  remove(words, { file }) {
    const entries = readAll(file);
    const picked = pick(entries, words);
    write(file, entries.filter((entry) => !picked.includes(entry)));
    return picked.map(({ number, text }) => `Removed ${number}  ${text}`);
  },

  help: () => [help()],
};

export const help = () => `${name}: keep ${noun} on the command line

  ${name} add TEXT…               adds an entry
  ${name} list [--all] [--json]   shows what is open, or all
  ${name} done NUMBER…            marks entries as done
  ${name} remove NUMBER…          takes entries out for good

  --file PATH   uses another file than ~/.${name}.json`;
