import { rulesHash } from '../../../../lambda/deployments/data/declared.ts';
import { declarationWarnings, needsOwnOrigin, parseDeclaration } from '../../../../lambda/sites/data/declaration.ts';
import { DeclarationError } from '../../../../lambda/sites/data/declaration-text.ts';

const TEXT = { type: 'string', maxLength: 80 };
const SCHEMA = {
  type: 'object',
  required: ['name', 'email', 'tags'],
  properties: {
    name: TEXT,
    email: { type: 'string', format: 'email' },
    choice: { type: 'string', enum: ['a', 'b'] },
    tags: { type: 'array', items: TEXT },
    seats: { type: 'integer', minimum: 1, maximum: 4 },
  },
};

const json = (rules: object, schema: object = SCHEMA) => JSON.stringify({ messages: { schema, ...rules } });
const property = (schema: unknown) =>
  json({}, { type: 'object', properties: { name: schema } as Record<string, unknown> });

function errorOf(text: string): string {
  try {
    parseDeclaration(text);
  } catch (error) {
    if (error instanceof DeclarationError) return error.message;
    throw error;
  }
  return 'is valid';
}

describe('parseDeclaration', () => {
  it('returns the rules of each collection, with the owner where nobody is named', () => {
    const text = json({ create: 'visitor', update: 'author', unique: 'email', most: 30, tally: 'choice' });
    const messages = parseDeclaration(`\ufeff${text}`).collections.get('messages');
    expect(messages).toMatchObject({
      name: 'messages',
      create: 'visitor',
      read: 'owner',
      update: 'author',
      delete: 'owner',
      count: 'owner',
      unique: 'email',
      most: 30,
      tally: 'choice',
      review: false,
    });
    expect(messages?.schema.properties.get('seats')).toEqual({ type: 'integer', minimum: 1, maximum: 4 });
  });

  it('ignores what describes a schema', () => {
    const described = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'A', ...SCHEMA };
    expect(errorOf(json({}, { ...described, description: 'B', $comment: 'C' }))).toBe('is valid');
  });

  it.each([
    ['[]', '_data.json: must be an object with the names of collections'],
    ['{"Messages": {}}', '_data.json: Messages is not a name of a collection: expected'],
    ['{"owner": {}}', '_data.json: owner is a reserved name'],
    ['{"__proto__": {}}', '_data.json: __proto__ is a reserved name'],
    ['{"constructor": {}}', '_data.json: constructor is a reserved name'],
    ['{"a": []}', '_data.json: a must be an object with the rules of the collection'],
    ['{"a": {}}', '_data.json: a.schema is missing'],
    [json({ craete: 'visitor' }), '_data.json: messages.craete is not known; did you mean create?'],
    [json({ keepdays: 1 }), '_data.json: messages.keepdays is not known; did you mean keepDays?'],
    [json({ secret: 1 }), '_data.json: messages.secret is not known'],
    [json({ read: 'everyone' }), '_data.json: messages.read must be one of visitor, author, owner'],
    [json({ create: 'author' }), '_data.json: messages.create must be visitor or owner: the author is'],
    [json({ read: null }), '_data.json: messages.read must be one of visitor, author, owner'],
    [json({ review: 'yes' }), '_data.json: messages.review must be true or false'],
    [json({ most: 0 }), '_data.json: messages.most must be an integer from 1 on'],
    [json({ most: 1.5 }), '_data.json: messages.most must be an integer from 1 on'],
    [json({ keepDays: '9' }), '_data.json: messages.keepDays must be an integer from 1 on'],
    [json({ keepDays: 4000 }), '_data.json: messages.keepDays must be at most 3650'],
    [json({ unique: 'seats' }), '_data.json: messages.unique names seats, which the schema does not require'],
    [json({ unique: 'x' }), '_data.json: messages.unique names x, which the schema does not declare'],
    [json({ unique: 'tags' }), '_data.json: messages.unique names tags, which must be a string, a number or'],
    [json({ unique: true }), '_data.json: messages.unique must be "visitor" or the name of a required field'],
    [json({ tally: 'name' }), '_data.json: messages.tally names name, which must be a string with an enum'],
    [
      json({ tally: 'x' }, { type: 'object', properties: { x: { type: 'string', enum: ['a', 'b'.repeat(101)] } } }),
      '_data.json: messages.tally names x, which has a value of 101 characters; at most 100 are counted',
    ],
    [json({ private: 'email' }), '_data.json: messages.private must be a list of fields'],
    [json({ private: ['x'] }), '_data.json: messages.private names "x", which the schema does not declare'],
    [json({ tally: 'x' }), '_data.json: messages.tally names x, which the schema does not declare'],
    [json({}, { type: 'string' }), '_data.json: messages.schema.type must be "object"'],
    [json({}, { properties: {} }), '_data.json: messages.schema has no type'],
    [json({}, { type: 'object' }), '_data.json: messages.schema.properties is missing'],
    [json({}, { type: 'object', properties: {} }), '_data.json: messages.schema.properties must declare at'],
    [json({}, { ...SCHEMA, required: ['x'] }), '_data.json: messages.schema.required names x, which'],
    [json({}, { ...SCHEMA, required: ['name', 'name'] }), '_data.json: messages.schema.required has a value'],
    [json({}, { ...SCHEMA, require: ['name'] }), '_data.json: messages.schema.require is not known; did you'],
    [
      json({}, { ...SCHEMA, additionalProperties: false }),
      '_data.json: messages.schema.additionalProperties is not known: fields that are not declared are always refused',
    ],
    [property({}), '_data.json: messages.schema.properties.name has no type; expected one of object,'],
    [property(true), '_data.json: messages.schema.properties.name must be an object'],
    [property({ type: ['string', 'null'] }), '_data.json: messages.schema.properties.name.type must be one of'],
    [
      property({ type: 'string', minlength: 1 }),
      '_data.json: messages.schema.properties.name.minlength is not known; did you mean minLength?',
    ],
    [
      property({ type: 'string', pattern: '^a' }),
      '_data.json: messages.schema.properties.name.pattern is not known: use format, enum or lengths',
    ],
    [property({ type: 'string', $ref: '#' }), '_data.json: messages.schema.properties.name.$ref is not known: write'],
    [
      property({ type: 'string', minimum: 1 }),
      '_data.json: messages.schema.properties.name.minimum is not known for the type string, only for number and integer',
    ],
    [property({ type: 'string', format: 'ipv4' }), '_data.json: messages.schema.properties.name.format must be one'],
    [property({ type: 'string', minLength: -1 }), '_data.json: messages.schema.properties.name.minLength must be an'],
    [
      property({ type: 'string', minLength: 3, maxLength: 2 }),
      '_data.json: messages.schema.properties.name.minLength must not exceed maxLength',
    ],
    [property({ type: 'string', enum: [] }), '_data.json: messages.schema.properties.name.enum must have 1 to 100'],
    [property({ type: 'string', enum: [1] }), '_data.json: messages.schema.properties.name.enum must be a list of'],
    [property({ type: 'number', minimum: '1' }), '_data.json: messages.schema.properties.name.minimum must be a'],
    [property({ type: 'integer', minimum: 2, maximum: 1 }), '_data.json: messages.schema.properties.name has bounds'],
    [
      property({ type: 'number', minimum: 1, exclusiveMaximum: 1 }),
      '_data.json: messages.schema.properties.name has bounds',
    ],
    [property({ type: 'array' }), '_data.json: messages.schema.properties.name has no items'],
    [
      property({ type: 'array', items: TEXT, maxItems: 101 }),
      '_data.json: messages.schema.properties.name.maxItems must be at most 100',
    ],
    [property({ type: 'array', items: { type: 'text' } }), '_data.json: messages.schema.properties.name.items.type'],
    ...['id', 'createdAt', 'updatedAt', 'mine', 'waiting', '_next', '__proto__', 'constructor', 'toString'].map(
      (name) => [
        `{"messages": {"schema": {"type": "object", "properties": {"${name}": {"type": "boolean"}}}}}`,
        `_data.json: messages.schema.properties.${name} is a reserved name`,
      ],
    ),
    [
      '{"messages": {"schema": {"type": "object", "properties": {"first name": {"type": "boolean"}}}}}',
      '_data.json: messages.schema.properties.first name is not a name of a field',
    ],
    [`{"a": "${'x'.repeat(32_768)}"}`, '_data.json: must not exceed 32 KB'],
    [
      JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`c${index}`, {}]))),
      '_data.json: has 21 collections; at most 20 are allowed',
    ],
  ])('refuses %.70s', (text, message) => {
    expect(errorOf(text ?? '')).toContain(message);
  });

  it.each([
    ['', 'line 1 has its end where a value is expected'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3 has `"` where a comma or } is expected'],
    ['// data\n{}', 'line 1 has a comment, which JSON does not allow, where a value is expected'],
    ['{name: 1}', 'line 1 has `name` where a name in double quotes is expected'],
    ['{"a": 01}', 'line 1 has `1` where a comma or } is expected'],
    ['{}\n}', 'line 2 has `}` after its end'],
    ['['.repeat(30_000), 'line 1 is nested too deeply'],
  ])('names the line of %.30j', (text, message) => {
    expect(errorOf(text)).toContain(`_data.json: ${message}`);
  });

  it('reads every value as JSON.parse does', () => {
    const text = String.raw`{"a": {"schema": {"type": "object", "title": "\u00e4\n\"\\ \ud83d\ude00 😀", "properties": {"x": {"type": "number", "minimum": -1.5e2}}}}}`;
    expect(parseDeclaration(text).collections.get('a')?.schema.properties.get('x')).toEqual({
      type: 'number',
      minimum: -150,
    });
  });
});

it('rulesHash differs with the rules, and not with white space', () => {
  const text = json({ create: 'visitor' });
  expect(rulesHash(text)).toMatch(/^[0-9a-f]{32}$/);
  expect(rulesHash(JSON.stringify(JSON.parse(text), null, 2))).toBe(rulesHash(text));
  expect(rulesHash(json({ create: 'owner' }))).not.toBe(rulesHash(text));
});

it('names the rule that needs an origin of its own', () => {
  const needs = (rules: object) => needsOwnOrigin(parseDeclaration(json(rules)));
  expect(needs({ create: 'visitor', read: 'visitor', unique: 'email', review: true })).toBeUndefined();
  expect(needs({ delete: 'author' })).toBe('messages.delete: "author"');
  expect(needs({ unique: 'visitor' })).toBe('messages.unique: "visitor"');
});

it('warns of email addresses and private values that others can read', () => {
  const warnings = (rules: object) => declarationWarnings(parseDeclaration(json(rules))).map(({ message }) => message);
  expect(warnings({ read: 'author' })).toEqual([]);
  expect(warnings({ read: 'visitor' })).toEqual([
    'everyone can read the email addresses in email of messages: read is "visitor", and private does not name the field',
  ]);
  expect(warnings({ read: 'visitor', private: ['email'] })).toEqual([]);
  expect(warnings({ private: ['email'], unique: 'email' })).toEqual([
    'others can find out values of email of messages, which is private: unique names it',
  ]);
});
