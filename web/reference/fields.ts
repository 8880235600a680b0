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
 * @param usual the presence that is not worth mentioning
 */
export function fieldsOf(schema: z.ZodType, id: string, usual: Item['presence']): readonly Item[] {
  return nestedItems(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, id, usual)[0] ?? [];
}

/** Returns the fields of an object, array of objects or map of objects; of alternatives, a list for each. */
function nestedItems(schema: JsonSchema, id: string, usual: Item['presence']): readonly (readonly Item[])[] {
  const { items, additionalProperties: values, properties, required = [], anyOf, oneOf = anyOf } = schema;
  if (oneOf) {
    // A field of several alternatives has its fragment once.
    const seen = new Set<unknown>();
    const once = (item: Item) => ({ ...item, id: seen.size < seen.add(item.id).size ? item.id : undefined });
    return oneOf.flatMap((one) => nestedItems(one, id, usual)).map((list) => list.map(once));
  }
  if (items) return nestedItems(items, id, usual);
  if (typeof values === 'object') return nestedItems(values, id, usual);
  if (!properties) return [];
  const fields = Object.entries(properties).map(([name, field]): Item => {
    const own = `${id}.${name}`;
    const presence = required.includes(name) ? 'required' : 'optional';
    return {
      id: own,
      name: `\`${name}\``,
      type: typeOf(field),
      presence: presence === usual ? undefined : presence,
      meaning: meaningOf(field),
      values: field.enum,
      nested: nestedItems(field, own, usual),
    };
  });
  return [fields];
}

function meaningOf({ description = '', enum: values, const: only, default: standard }: JsonSchema): string {
  const sentences = [
    description,
    values && `One of ${values.map((value) => `\`${value}\``).join(', ')}.`,
    only !== undefined && `Always \`${only}\`.`,
    standard !== undefined && !description.includes('Default:') && `Default: \`${standard}\`.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

function typeOf({ type = [], items, additionalProperties: values, anyOf, oneOf = anyOf }: JsonSchema, s = ''): string {
  if (oneOf) return [...new Set(oneOf.map((one) => typeOf(one, s)))].join(' or ');
  if (items) return `array${s} of ${typeOf(items, 's')}`;
  if (typeof values === 'object') return `map${s} of ${typeOf(values, 's')}`;
  const names = [type].flat().map((name) => (name === 'null' ? name : name + s));
  return names.join(' or ') || 'any value';
}
