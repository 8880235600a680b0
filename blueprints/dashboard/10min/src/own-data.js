import { load, save } from './store.js';

const MOST = 400;

/**
 * The rows of a table as a line: the first column are labels, the second numbers. A first row whose second cell is no
 * number is the head, and names the line. Throws an Error that a person can read.
 */
export function toLine(rows) {
  const number = (text) => Number(String(text ?? '').trim().replace(/\s/g, '').replace(/^(-?\d+),(\d+)$/, '$1.$2') || Number.NaN);
  const hasHead = rows.length > 0 && Number.isNaN(number(rows[0][1]));
  const body = hasHead ? rows.slice(1) : rows;
  const wrong = body.findIndex((row) => Number.isNaN(number(row[1])));
  if (wrong >= 0) throw new Error(`Line ${wrong + (hasHead ? 2 : 1)} has no number in its second column.`);
  if (body.length < 2) throw new Error('A line takes at least two rows: a label and a number in each.');
  if (body.length > MOST) throw new Error(`That are ${body.length} rows; ${MOST} are the most that can be drawn.`);
  return {
    title: hasHead ? rows[0][1].trim() : '',
    start: body.length - 1,
    labels: body.map(([label]) => label.trim()),
    values: body.map((row) => number(row[1])),
  };
}

/** The line that the visitor brought, or null. */
export const ownLine = () => load('own-line', null);

export const keepLine = (line) => save('own-line', line);
