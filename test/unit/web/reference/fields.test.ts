import * as z from 'zod';
import { fieldsOf } from '../../../../web/reference/fields.ts';
import { testRows } from '../../../support/rows.ts';

const field = (schema: z.ZodType) => fieldsOf(z.object({ one: schema }), 'x.request', 'optional')[0];

testRows([
  [z.string(), 'string'],
  [z.int().nullable(), 'integer or null'],
  [z.array(z.string()), 'array of strings'],
  [z.array(z.array(z.int())), 'array of arrays of integers'],
  [z.record(z.string(), z.int()), 'map of integers'],
  [z.union([z.string(), z.int()]), 'string or integer'],
  [z.array(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])), 'array of objects'],
  [z.unknown(), 'any value'],
])('names the type of a schema', (schema, type) => expect(field(schema)?.type).toBe(type));

it('describes values, constants and defaults', () => {
  expect(field(z.enum(['a', 'b']).default('a').describe('A letter.'))?.meaning).toBe(
    'A letter. One of `a`, `b`. Default: `a`.',
  );
  expect(field(z.literal('x'))?.meaning).toBe('Always `x`.');
  expect(field(z.int().default(20).describe('A number. Default: 20.'))?.meaning).toBe('A number. Default: 20.');
});

it('mentions only the presence that is not usual', () => {
  const schema = z.object({ a: z.string(), b: z.string().optional() });
  expect(fieldsOf(schema, 'x', 'optional').map(({ presence }) => presence)).toEqual(['required', undefined]);
  expect(fieldsOf(schema, 'x', 'required').map(({ presence }) => presence)).toEqual([undefined, 'optional']);
});

it('lists alternatives, whose common fields have one fragment', () => {
  const text = z.object({ path: z.string(), content: z.string() });
  const known = z.object({ path: z.string(), sha256: z.string() });
  const nested = field(z.array(z.union([text, known])))?.nested ?? [];
  expect(nested.map((list) => list.map(({ id }) => id))).toEqual([
    ['x.request.one.path', 'x.request.one.content'],
    [undefined, 'x.request.one.sha256'],
  ]);
});
