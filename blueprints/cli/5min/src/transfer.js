import { parseCsv, toCsv } from './csv.js';
import { Failure, toLine } from './entries.js';

// toCsv() puts an apostrophe before what a spreadsheet would run as a formula.
const withoutApostrophe = (text) => text.replace(/^'(?=[=+\-@])/, '');

/** Rows below a line that names the columns. */
function fromRows([names = [], ...rows]) {
  const [text, done] = ['text', 'done'].map((name) => names.indexOf(name));
  if (text < 0) throw new TypeError('its first line has to name the columns, and one of them “text”.');
  return rows.map((row) => ({ text: withoutApostrophe(row[text] ?? ''), done: row[done] === 'true' }));
}

/** How entries are written and read, by the ending of the file. Numbers are given anew when they are read. */
const FORMATS = {
  '.json': {
    write: (entries) => `${JSON.stringify(entries.map(({ text, done }) => ({ text, done })), null, 2)}\n`,
    read: (source) => JSON.parse(source),
  },
  '.csv': {
    write: (entries) => toCsv([['text', 'done'], ...entries.map(({ text, done }) => [text, done])]),
    read: (source) => fromRows(parseCsv(source)),
  },
  '.md': {
    write: (entries) => entries.map(({ text, done }) => `- [${done ? 'x' : ' '}] ${text}\n`).join(''),
    read: (source) =>
      [...source.matchAll(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[([ xX])\]\s+)?(\S.*?)\r?$/gm)].map(([, mark, text]) => ({
        text,
        done: /x/i.test(mark ?? ''),
      })),
  },
};

function formatOf(extension) {
  const format = FORMATS[extension.toLowerCase()];
  if (!format) throw new Failure(`Files end in ${Object.keys(FORMATS).join(', ')} here.`, 2);
  return format;
}

export const toText = (entries, extension) => formatOf(extension).write(entries);

/** The entries of a text as `{ text, done }`. Throws Failure when it is not what the ending says. */
export function fromText(source, extension) {
  const { read } = formatOf(extension);
  try {
    const entries = read(source.replace(/^\uFEFF/, ''));
    const isList = Array.isArray(entries) && entries.every((entry) => typeof entry?.text === 'string');
    if (!isList) throw new TypeError('it has to be a list of objects with a “text”.');
    return entries.map(({ text, done }) => ({ text: toLine(text), done: done === true })).filter(({ text }) => text);
  } catch (error) {
    throw new Failure(`The file is not understood: ${error.message}`, 1);
  }
}
