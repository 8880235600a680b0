import type { GenerationEvent } from '../../client/client.ts';
import { printable } from '../../terminal/table.ts';
import { cut, type Paint, sizeOf, widthOf } from '../../terminal/text.ts';

export type Writing = Extract<GenerationEvent, { type: 'writing' }>['data']['files'];

/** Sizes stand in one column, in wide terminals not far from the paths. */
const WIDEST = 60;
/** Lines for the files that are being written. */
const MOST = 6;

/** Returns the line of a complete or, without bytes, deleted file. */
export function fileLine(
  mark: string,
  path: string,
  bytes: number | undefined,
  columns: number,
  paint: Paint,
) {
  const size = bytes === undefined ? '' : sizeOf(bytes);
  return `${mark} ${padLine(path, size, columns)}${paint('dim', size)}`;
}

/** Returns a line for each file that is being written, with its size so far. */
export function growingLines(files: Writing, columns: number, paint: Paint): string[] {
  const shown = files.length > MOST ? files.slice(0, MOST - 1) : files;
  const lines = shown.map(({ path, characters }) => {
    const size = sizeOf(characters);
    return `⋯ ${padLine(path, size, columns)}${size}`;
  });
  if (shown.length < files.length) lines.push(`⋯ and ${files.length - shown.length} more`);
  return lines.map((line) => paint('dim', line));
}

/** Returns a path with spaces up to its size, which ends in the same column for all files. */
function padLine(path: string, size: string, columns: number): string {
  const room = Math.min(columns, WIDEST) - size.length - 4;
  const shown = cut(printable(path), room);
  return shown + ' '.repeat(room - widthOf(shown) + 2);
}
