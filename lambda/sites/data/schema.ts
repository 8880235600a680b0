import { fail, onlyKnown } from './declaration-text.ts';
import type { Json } from './store.ts';

/** A schema of the part of JSON Schema 2020-12 that declarations may use. */
export type Schema = ObjectSchema | ArraySchema | StringSchema | NumberSchema | BooleanSchema;

export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: ReadonlyMap<string, Schema>;
  readonly required: ReadonlySet<string>;
}

export interface ArraySchema {
  readonly type: 'array';
  readonly items: Schema;
  readonly minItems: number;
  readonly maxItems: number;
}

export interface StringSchema {
  readonly type: 'string';
  /** In Unicode code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
  readonly format?: Format;
}

export interface NumberSchema {
  readonly type: 'number' | 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

interface BooleanSchema {
  readonly type: 'boolean';
}

export type Format = (typeof FORMATS)[number];

const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;

const MAX_ITEMS = 100;
const MAX_DEPTH = 5;
const MAX_ENUM = 100;

const IGNORED = ['title', 'description', '$schema', '$comment'];
const KEYWORDS: Readonly<Record<Schema['type'], readonly string[]>> = {
  object: ['properties', 'required'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength', 'enum', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  boolean: [],
};
const TYPES = Object.keys(KEYWORDS) as readonly Schema['type'][];
/** What people expect of JSON Schema, and why it is not there. */
const NOTES: Readonly<Record<string, string>> = {
  additionalProperties: ': fields that are not declared are always refused',
  pattern: ': use format, enum or lengths',
  $ref: ': write the schema where it is used',
};

/** What an item has besides its fields. */
const RESERVED = ['id', 'createdAt', 'updatedAt', 'mine', 'waiting'];
const PROPERTY = /^\p{L}[\p{L}\p{M}\p{N}_-]{0,63}$/u;

/** Reads the schema of a collection. @throws DeclarationError */
export function readObjectSchema(path: string, value: Json | undefined): ObjectSchema {
  const schema = readSchema(path, value, 0);
  return schema.type === 'object' ? schema : fail(`${path}.type`, 'must be "object"');
}

function readSchema(path: string, value: Json | undefined, depth: number): Schema {
  if (depth > MAX_DEPTH) fail(path, `is nested more than ${MAX_DEPTH} levels deep`);
  const keywords = record(path, value);
  const { type } = keywords;
  if (type === undefined) fail(path, `has no type; expected one of ${TYPES.join(', ')}`);
  const known = TYPES.find((one) => one === type);
  if (known === undefined) fail(`${path}.type`, `must be one of ${TYPES.join(', ')}`);
  for (const name of Object.keys(keywords))
    onlyKnown(path, [name], ['type', ...KEYWORDS[known], ...IGNORED], noteOn(name, known));
  if (known === 'object') return readProperties(path, keywords, depth);
  if (known === 'array') return readArray(path, keywords, depth);
  if (known === 'string') return readString(path, keywords);
  return known === 'boolean' ? { type: known } : readNumber(path, known, keywords);
}

function noteOn(name: string, type: Schema['type']): string {
  const owners = TYPES.filter((one) => KEYWORDS[one].includes(name));
  return owners.length > 0 ? ` for the type ${type}, only for ${owners.join(' and ')}` : (NOTES[name] ?? '');
}

function readProperties(path: string, keywords: Record<string, Json>, depth: number): ObjectSchema {
  const declared = Object.entries(record(`${path}.properties`, keywords.properties));
  if (declared.length === 0) fail(`${path}.properties`, 'must declare at least one field');
  const properties = declared.map(([name, schema]) => {
    const place = `${path}.properties.${name}`;
    if (RESERVED.includes(name) || name.startsWith('_') || name in Object.prototype) fail(place, 'is a reserved name');
    if (!PROPERTY.test(name))
      fail(place, 'is not a name of a field: expected a letter, then at most 63 letters, digits, - or _');
    return [name, readSchema(place, schema, depth + 1)] as const;
  });
  const required = strings(`${path}.required`, keywords.required ?? []);
  for (const name of required)
    if (!properties.some(([one]) => one === name))
      fail(`${path}.required`, `names ${name}, which properties do not declare`);
  return { type: 'object', properties: new Map(properties), required: new Set(required) };
}

function readArray(path: string, keywords: Record<string, Json>, depth: number): ArraySchema {
  if (keywords.items === undefined) fail(path, 'has no items');
  const minItems = count(`${path}.minItems`, keywords.minItems) ?? 0;
  const maxItems = count(`${path}.maxItems`, keywords.maxItems) ?? MAX_ITEMS;
  if (maxItems > MAX_ITEMS) fail(`${path}.maxItems`, `must be at most ${MAX_ITEMS}`);
  if (minItems > maxItems) fail(`${path}.minItems`, `must not exceed maxItems, which is ${maxItems}`);
  return { type: 'array', items: readSchema(`${path}.items`, keywords.items, depth + 1), minItems, maxItems };
}

function readString(path: string, keywords: Record<string, Json>): StringSchema {
  const minLength = count(`${path}.minLength`, keywords.minLength);
  const maxLength = count(`${path}.maxLength`, keywords.maxLength);
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength)
    fail(`${path}.minLength`, 'must not exceed maxLength');
  const { format } = keywords;
  const known = FORMATS.find((one) => one === format);
  if (format !== undefined && known === undefined) fail(`${path}.format`, `must be one of ${FORMATS.join(', ')}`);
  return {
    type: 'string',
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(keywords.enum !== undefined && { enum: choices(`${path}.enum`, keywords.enum) }),
    ...(known !== undefined && { format: known }),
  };
}

function choices(path: string, value: Json): readonly string[] {
  const values = strings(path, value);
  if (values.length === 0 || values.length > MAX_ENUM) fail(path, `must have 1 to ${MAX_ENUM} values`);
  return values;
}

function readNumber(path: string, type: NumberSchema['type'], keywords: Record<string, Json>): NumberSchema {
  const bounds = KEYWORDS[type].flatMap((name) => {
    const bound = keywords[name];
    if (bound === undefined) return [];
    if (typeof bound !== 'number' || !Number.isFinite(bound)) fail(`${path}.${name}`, 'must be a number');
    return [[name, bound] as const];
  });
  const schema: NumberSchema = { type, ...Object.fromEntries(bounds) };
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema;
  const least = Math.max(minimum, exclusiveMinimum);
  const most = Math.min(maximum, exclusiveMaximum);
  if (least > most || (least === most && (exclusiveMinimum === least || exclusiveMaximum === most)))
    fail(path, 'has bounds that no number fulfils');
  return schema;
}

function record(path: string, value: Json | undefined): Record<string, Json> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, Json>;
  return fail(path, value === undefined ? 'is missing' : 'must be an object');
}

function strings(path: string, value: Json): readonly string[] {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    return fail(path, 'must be a list of strings');
  if (new Set(value).size < value.length) fail(path, 'has a value twice');
  return value;
}

/** Returns a number of characters or values. */
function count(path: string, value: Json | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    return fail(path, 'must be an integer from 0 on');
  return value;
}
