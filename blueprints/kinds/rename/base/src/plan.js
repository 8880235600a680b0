import { extname } from 'node:path';

/** An error that the person at the keyboard can fix. */
export class Failure extends Error {}

const CASES = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  title: (text) => text.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()),
};

function replacer({ replace = [], with: replacement = '', regex }) {
  const patterns = replace.map((find) => (regex ? new RegExp(find, 'gu') : find));
  // A function keeps `$` as it is, unless the pattern is a regular expression with groups.
  return (text) => patterns.reduce((name, find) => name.replaceAll(find, regex ? replacement : () => replacement), text);
}

const day = (date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

const build = (pattern, { name, n, date }) =>
  pattern.replace(/\{(name|date|n)(?::(\d))?\}/g, (_, key, width = 1) => ({ name, date: day(date), n: String(n).padStart(width, '0') })[key]);

/** Throws Failure if a name is not one of a file, or if two files would get it. Case is ignored, as many disks do. */
function check(changes, files) {
  const moved = new Set(changes.map(({ from }) => from));
  const taken = new Set(files.filter(({ name }) => !moved.has(name)).map(({ name }) => name.toLowerCase()));
  for (const { from, to } of changes) {
    if (/^\.{0,2}$|[/\\\0]/.test(to)) throw new Failure(`${from} cannot be named “${to}”.`);
    if (taken.has(to.toLowerCase())) throw new Failure(`${from} cannot be named ${to}: another file has this name.`);
    taken.add(to.toLowerCase());
  }
}

/**
 * Returns the changes `{ from, to }` of a folder, without those that change nothing. Extensions stay.
 * @param files `{ name, modified, isFile }` of everything in the folder, by name
 * @param options `replace`, `with`, `regex`, `to`, `case`, `only`, and `table`, a Map of names
 */
export function plan(files, options) {
  if (options.case && !Object.hasOwn(CASES, options.case)) throw new Failure(`Unknown case: use ${Object.keys(CASES).join(', ')}.`);
  const only = options.only?.split(',').map((extension) => extension.trim().replace(/^\.?/, '.').toLowerCase());
  const swap = replacer(options);
  const chosen = files.filter(({ name, isFile }) => isFile && !name.startsWith('.') && (!only || only.includes(extname(name).toLowerCase())));
  const changes = chosen.map(({ name: from, modified }, index) => {
    if (options.table) return { from, to: options.table.get(from) ?? from };
    const extension = extname(from);
    const kept = swap(from.slice(0, from.length - extension.length));
    const built = options.to ? build(options.to, { name: kept, n: index + 1, date: modified }) : kept;
    return { from, to: (CASES[options.case] ?? String)(built) + extension };
  });
  const real = changes.filter(({ from, to }) => from !== to);
  check(real, files);
  return real;
}
