import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { ERRORS } from '../../lambda/contract/errors.ts';
import { REQUESTS, RESPONSES } from './schemas.ts';

const OPTIONS = '--declaration --emitDeclarationOnly --stripInternal --strict --allowImportingTsExtensions'
  .concat(' --target es2024 --module nodenext --types node')
  .split(' ');

/** The declarations of the client, and of what reads a folder in Node, which imports the former as `./client.js`. */
export interface Declarations {
  readonly client: string;
  readonly folder: string;
}

/**
 * Returns the declarations of `client/client.ts` as one file without imports, and those of `client/folder.ts`. The types of the
 * contract have the descriptions of their schemas. What is marked as internal is left out.
 * @throws Error if the client does not compile
 */
export function clientDeclarations(root: string): Declarations {
  const directory = mkdtempSync(join(tmpdir(), 'ptp-declarations-'));
  try {
    const source = join(root, 'client');
    const modules = readdirSync(source).filter((name) => name.endsWith('.ts') && name !== 'types.ts');
    for (const name of modules) copyFileSync(join(source, name), join(directory, name));
    writeFileSync(join(directory, 'types.ts'), declaredTypes());
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const typeRoots = join(root, 'node_modules/@types');
    const args = [tsc, 'client.ts', 'folder.ts', '--typeRoots', typeRoots, ...OPTIONS];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8' });
    if (status !== 0) throw new Error(stdout);
    const read = (name: string) => readFileSync(join(directory, name), 'utf8');
    const names = readdirSync(directory).filter((name) => name.endsWith('.d.ts') && name !== 'folder.d.ts');
    const imports = /^(import|export)\b[^;]*? from '[^']+';\n|^export {};\n/gm;
    return {
      // Without an export of its own, a declaration file exports everything.
      client: `${names.map(read).join('').replace(imports, '')}export {};\n`,
      folder: read('folder.d.ts').replace('./files.ts', './client.js'),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

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
  return Object.entries(schemas).map(([id, schema]) => `export interface ${id} ${typeOf(schema as Schema, absent)}\n`);
}

/** @throws Error for a schema that it would render incompletely */
function typeOf(schema: Schema, absent: string): string {
  const { $ref, type, anyOf, items, properties, additionalProperties } = schema;
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if ($ref) return $ref;
  if (values) return values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ');
  if (anyOf) return anyOf.map((one) => typeOf(one, absent)).join(' | ');
  if (type === 'integer') return 'number';
  if (Array.isArray(type)) return type.map((one) => typeOf({ type: one }, absent)).join(' | ');
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type;
  if (type === 'array' && items) return `readonly (${typeOf(items, absent)})[]`;
  if (type === 'object' && properties) return `{\n${members(schema, absent)}}`;
  if (type === 'object' && additionalProperties)
    return `{ readonly [name: string]: ${typeOf(additionalProperties, absent)} }`;
  throw new Error(`No TypeScript for ${JSON.stringify(schema)}: extend client/publish/declarations.ts`);
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
