import type { DataItem } from '../../../../client/client.ts';
import { cellText, columnsOf, rulesText, search } from '../../../../web/console/state/data.ts';
import { testRows } from '../../../support/rows.ts';

const item = (id: string, fields: object): DataItem => ({
  id,
  createdAt: '2026-11-29T10:00:00.000Z',
  updatedAt: '2026-11-29T10:00:00.000Z',
  ...fields,
});
const ITEMS = [
  item('a', { name: 'Ada', text: 'Hello <b>', old: 1 }),
  item('b', { name: 'Bert', text: 'Ada says hi', going: true }),
];

test('the columns are the fields of the schema, then those of earlier ones', () => {
  expect(columnsOf({ fields: ['text', 'name'] }, ITEMS)).toEqual(['text', 'name', 'old', 'going']);
});

testRows([
  ['', ['a', 'b']],
  ['ada', ['a', 'b']],
  ['ADA  hello', ['a']],
  ['yes', ['b']],
  // Not in a field.
  ['2026', []],
])('the search %j finds items with all of its words', (query, ids) => {
  expect(search(ITEMS, query).map(({ id }) => id)).toEqual(ids);
});

testRows([
  [undefined, ''],
  [null, ''],
  [false, 'no'],
  [0, '0'],
  [['a', 1], 'a, 1'],
  [{ a: 1 }, '{"a":1}'],
])('a cell writes %j', (value, text) => {
  expect(cellText(value)).toBe(text);
});

testRows([
  [undefined, 'Not declared any more: only you see these items.'],
  [{}, 'Visitors add items, only you read them'],
  [
    { read: 'visitor', review: true, most: 1_000, keepDays: 9 },
    'Visitors add items, visitors read them once you have approved them, at most 1,000, kept for 9 days',
  ],
  [{ create: 'owner', read: 'author' }, 'Only you add items, their authors read them'],
  [
    { read: 'visitor', private: ['phone', 'email'] },
    'Visitors add items, visitors read them, phone and email only for the author and you',
  ],
] as const)('the rules %j in words', (rules, text) => {
  const all = {
    create: 'visitor',
    read: 'owner',
    update: 'owner',
    delete: 'owner',
    count: 'owner',
    review: false,
    ...rules,
  } as const;
  expect(rulesText(rules === undefined ? {} : { rules: all })).toBe(text);
});
