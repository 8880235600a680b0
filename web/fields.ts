import * as z from 'zod';
import { type Html, html, prose } from './html.ts';
import { table } from './table.ts';

interface JsonSchema {
  /** An array for a nullable field. */
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
}

/** Returns a table of the fields of a JSON object: name, type and meaning, each followed by its nested fields. */
export function fields(schema: z.ZodType): Html {
  const rows = fieldRows(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema, '');
  return html`<div class="fields">${table(['Field', 'Type', 'Meaning'], rows)}</div>`;
}

function fieldRows({ properties = {}, required = [] }: JsonSchema, prefix: string): Html[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const type = `${typeOf(field)}${required.includes(name) ? '' : ', optional'}`;
    const own = html`<tr><td><code>${path}</code></td><td>${type}</td><td>${prose(meaning(field))}</td></tr>`;
    const nested = field.items ? fieldRows(field.items, `${path}[].`) : fieldRows(field, `${path}.`);
    return [own, ...nested];
  });
}

function typeOf({ type = [], items }: JsonSchema): string {
  return items ? `array of ${typeOf(items)}s` : [type].flat().join(' or ');
}

function meaning({ description, enum: values, default: standard }: JsonSchema): string {
  const sentences = [
    description,
    values && `One of ${values.map((value) => `\`${value}\``).join(', ')}.`,
    standard === undefined ? undefined : `Default: \`${standard}\`.`,
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}
