import type { Output } from './program.ts';

/** A number with a format of its own, which a pipe gets without it. */
export interface Amount {
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
    Math.max(title.length, ...shown.map((cells) => cells[column]?.length ?? 0)),
  );
  const numeric = header.map((_, column) => rows.every((row) => typeof row[column] !== 'string'));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('──');
  const lines = [header, ...shown].map(line);
  return totals ? lines.toSpliced(-1, 0, rule) : lines;
}

function text(cell: Cell): string {
  if (typeof cell === 'string') return printable(cell);
  return typeof cell === 'number' ? cell.toLocaleString('en') : cell.text;
}

/** Returns a text that others wrote as one line without control characters, which could change what a terminal shows. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ').trim();
}
