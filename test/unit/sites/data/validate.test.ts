import { parseDeclaration } from '../../../../lambda/sites/data/declaration.ts';
import type { Json } from '../../../../lambda/sites/data/store.ts';
import { validate } from '../../../../lambda/sites/data/validate.ts';

function check(property: object, value: Json) {
  const schema = { type: 'object', required: ['x'], properties: { x: property } };
  const { collections } = parseDeclaration(JSON.stringify({ a: { schema } }));
  const declared = collections.get('a')?.schema;
  if (declared === undefined) throw new Error('not declared');
  return validate(declared, value);
}

const email = { type: 'string', format: 'email' };
const uri = { type: 'string', format: 'uri' };
const date = { type: 'string', format: 'date' };
const time = { type: 'string', format: 'date-time' };
const list = { type: 'array', items: { type: 'integer', maximum: 3 }, minItems: 1, maxItems: 2 };
const nested = { type: 'object', required: ['y'], properties: { y: { type: 'boolean' } } };

it.each<[object, Json]>([
  [time, '2026-12-31T23:59:60.5+02:00'],
  [{ type: 'number', exclusiveMinimum: 0 }, 0.1],
])('%j accepts %j', (property, value) => {
  expect(check(property, { x: value })).toEqual({ fields: { x: value } });
});

it.each<[object, Json, string, string]>([
  [{ type: 'string', maxLength: 2 }, '😀😀😀', 'x', 'x must have at most 2 characters'],
  [{ type: 'string' }, 1, 'x', 'x must be a text'],
  [{ type: 'string', enum: ['a', 'b'] }, 'c', 'x', 'x must be one of a, b'],
  [email, 'ann@', 'x', 'x must be an email address'],
  [email, `${'a'.repeat(251)}@b.c`, 'x', 'x must be an email address'],
  [uri, 'javascript:alert(1)', 'x', 'x must be a URL that begins with https:// or http://'],
  [date, '2026-02-29', 'x', 'x must be a date such as 2026-12-31'],
  [date, '2026-13-01', 'x', 'x must be a date such as 2026-12-31'],
  [{ type: 'integer' }, 1.5, 'x', 'x must be an integer'],
  [{ type: 'number' }, Number.POSITIVE_INFINITY, 'x', 'x must be a number'],
  [{ type: 'number', exclusiveMaximum: 1 }, 1, 'x', 'x must be less than 1'],
  [list, [], 'x', 'x must have at least 1 values'],
  [list, [1, 2, 3], 'x', 'x must have at most 2 values'],
  [list, [1, 4], 'x[1]', 'x[1] must be at most 3'],
  [nested, {}, 'x.y', 'x.y is required'],
  [nested, { y: true, z: 1 }, 'x.z', 'x.z is not a field of the collection'],
])('%j refuses %j', (property, value, field, error) => {
  expect(check(property, { x: value })).toEqual({ field, error });
});

it('refuses what is no object of the declared fields', () => {
  expect(check(email, [])).toEqual({ field: '', error: 'The item must be an object' });
  expect(check(email, {})).toEqual({ field: 'x', error: 'x is required' });
  expect(check(email, JSON.parse('{"x": "a@b.c", "__proto__": {}}'))).toMatchObject({ field: '__proto__' });
  expect(check(email, { x: 'a@b.c', toString: 'b' })).toMatchObject({ field: 'toString' });
});

it('stores only what UTF-8 can encode', () => {
  expect(check({ type: 'string' }, { x: 'a\ud800' })).toEqual({ fields: { x: 'a\ufffd' } });
});
