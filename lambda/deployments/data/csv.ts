import type { DataItem } from '../../contract/data.ts';

/** Lambda sends at most 6 MB. */
export const CSV_BYTES = 4 * 1_048_576;

/** Spreadsheets take UTF-8 for their own encoding without it. */
const BYTE_ORDER_MARK = '\ufeff';

/** What spreadsheets may take for a formula; some also trim what is before it, or know wide forms. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/u;

/** Where a spreadsheet whose separator is not the comma begins another cell: there, quotes within a line have no meaning. */
const INNER_FORMULA = /([;\t\r\n])([^\S\t\r\n]*[=+\-@\uff0b\uff0d\uff1d\uff20])/g;

/**
 * Returns items as a table (RFC 4180) with a heading. Texts that a spreadsheet could take for a formula begin with an apostrophe.
 * https://owasp.org/www-community/attacks/CSV_Injection
 * @param fields the fields of the schema, in its order; others follow
 */
export function csvOf(items: readonly DataItem[], fields: readonly string[]): string {
  const own = ['id', 'createdAt', 'updatedAt', 'waiting'];
  const columns = new Set([...own, ...fields, ...items.flatMap((item) => Object.keys(item))]);
  const rows = items.map((item) => [...columns].map((name) => cell(item[name])));
  return BYTE_ORDER_MARK + [[...columns].map(cell), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  // No formula: a spreadsheet may calculate with it.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const inner = text.replace(INNER_FORMULA, "$1'$2");
  const harmless = FORMULA.test(text) ? `'${inner}` : inner;
  return `"${harmless.replaceAll('"', '""')}"`;
}
