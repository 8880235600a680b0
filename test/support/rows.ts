import { inspect } from 'node:util';

type Check<Columns extends readonly unknown[]> = (...columns: Columns) => unknown;
type Test<Columns extends readonly unknown[]> = (name: string, check: Check<Columns>) => void;

/**
 * Defines one test that calls `check` for each row, one after the other, and fails with every row that failed and why. It is
 * `test.each` for rows that differ only in data: rows share the hooks of the test, so those that change state need a test each.
 * The columns of a row are the arguments; a row that is no array is the only argument.
 */
export function testRows<Columns extends unknown[] | [unknown]>(rows: readonly Columns[]): Test<Columns>;
export function testRows<Columns extends readonly unknown[]>(rows: readonly Columns[]): Test<Columns>;
export function testRows<Value>(rows: readonly Value[]): Test<[Value]>;
export function testRows(rows: readonly unknown[]): Test<never[]> {
  if (rows.length === 0) throw new Error('A table without rows tests nothing');
  return (name, check) => {
    test(name, async () => {
      const failures = await failedRows(rows, check as Check<unknown[]>);
      if (failures.length === 0) return;
      throw new Error(`${failures.length} of ${rows.length} rows failed\n\n${failures.join('\n\n')}`);
    });
  };
}

/** Returns each row for which `check` throws, with the error. */
export async function failedRows(rows: readonly unknown[], check: Check<unknown[]>): Promise<string[]> {
  const failures: string[] = [];
  for (const row of rows) {
    try {
      await check(...(Array.isArray(row) ? row : [row]));
    } catch (error) {
      failures.push(`${describeRow(row)}\n${error instanceof Error ? error.message : inspect(error)}`);
    }
  }
  return failures;
}

/** A row in at most 300 characters. */
function describeRow(row: unknown): string {
  const text = inspect(row, { breakLength: Number.POSITIVE_INFINITY, depth: 4, maxStringLength: 120 });
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
