import * as z from 'zod';
import { ERRORS } from '../../lambda/contract/errors.ts';
import { REQUESTS, RESPONSES } from './schemas.ts';

/** The parts of a JSON Schema that the contract's schemas use. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean)[];
  readonly const?: string | number | boolean;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
}

/** Returns the contract's schemas as TypeScript, with their descriptions, so that the published types need no zod. */
export function declaredTypes(): string {
  const codes = Object.keys(ERRORS).map((code) => `'${code}'`);
  return [
    `/** Codes of the service's errors. */\nexport type ErrorCode = ${codes.join(' | ')};\n`,
    ...declarations(RESPONSES, ''),
    ...declarations(REQUESTS, ' | undefined'),
  ].join('\n');
}

/** @param absent the type of an optional property besides its own */
function declarations(named: Readonly<Record<string, z.ZodType>>, absent: string): string[] {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => id });
  return Object.entries(schemas).map(
    ([id, schema]) => `export interface ${id} ${typeOf(schema as Schema, absent)}\n`,
  );
}

/** @throws Error for a schema that it would render incompletely */
function typeOf(schema: Schema, absent: string): string {
  const { $ref, type, anyOf, items, properties, additionalProperties } = schema;
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if ($ref) return $ref;
  if (values)
    return values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ');
  if (anyOf) return anyOf.map((one) => typeOf(one, absent)).join(' | ');
  if (type === 'integer') return 'number';
  if (Array.isArray(type)) return type.map((one) => typeOf({ type: one }, absent)).join(' | ');
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type;
  if (type === 'array' && items) return `readonly (${typeOf(items, absent)})[]`;
  if (type === 'object' && properties) return `{\n${members(schema, absent)}}`;
  if (type === 'object' && additionalProperties)
    return `{ readonly [name: string]: ${typeOf(additionalProperties, absent)} }`;
  throw new Error(`No TypeScript for ${JSON.stringify(schema)}: extend client/publish/declared-types.ts`);
}

function members({ properties = {}, required = [], additionalProperties }: Schema, absent: string): string {
  const others = additionalProperties ? 'readonly [name: string]: unknown;\n' : '';
  const declared = Object.entries(properties)
    .map(([name, schema]) => {
      const comment = schema.description ? `/** ${schema.description} */\n` : '';
      const type = typeOf(schema, absent);
      return required.includes(name)
        ? `${comment}readonly ${name}: ${type};\n`
        : `${comment}readonly ${name}?: ${type}${absent};\n`;
    })
    .join('');
  return declared + others;
}
