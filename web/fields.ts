import * as z from 'zod';
import type { Item } from './content.ts';

interface JsonSchema {
  /** An array for a nullable field. */
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/**
 * Returns the fields of a JSON object, in the order of its schema.
 * @param id with which the fragments of the fields begin
 * @param usual which presence is not worth mentioning
 */
export function fieldsOf(schema: z.ZodType, id: string, usual: Item['presence']): readonly Item[] {
  return (
    nested(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, id, usual)[0] ?? []
  );
}

/** Returns the fields of an object, array of objects or map of objects; of alternatives, a list for each. */
function nested(schema: JsonSchema, id: string, usual: Item['presence']): readonly (readonly Item[])[] {
  const { items, additionalProperties: values, properties, required = [] } = schema;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    const lists = alternatives.flatMap((one) => nested(one, id, usual));
    // A field of several alternatives has the fragment of the first one.
    const ids = lists.flat().map((item) => item.id);
    let at = 0;
    return lists.map((list) =>
      list.map((item) => (ids.indexOf(item.id) === at++ ? item : { ...item, id: undefined })),
    );
  }
  if (items) return nested(items, id, usual);
  if (typeof values === 'object') return nested(values, id, usual);
  if (!properties) return [];
  return [
    Object.entries(properties).map(([name, field]) => {
      const presence = required.includes(name) ? 'required' : 'optional';
      return toItem(name, field, `${id}.${name}`, usual, presence === usual ? undefined : presence);
    }),
  ];
}

function toItem(
  name: string,
  schema: JsonSchema,
  id: string,
  usual: Item['presence'],
  presence: Item['presence'],
): Item {
  const { description = '', enum: values, const: only, default: standard } = schema;
  const sentences = [
    description,
    values && `One of ${values.map((value) => `\`${value}\``).join(', ')}.`,
    only !== undefined && `Always \`${only}\`.`,
    standard !== undefined && !description.includes('Default:') && `Default: \`${standard}\`.`,
  ];
  const meaning = sentences.filter(Boolean).join(' ');
  return {
    id,
    name: `\`${name}\``,
    type: typeOf(schema),
    presence,
    meaning,
    values,
    nested: nested(schema, id, usual),
  };
}

function typeOf(schema: JsonSchema, plural = ''): string {
  const { type = [], items, additionalProperties: values } = schema;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return [...new Set(alternatives.map((one) => typeOf(one, plural)))].join(' or ');
  if (items) return `array${plural} of ${typeOf(items, 's')}`;
  if (typeof values === 'object') return `map${plural} of ${typeOf(values, 's')}`;
  const names = [type].flat();
  return names.map((name) => (name === 'null' ? name : name + plural)).join(' or ') || 'any value';
}
