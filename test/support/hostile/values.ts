import fc from 'fast-check';

/** A JSON Schema of the OpenAPI document, as far as its requests use it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** Returns the schema at a reference such as `#/components/schemas/ContentFile`. */
export type Resolve = (reference: string) => Schema;

/** Values for fields that a schema says too little about, by their names. */
export type Named = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** The most that valid values have, whatever the schema allows: most requests should be cheap. */
const MOST = { characters: 200, items: 5, optional: 3 };

/** Generates values that a schema allows. */
export function validValue(schema: Schema, resolve: Resolve, named: Named = {}): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return validValue(resolve(schema.$ref), resolve, named);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => validValue(one, resolve, named)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return validObject(schema, resolve, named);
    case 'array':
      return validArray(schema, resolve, named);
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 2 ** 31 });
    case 'boolean':
      return fc.boolean();
    default:
      return validText(schema);
  }
}

function validObject({ properties = {}, required = [] }: Schema, resolve: Resolve, named: Named) {
  const generate = (name: string) => named[name] ?? validValue(properties[name] ?? {}, resolve, named);
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  // Many exclude each other.
  return fc.subarray(optional, { maxLength: Math.min(MOST.optional, optional.length) }).chain((chosen) => {
    const fields = [...required, ...chosen].map((name) => [name, generate(name)]);
    return fc.record<Fields>(Object.fromEntries(fields));
  });
}

function validArray(schema: Schema, resolve: Resolve, named: Named) {
  const { items = {}, minItems = 0, maxItems = MOST.items, uniqueItems } = schema;
  const lengths = { minLength: minItems, maxLength: Math.min(maxItems, MOST.items) };
  const item = validValue(items, resolve, named);
  return uniqueItems ? fc.uniqueArray(item, lengths) : fc.array(item, lengths);
}

function validText({ pattern, format, minLength = 0, maxLength = MOST.characters }: Schema) {
  if (format === 'date') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
  if (pattern?.startsWith('^')) return fc.stringMatching(new RegExp(pattern));
  const length = { minLength: Math.max(minLength, 1), maxLength: Math.min(maxLength, MOST.characters) };
  const plain = fc.string({ ...length, unit: 'grapheme-composite' });
  return fc.oneof(plain, fc.constantFrom('a timer', 'index.html', 'a/b/c.css', 'un site à vélo 🚲'));
}

/** Texts that break programs: encodings, paths, prototypes, formats of other languages, and sizes. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00\ud800',
  'a\u202eb\u2066',
  '\ufeff',
  'e\u0301'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(20),
  '__proto__',
  'constructor',
  'prototype.polluted',
  'toString',
  'hasOwnProperty',
  '../../etc/passwd',
  '..\\..\\windows',
  '/absolute',
  '//evil.example/',
  '.',
  '..',
  'a//b',
  '%2e%2e%2f',
  '%00',
  '%',
  'C:\\x',
  'con',
  "' OR 1=1 --",
  '$' + '{jndi:ldap://x}',
  '{{constructor.constructor("return 1")()}}',
  '<script>alert(1)</script>',
  '\r\nSet-Cookie: a=b',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  'null',
  'undefined',
  '[object Object]',
  '9'.repeat(400),
  'a'.repeat(1_025),
  '(a+)+$'.repeat(40),
  'index.html\u0000.png',
  '<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE',
  'x'.repeat(70_000),
];

const HOSTILE_NUMBERS = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324];

/** Returns a value inside `depth` arrays or objects. */
function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
}

/** Generates values of the wrong type, out of bounds, or that break programs. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...HOSTILE_NUMBERS, null, true, false, [], {}) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }) },
  { weight: 1, arbitrary: fc.constantFrom(nested(500, (inner) => [inner])) },
  { weight: 1, arbitrary: fc.constantFrom(nested(500, (a) => ({ a }))) },
  { weight: 1, arbitrary: fc.constantFrom(Array.from({ length: 1_001 }, (_, i) => `${i}`)) },
);

/** Names of fields that objects must not take from a request. */
const HOSTILE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', 'ключ', '\ud800'];

type Fields = Record<string, unknown>;

/** Generates values that differ from valid ones in one place: a field that is wrong, missing or unknown. */
export function nearlyValid(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid, fc.nat(), fc.constantFrom('replace', 'remove', 'add', 'repeat'), hostileValue)
    .chain(([value, at, how, other]) => {
      const name = fc.constantFrom(...HOSTILE_NAMES);
      return name.map((added) => changed(value, { at, how, other, added }));
    });
}

interface Change {
  /** Which of the value's places, modulo their number. */
  readonly at: number;
  readonly how: string;
  readonly other: unknown;
  readonly added: string;
}

function changed(value: unknown, { at, how, other, added }: Change): unknown {
  const copy = structuredClone(value);
  const places = placesIn(copy);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return other;
  const { parent, name } = place;
  if (how === 'remove') delete parent[name];
  else if (how === 'add') define(parent, added, other);
  else if (how === 'repeat') parent[name] = Array.from({ length: 250 }, () => parent[name]);
  else parent[name] = other;
  return copy;
}

/** Sets an own property, `__proto__` included, which `JSON.stringify` writes. */
function define(object: Fields, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function placesIn(value: unknown): { readonly parent: Fields; readonly name: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Fields;
  return Object.keys(parent).flatMap((name) => [{ parent, name }, ...placesIn(parent[name])]);
}
