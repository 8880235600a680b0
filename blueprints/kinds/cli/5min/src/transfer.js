import { parseCsv, toCsv } from './csv.js';
import { Failure, toLine } from './entries.js';

// toCsv() puts an apostrophe before a text that a spreadsheet would execute as a formula.
const withoutApostrophe = (text) => text.replace(/^'(?=[=+\-@])/, '');

/** Returns the entries of rows whose first one names the columns. */
function fromRows([names = [], ...rows]) {
  const [text, done] = ['text', 'done'].map((name) => names.indexOf(name));
  if (text < 0) throw new TypeError('its first line must name the columns, and one of them must be “text”.');
  return rows.map((row) => ({ text: withoutApostrophe(row[text] ?? ''), done: row[done] === 'true' }));
}

/** The formats by file extension. Numbers are not exported: imported entries get new ones. */
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
  if (!format) throw new Failure(`Unsupported file: use ${Object.keys(FORMATS).join(', ')}.`, 2);
  return format;
}

export const toText = (entries, extension) => formatOf(extension).write(entries);

/** Parses a text into entries `{ text, done }`. Throws Failure when it does not match the extension. */
export function fromText(source, extension) {
  const { read } = formatOf(extension);
  try {
    const entries = read(source.replace(/^\uFEFF/, ''));
    const isList = Array.isArray(entries) && entries.every((entry) => typeof entry?.text === 'string');
    if (!isList) throw new TypeError('it must be a list of objects with a “text”.');
    return entries.map(({ text, done }) => ({ text: toLine(text), done: done === true })).filter(({ text }) => text);
  } catch (error) {
    throw new Failure(`Cannot parse the file: ${error.message}`, 1);
  }
}
