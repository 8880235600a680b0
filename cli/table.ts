import type { Output } from './program.ts';

type Row = readonly (string | number)[];

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly Row[];
  readonly totals?: Row;
}

/** Prints a table: aligned in a terminal, tab-separated in a pipe. */
export function printTable(table: Table, stdout: Output): void {
  const lines = stdout.isTTY ? alignedLines(table, stdout.columns) : tabbedLines(table);
  for (const line of lines) stdout.write(`${line}\n`);
}

/** Returns the rows alone, with tabs between their cells. */
export function tabbedLines({ rows }: Table): string[] {
  return rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell : printable(cell))).join('\t'));
}

/**
 * Returns columns under a header, with numbers aligned right, and the totals below a rule.
 * @param columns what is longer ends in `…`
 */
export function alignedLines({ header, rows, totals }: Table, columns = Number.POSITIVE_INFINITY): string[] {
  const shown = [...rows, ...(totals ? [totals] : [])].map((row) => row.map(text));
  const widths = header.map((title, column) =>
    Math.max(title.length, ...shown.map((cells) => cells[column]?.length ?? 0)),
  );
  const numeric = header.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('──');
  const lines = [header, ...shown].map(line);
  const cut = (text: string) => (text.length > columns ? `${text.slice(0, columns - 1)}…` : text);
  return (totals ? lines.toSpliced(-1, 0, rule) : lines).map(cut);
}

function text(cell: string | number): string {
  return typeof cell === 'number' ? cell.toLocaleString('en') : printable(cell);
}

/** Returns a text that others wrote as one line without control characters, which could change what a terminal shows. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ').trim();
}
