import { failedRows, testRows } from '../support/rows.ts';

it('lists every row that failed, with what was expected and received', async () => {
  const failures = await failedRows(
    [
      ['one', 1],
      ['two', 3],
      ['three', 4],
    ],
    async (name, length) => expect(String(name).length).toBe(length),
  );
  expect(failures).toHaveLength(2);
  expect(failures[0]).toMatch(/^\[ 'one', 1 \]\n.*Expected: .*1.*Received: .*3/s);
  expect(failures[1]).toMatch(/^\[ 'three', 4 \]\n.*Expected: .*4.*Received: .*5/s);
});

it('passes a row that is no array as the only argument', async () => {
  const seen: unknown[] = [];
  expect(await failedRows(['a', { b: 1 }, ['c', 2]], (...columns) => seen.push(columns))).toEqual([]);
  expect(seen).toEqual([['a'], [{ b: 1 }], ['c', 2]]);
});

it('rejects a table without rows', () => {
  expect(() => testRows([])).toThrow('A table without rows tests nothing');
});
