import { stripVTControlCharacters } from 'node:util';

/** Returns a size as people read it: `812 B`, `4.1 KB`, `1.2 MB`; a KB has 1,024 bytes, as in the limits of the API. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  const [value, unit] = bytes < 1_048_576 ? [bytes / 1_024, 'KB'] : [bytes / 1_048_576, 'MB'];
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })} ${unit}`;
}

/** Returns `1 file`, `2 files`, `1,200 files`. */
export function count(n: number, noun: string): string {
  return `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;
}

/** Returns a text of the service as one line that cannot control the terminal. */
export function clean(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim();
}

const graphemes = new Intl.Segmenter();
/** What terminals show in two columns (Unicode Standard Annex 11, and emoji). */
const WIDE =
  /^[\p{scx=Han}\p{scx=Hangul}\p{scx=Hiragana}\p{scx=Katakana}\p{Emoji_Presentation}\uff01-\uff60]|\ufe0f/u;

/** Returns the columns of a text without escape sequences. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Returns a text in at most `columns`; its end is replaced by `…` if it is longer. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment);
    if (width > columns) break;
    kept += segment;
  }
  return columns > 0 ? `${kept}…` : '';
}

/** Breaks a text between words into lines of at most `columns`; lines after the first are indented. */
export function wrap(text: string, columns: number, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S) /)) {
    if (line !== '' && widthOf(`${line} ${word}`) > columns) {
      lines.push(line);
      line = indent + word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

export type Paint = (style: Style, text: string) => string;

/** Returns a function that adds colors, or none. */
export function painter(color: boolean): Paint {
  return (style, text) => (color ? `\x1b[${CODES[style][0]}m${text}\x1b[${CODES[style][1]}m` : text);
}

const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

/** Returns the spinner at a time in milliseconds: ten frames a second. */
export function spinner(now: number): string {
  return SPINNER[Math.floor(now / 100) % SPINNER.length] ?? '';
}
