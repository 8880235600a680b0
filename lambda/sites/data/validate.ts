import { DATA_LIMITS } from '../../contract/limits.ts';
import type { Collection } from './declaration.ts';
import { DataProblem, type DataRequest } from './http.ts';
import type { ArraySchema, Format, NumberSchema, ObjectSchema, Schema, StringSchema } from './schema.ts';
import type { Fields, Json } from './store.ts';

/** Why a value does not conform to a schema. */
interface Invalid {
  /** Path of the field such as `tags[2]`; an empty string for the whole value. */
  readonly field: string;
  /** A sentence with that path. */
  readonly error: string;
}

/** Returns the fields of an item, or why a value is none. Fields that are not declared are refused. */
export function validate(schema: ObjectSchema, value: Json): { readonly fields: Fields } | Invalid {
  const invalid = check(schema, value, '');
  return invalid ?? { fields: wellFormed(value) as Fields };
}

const invalid = (field: string, reason: string): Invalid => ({
  field,
  error: `${field === '' ? 'The item' : field} ${reason}`,
});

function check(schema: Schema, value: Json, path: string): Invalid | undefined {
  switch (schema.type) {
    case 'object':
      return checkObject(schema, value, path);
    case 'array':
      return checkArray(schema, value, path);
    case 'string':
      return checkString(schema, value, path);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : invalid(path, 'must be true or false');
    default:
      return checkNumber(schema, value, path);
  }
}

function checkObject(schema: ObjectSchema, value: Json, path: string): Invalid | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid(path, 'must be an object');
  const place = (name: string) => (path === '' ? name : `${path}.${name}`);
  const fields = new Map(Object.entries(value));
  for (const name of schema.required) if (!fields.has(name)) return invalid(place(name), 'is required');
  for (const [name, field] of fields) {
    const property = schema.properties.get(name);
    if (property === undefined) return invalid(place(name.slice(0, 100)), 'is not a field of the collection');
    const found = check(property, field, place(name));
    if (found) return found;
  }
  return undefined;
}

function checkArray({ items, minItems, maxItems }: ArraySchema, value: Json, path: string): Invalid | undefined {
  if (!Array.isArray(value)) return invalid(path, 'must be a list');
  if (value.length < minItems) return invalid(path, `must have at least ${minItems} values`);
  if (value.length > maxItems) return invalid(path, `must have at most ${maxItems} values`);
  for (const [index, one] of value.entries()) {
    const found = check(items, one, `${path}[${index}]`);
    if (found) return found;
  }
  return undefined;
}

function checkString(schema: StringSchema, value: Json, path: string): Invalid | undefined {
  if (typeof value !== 'string') return invalid(path, 'must be a text');
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format } = schema;
  const length = codePoints(value);
  if (length < minLength)
    return invalid(path, length === 0 ? 'must not be empty' : `must have at least ${minLength} characters`);
  if (length > maxLength) return invalid(path, `must have at most ${maxLength} characters`);
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return invalid(path, `must be one of ${schema.enum.slice(0, 10).join(', ')}`);
  if (format !== undefined && !FORMATS[format].isValid(value)) return invalid(path, `must be ${FORMATS[format].noun}`);
  return undefined;
}

/** Returns the length that JSON Schema means. */
function codePoints(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

function checkNumber(schema: NumberSchema, value: Json, path: string): Invalid | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return invalid(path, 'must be a number');
  if (schema.type === 'integer' && !Number.isInteger(value)) return invalid(path, 'must be an integer');
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (minimum !== undefined && value < minimum) return invalid(path, `must be at least ${minimum}`);
  if (maximum !== undefined && value > maximum) return invalid(path, `must be at most ${maximum}`);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return invalid(path, `must be greater than ${exclusiveMinimum}`);
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return invalid(path, `must be less than ${exclusiveMaximum}`);
  return undefined;
}

/** The pattern of browsers: https://html.spec.whatwg.org/#valid-e-mail-address */
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const MAX_EMAIL = 254;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

const FORMATS: Readonly<Record<Format, { readonly noun: string; isValid(text: string): boolean }>> = {
  email: { noun: 'an email address', isValid: (text) => text.length <= MAX_EMAIL && EMAIL.test(text) },
  // As a link, any other scheme could run a script or open a program.
  uri: { noun: 'a URL that begins with https:// or http://', isValid: isWebUrl },
  date: { noun: 'a date such as 2026-12-31', isValid: isDate },
  'date-time': {
    noun: 'a date and time such as 2026-12-31T18:00:00Z',
    isValid: (text) => isDate(text.slice(0, 10)) && /^t/i.test(text.slice(10)) && TIME.test(text.slice(11)),
  },
};

function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}\\<>"]+$/iu.test(text) && URL.canParse(text);
}

/** Reports if a text is a day of the calendar (RFC 3339, full-date). */
function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** Replaces what UTF-8 cannot encode, so that what is stored is what was checked. */
function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, wellFormed(one)]));
}

/** Escapes and white space of an item, and the boundaries of a form. */
const MAX_BODY_BYTES = 65_536;

/** Returns the fields of an item. @throws DataProblem invalid, too_large */
export function accept(collection: Collection, value: Json): Fields {
  const result = validate(collection.schema, value);
  if ('error' in result) {
    const { field, error } = result;
    throw new DataProblem('invalid', error, field === '' ? {} : { field });
  }
  requireSize(collection, result.fields);
  return result.fields;
}

/**
 * Private fields and the others have half of an item each where visitors change items of others: a common limit would tell them how
 * long the private ones are.
 */
export function requireSize({ update, private: hidden }: Collection, fields: Fields): void {
  const { itemBytes } = DATA_LIMITS;
  if (hidden === undefined || update !== 'visitor') {
    if (sizeOf(fields) <= itemBytes) return;
    throw new DataProblem('too_large', `An item must not exceed ${itemBytes / 1_024} KB`);
  }
  for (const isHidden of [false, true]) {
    const part = Object.entries(fields).filter(([name]) => hidden.includes(name) === isHidden);
    if (sizeOf(Object.fromEntries(part)) <= itemBytes / 2) continue;
    const what = isHidden ? 'The private fields' : 'The fields that are not private';
    throw new DataProblem('too_large', `${what} must not exceed ${itemBytes / 2_048} KB`);
  }
}

export function sizeOf(fields: Fields): number {
  return new TextEncoder().encode(JSON.stringify(fields)).length;
}

export function checkBody({ headers, body }: DataRequest): void {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity') throw new DataProblem('unsupported_media_type', 'Send the body without Content-Encoding');
  if (body.length > MAX_BODY_BYTES)
    throw new DataProblem('too_large', `The body must not exceed ${MAX_BODY_BYTES / 1_024} KB`);
}

export function unsupported(expected: string): DataProblem {
  return new DataProblem('unsupported_media_type', `The Content-Type must be ${expected}`);
}

export function parse(body: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new DataProblem('invalid', 'The body is not valid JSON');
  }
}

export function isRecord(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
