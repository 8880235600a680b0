import { slug } from '../../kit/phrases.ts';
import type { Values } from '../../kit/types.ts';

/** Names that an item has besides its fields. */
const TAKEN = ['id', 'mine', 'waiting', 'constructor', 'consent'];
const FORMATS: Readonly<Record<string, string>> = { email: 'email', url: 'uri' };
const LONGEST = { 'text-area': 2_000, email: 200, url: 500, tel: 40, text: 200 } as const;

/** Returns a name for each label: lower-case ASCII words, none of them twice. */
export function fieldNames(labels: readonly string[]): string[] {
  const names: string[] = [];
  for (const label of labels) {
    const name = slug(label, 'field').replace(/^(?=\d)/, 'field-');
    const isFree = !names.includes(name) && !TAKEN.includes(name);
    names.push(isFree ? name : `${name}-${names.length + 1}`);
  }
  return names;
}

interface Named {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly choices: readonly string[];
}

/** Returns the schema of what a form sends, as `_data.json` has it. */
export function schemaOf(fields: readonly Named[]): Values {
  return {
    type: 'object',
    required: fields.filter(({ optional }) => !optional).map(({ name }) => name),
    properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
  };
}

function propertyOf({ type, optional, choices }: Named): Values {
  if (type === 'number') return { type: 'number' };
  if (type === 'date') return { type: 'string', format: 'date' };
  if (type === 'choice') return { type: 'string', enum: choices };
  const maxLength = Object.entries(LONGEST).find(([name]) => name === type)?.[1] ?? LONGEST.text;
  const format = FORMATS[type];
  return {
    type: 'string',
    ...(optional ? {} : { minLength: 1 }),
    maxLength,
    ...(format === undefined ? {} : { format }),
  };
}
