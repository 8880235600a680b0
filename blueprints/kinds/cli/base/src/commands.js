/* #from5min */
import { readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
/* /from5min */
import { styleText } from 'node:util';
/* #from5min */
import { completion } from './completion.js';
/* /from5min */
import { name, noun } from './config.js';
import { Failure, pick, readAll, toLine, withNew } from './entries.js';
/* #from10min */
import { summary } from './statistics.js';
/* /from10min */
import { write } from './store.js';
/* #from5min */
import { fromText, toText } from './transfer.js';
/* /from5min */
/* #from10min */
import { swapBack } from './undo.js';
/* /from10min */

const dim = (text) => (process.env.NO_COLOR || !process.stdout.isTTY ? text : styleText('dim', text));
const line = ({ number, text }) => `${String(number).padStart(2)}  ${text}`;
const show = (entry) => (entry.done ? dim(`${line(entry)}  (done)`) : line(entry));

/** Each command takes its words and options and returns the lines to print. */
export const COMMANDS = {
  add(words, { file }) {
    const text = toLine(words.join(' '));
    if (!text) throw new Failure('Nothing to add: write the text after “add”.', 2);
    const entries = withNew(readAll(file), text);
    write(file, entries);
    return [`Added ${entries.at(-1).number}  ${text}`];
  },

  list(_words, { file, all, json }) {
    const entries = readAll(file).filter(({ done }) => all || !done);
    if (json) return [JSON.stringify(entries, null, 2)];
    if (entries.length === 0) return [dim(`No ${noun} here.`)];
    return entries.map(show);
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

  /* #from5min */
  edit([typed, ...words], { file }) {
    const text = toLine(words.join(' '));
    if (!text) throw new Failure('Write the number and then the new text.', 2);
    const entries = readAll(file);
    const [picked] = pick(entries, [typed]);
    write(file, entries.map((entry) => (entry === picked ? { ...entry, text } : entry)));
    return [`Changed ${picked.number}  ${text}`];
  },

  search(words, { file }) {
    const wanted = words.map((word) => word.toLowerCase());
    const found = readAll(file).filter(({ text }) => wanted.every((word) => text.toLowerCase().includes(word)));
    return found.length > 0 ? found.map(show) : [dim('Nothing found.')];
  },

  export([path], { file }) {
    const entries = readAll(file);
    if (!path) return [toText(entries, '.json').trimEnd()];
    writeFileSync(path, toText(entries, extname(path)));
    return [`Wrote ${entries.length} to ${path}`];
  },

  import([path], { file }) {
    if (!path) throw new Failure('Nothing to import: write the path of a file.', 2);
    const before = readAll(file);
    const after = fromText(readFileSync(path, 'utf8'), extname(path)).reduce(
      (entries, { text, done }) => withNew(entries, text, done),
      before,
    );
    write(file, after);
    return [`Imported ${after.length - before.length} from ${path}`];
  },

  completion: ([shell]) => [completion(shell, Object.keys(COMMANDS))],

  /* /from5min */
  /* #from10min */
  undo(_words, { file }) {
    if (!swapBack(file)) throw new Failure('There is nothing to undo.', 1);
    return ['Reverted the last change. Another “undo” restores it.'];
  },

  stats: (_words, { file }) => summary(readAll(file)),

  /* /from10min */
  help: () => [help()],
};

export const help = () => `${name}: manage ${noun} on the command line

  ${name} add TEXT…               adds an entry
  ${name} list [--all] [--json]   shows what is open, or all
  ${name} done NUMBER…            marks entries as done
  ${name} remove NUMBER…          deletes entries
  /* #from5min */
  ${name} edit NUMBER TEXT…       replaces the text of an entry
  ${name} search WORD…            shows entries with all the words
  ${name} export [PATH]           writes all to a .json, .csv or .md file
  ${name} import PATH             adds the entries of such a file
  ${name} completion SHELL        for bash, zsh or fish
  /* /from5min */
  /* #from10min */
  ${name} undo                    reverts the last change
  ${name} stats                   counts open and done entries
  /* /from10min */

  --file PATH     uses this file instead of ~/.${name}.json
  /* #from10min */
  --config PATH   reads settings from this file instead of ~/.${name}rc.json
  /* /from10min */
`.trimEnd();
