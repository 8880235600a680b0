import type { Collection } from './declaration.ts';
import type { Format, NumberSchema, ObjectSchema, Schema, StringSchema } from './schema.ts';
import type { Fields, Json } from './store.ts';
import { validate } from './validate.ts';

/** What the markup of a sample shows in a dialog if a page takes it for its own. */
export const MARKUP_ALERT = 'look';

const MARKUP = `"><img src onerror=alert('${MARKUP_ALERT}')>`;
const SCRIPT = `<script>alert('${MARKUP_ALERT}')</script>`;
const LONG =
  'Rindfleischetikettierungsüberwachung & more: a text that is as long as a visitor may write it, over some lines. ';
const MAX_TEXT = 600;
const COUNT = 3;
/** In the week of a look, and then on the day that it chooses in fields. */
const DAYS = ['2026-01-16', '2026-02-03'];
const dayOf = (index: number) => DAYS[index % DAYS.length] ?? '';
const TEXTS: Readonly<Record<Format, (index: number) => string>> = {
  email: (index) => `visitor${index + 1}@example.com`,
  uri: (index) => `https://example.com/${index + 1}`,
  date: dayOf,
  'date-time': (index) => `${dayOf(index)}T09:30:00Z`,
};

/** What texts of a length usually are for which a schema has no format: times, colors, days, moments. */
const FORMED: Readonly<Record<number, readonly string[]>> = {
  5: ['09:30', '14:00', '18:15'],
  7: ['#336699', '#aa3355'],
  10: DAYS,
  16: DAYS.map((day) => `${day}T09:30`),
};

/** Returns what visitors could have written: markup in the first item, long texts in the second, and an ordinary one. */
export function samplesOf({ schema, create, most = Number.POSITIVE_INFINITY }: Collection): Fields[] {
  const count = Math.min(COUNT, most - 1);
  const isKept = create === 'owner';
  return Array.from({ length: count }, (_, index) => objectOf(schema, index, isKept)).flatMap((value) => {
    const result = validate(schema, value);
    return 'fields' in result ? [result.fields] : [];
  });
}

/** @param isKept whether texts keep the usual form of their length: the owner, unlike a stranger, enters them in the page */
function objectOf({ properties }: ObjectSchema, index: number, isKept: boolean): Json {
  return Object.fromEntries([...properties].map(([name, schema]) => [name, sampleOf(name, schema, index, isKept)]));
}

function sampleOf(name: string, schema: Schema, index: number, isKept: boolean): Json {
  if (schema.type === 'object') return objectOf(schema, index, isKept);
  if (schema.type === 'boolean') return index % 2 === 0;
  if (schema.type === 'string') return textOf(name, schema, index, isKept);
  if (schema.type !== 'array') return numberOf(schema, index);
  const count = Math.min(schema.maxItems, Math.max(schema.minItems, index));
  return Array.from({ length: count }, (_, offset) => sampleOf(name, schema.items, index + offset, isKept));
}

function textOf(name: string, schema: StringSchema, index: number, isKept: boolean): string {
  const { format, minLength = 0, maxLength = MAX_TEXT } = schema;
  if (schema.enum !== undefined) return schema.enum[index % schema.enum.length] ?? '';
  if (format !== undefined) return TEXTS[format](index);
  const formed = FORMED[maxLength];
  if (formed && (isKept || index !== 1)) return formed[index % formed.length] ?? '';
  const most = Math.min(maxLength, Math.max(MAX_TEXT, minLength));
  const long = LONG.repeat(Math.ceil(most / LONG.length));
  const [plain, ...markup] = [`${name} ${index + 1}`, MARKUP, MARKUP + SCRIPT];
  const fitting = markup.findLast((text) => text.length <= most);
  let text = plain ?? '';
  if (index === 0 && fitting !== undefined) text = fitting;
  if (index === 1) text = long;
  const letters = [...text].slice(0, most);
  return letters.length < minLength ? [...letters, ...long].slice(0, minLength).join('') : letters.join('');
}

function numberOf(schema: NumberSchema, index: number): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  const most = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - 1);
  const value = Math.ceil(least ?? Math.min(1, most ?? 1)) + index;
  return most === undefined ? value : Math.min(value, most);
}
