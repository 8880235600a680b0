import * as z from 'zod';
import { type Output, UsageError } from './program.ts';

/** Returns a size as `812 B`, `4.1 KB` or `1.05 MB`; a KB has 1,024 bytes, as in the limits of the API. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_048_576) return `${(bytes / 1_024).toFixed(bytes < 102_400 ? 1 : 0)} KB`;
  return `${(bytes / 1_048_576).toFixed(2)} MB`;
}

/** Returns `1 file` or `1,200 files`. */
export function count(n: number, noun: string): string {
  return `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;
}

/** Returns a duration in milliseconds as minutes and seconds: `1:05`. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

let segmenter: Intl.Segmenter | undefined;

/** Returns what people see as characters. Segmenting takes 10 ms the first time, which ASCII does without. */
function charactersOf(text: string): readonly string[] {
  if (/^[ -~]*$/.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Characters that terminals show in two columns (Unicode Standard Annex 11, and emoji). */
const WIDE = /^[\p{scx=Han}\p{scx=Hangul}\p{scx=Hiragana}\p{scx=Katakana}\p{Emoji_Presentation}\uff01-\uff60]|\ufe0f/u;

/** Returns the columns that a text without escape sequences takes in a terminal. */
export function widthOf(text: string): number {
  return charactersOf(text).reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);
}

/** Returns a text in at most `columns`; `…` replaces its end if it is longer. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const parts = [...charactersOf(text)];
  while (parts.length > 0 && widthOf(parts.join('')) > columns - 1) parts.pop();
  return `${parts.join('')}…`;
}

/** Returns the widths of columns in `room`: narrow ones get what they need, and the others share the rest, at least `least` each. */
export function shareColumns(needs: readonly number[], room: number, least: number): number[] {
  const widths = needs.map(() => least);
  let rest = room;
  const narrowestFirst = [...needs.entries()].toSorted(([, one], [, other]) => one - other);
  for (const [at, [column, need]] of narrowestFirst.entries()) {
    widths[column] = Math.max(Math.min(need, Math.floor(rest / (needs.length - at))), Math.min(need, least));
    rest -= widths[column] ?? 0;
  }
  return widths;
}

/** Breaks a text between words into lines of at most `columns`; lines after the first are indented. */
export function wrap(text: string, columns: number, indent: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (lines.at(-1) === '') lines[lines.length - 1] = word;
    else if (widthOf(line) <= columns) lines[lines.length - 1] = line;
    else lines.push(indent + word);
  }
  return lines;
}

const STYLES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

export type Paint = (style: keyof typeof STYLES, text: string) => string;

/** Returns a function that adds colors, or none. */
export function painter(color: boolean): Paint {
  return (style, text) => (color ? `\x1b[${STYLES[style][0]}m${text}\x1b[${STYLES[style][1]}m` : text);
}

/** Returns a message of success, in lines of at most `columns`. */
export function success(text: string, { color, columns }: { color: boolean; columns: number }): string {
  return `${painter(color)('green', '✓')} ${wrap(text, columns - 2, '  ').join('\n')}`;
}

const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

/** Returns the spinner at a time in milliseconds: ten frames a second. */
export function spinner(now: number): string {
  return SPINNER[Math.floor(now / 100) % SPINNER.length] ?? '';
}

/** A number with a format of its own, which a pipe gets without it. */
interface Amount {
  readonly value: number;
  readonly text: string;
}

type Cell = string | number | Amount;
type Row = readonly Cell[];

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly Row[];
  readonly totals?: Row;
}

/** Prints a table: aligned in a terminal, tab-separated in a pipe. */
export function printTable(table: Table, stdout: Output): void {
  const lines = stdout.isTTY ? alignedLines(table) : tabbedLines(table);
  for (const line of lines) stdout.write(`${line}\n`);
}

/** Returns the rows alone, with tabs between their cells. */
export function tabbedLines({ rows }: Table): string[] {
  return rows.map((row) => row.map(tabbed).join('\t'));
}

function tabbed(cell: Cell): string | number {
  if (typeof cell === 'string') return printable(cell);
  return typeof cell === 'number' ? cell : cell.value;
}

/** Returns columns under a header, with numbers aligned right, and the totals below a rule. */
export function alignedLines({ header, rows, totals }: Table): string[] {
  const shown = [...rows, ...(totals ? [totals] : [])].map((row) => row.map(text));
  const widths = header.map((title, column) =>
    Math.max(title.length, ...shown.map((cells) => widthOf(cells[column] ?? ''))),
  );
  const numeric = header.map((_, column) => rows.every((row) => typeof row[column] !== 'string'));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => {
        const padding = ' '.repeat((widths[i] ?? 0) - widthOf(cell));
        return numeric[i] ? padding + cell : cell + padding;
      })
      .join('  ')
      .trimEnd();
  // Of a last column of text, only below its title: a narrow terminal may wrap what is longer.
  const ruled = numeric.at(-1) ? widths : widths.with(-1, header.at(-1)?.length ?? 0);
  const rule = ruled.map((width) => '─'.repeat(width)).join('──');
  const lines = [header, ...shown].map(line);
  return totals ? lines.toSpliced(-1, 0, rule) : lines;
}

function text(cell: Cell): string {
  if (typeof cell === 'string') return printable(cell);
  return typeof cell === 'number' ? cell.toLocaleString('en') : cell.text;
}

/**
 * Returns a text that others wrote as one line without control characters, which could change what a terminal shows.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ').trim();
}

const MINUTE_MS = 60_000;
const UNITS_MS: Record<string, number> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS };

/** Returns `90d`, `24h` or `30m` in milliseconds, or undefined for anything else. */
export function durationMs(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNITS_MS[unit] ?? 0);
}

/** Returns `--grace 24h` in milliseconds. @throws UsageError unless it is a duration */
export function graceMs(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined) return ms;
  throw new UsageError(`Invalid --grace ${text}: expected a duration such as 24h, 30m or 7d`);
}

/**
 * Returns the time of `--expires 90d` or `--expires 2027-01-31` in Unix milliseconds. A date means the end of that day
 * in UTC.
 * @throws UsageError for anything else, and for a time in the past
 */
export function expiry(text: string, now: number): number {
  const length = durationMs(text);
  if (length === undefined && !z.iso.date().safeParse(text).success)
    throw new UsageError(
      `Invalid --expires ${text}: expected a duration such as 90d, 24h or 30m, or a date such as 2027-01-31`,
    );
  const at = length === undefined ? Date.parse(text) + 24 * 60 * MINUTE_MS : now + length;
  if (at <= now) throw new UsageError(`Invalid --expires ${text}: it is in the past`);
  return at;
}

/** Returns a time in ISO 8601 in UTC, without milliseconds. */
export function timestamp(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+/, '');
}
