import { DATA_LIMITS } from '../../contract/limits.ts';
import { fail, onlyKnown, parseJson } from './declaration-text.ts';
import { type ObjectSchema, readObjectSchema, type Schema } from './schema.ts';
import type { Json } from './store.ts';

/** Who may do something with a collection; the author is the visitor who created an item. */
type Role = (typeof ROLES)[number];

export const OPERATIONS = ['create', 'read', 'update', 'delete', 'count'] as const;

export type Operation = (typeof OPERATIONS)[number];

/** What `_data.json` declares. */
export interface Declaration {
  readonly collections: ReadonlyMap<string, Collection>;
}

/** A collection and its rules. */
export interface Collection extends Readonly<Record<Operation, Role>> {
  readonly name: string;
  readonly schema: ObjectSchema;
  /** What no two items have in common: `visitor`, or a required property. */
  readonly unique?: string;
  /** The most items. */
  readonly most?: number;
  /** The property whose values are counted. */
  readonly tally?: string;
  /** The properties that only the author and the owner see of an item that others may read. */
  readonly private?: readonly string[];
  /** Whether visitors see an item only once the owner has approved it. */
  readonly review: boolean;
  readonly keepDays?: number;
}

const ROLES = ['visitor', 'author', 'owner'] as const;
const OPTIONS = ['schema', 'unique', 'most', 'tally', 'private', 'review', 'keepDays'];
const NAME = /^[a-z][a-z0-9-]{0,39}$/;
/** `owner` is a path of the service among the collections. */
const RESERVED = ['owner'];
const MAX_BYTES = 32_768;
const MAX_DAYS = 3_650;
/** Each value that is tallied names a counter, and each change of an item writes all counters of the site. */
const MAX_TALLIED = 100;

/** Reads `_data.json`. @throws DeclarationError */
export function parseDeclaration(text: string): Declaration {
  if (new TextEncoder().encode(text).length > MAX_BYTES) fail('', `must not exceed ${MAX_BYTES / 1_024} KB`);
  const declared = parseJson(text);
  if (!isRecord(declared)) fail('', 'must be an object with the names of collections');
  const names = Object.keys(declared);
  if (names.length > DATA_LIMITS.collections)
    fail('', `has ${names.length} collections; at most ${DATA_LIMITS.collections} are allowed`);
  return { collections: new Map(names.map((name) => [name, readCollection(name, declared[name])])) };
}

function readCollection(name: string, value: Json | undefined): Collection {
  if (RESERVED.includes(name) || name in Object.prototype) fail(name, 'is a reserved name');
  if (!NAME.test(name))
    fail(name, 'is not a name of a collection: expected a lower-case letter, then at most 39 of a-z, 0-9 and -');
  if (!isRecord(value)) return fail(name, 'must be an object with the rules of the collection');
  onlyKnown(name, Object.keys(value), [...OPERATIONS, ...OPTIONS]);
  const schema = readObjectSchema(`${name}.schema`, value.schema);
  const unique = readUnique(name, value.unique, schema);
  const tally = readTally(name, value.tally, schema);
  const hidden = readPrivate(name, value.private, schema);
  const most = positive(`${name}.most`, value.most);
  const keepDays = positive(`${name}.keepDays`, value.keepDays, MAX_DAYS);
  const { review = false } = value;
  if (typeof review !== 'boolean') fail(`${name}.review`, 'must be true or false');
  const role = (operation: Operation) => readRole(`${name}.${operation}`, value[operation]);
  if (value.create === 'author')
    fail(`${name}.create`, 'must be visitor or owner: the author is the visitor who creates the item');
  return {
    name,
    create: role('create'),
    read: role('read'),
    update: role('update'),
    delete: role('delete'),
    count: role('count'),
    schema,
    ...(unique !== undefined && { unique }),
    ...(most !== undefined && { most }),
    ...(tally !== undefined && { tally }),
    ...(hidden !== undefined && { private: hidden }),
    review,
    ...(keepDays !== undefined && { keepDays }),
  };
}

function readRole(path: string, value: Json | undefined): Role {
  if (value === undefined) return 'owner';
  return ROLES.find((role) => role === value) ?? fail(path, `must be one of ${ROLES.join(', ')}`);
}

function readUnique(name: string, value: Json | undefined, schema: ObjectSchema): string | undefined {
  const path = `${name}.unique`;
  if (value === undefined || value === 'visitor') return value;
  if (typeof value !== 'string') return fail(path, 'must be "visitor" or the name of a required field');
  const property = schema.properties.get(value);
  if (property === undefined) return fail(path, `names ${value}, which the schema does not declare`);
  if (!schema.required.has(value)) return fail(path, `names ${value}, which the schema does not require`);
  if (property.type === 'object' || property.type === 'array')
    return fail(path, `names ${value}, which must be a string, a number or a boolean`);
  return value;
}

function readTally(name: string, value: Json | undefined, schema: ObjectSchema): string | undefined {
  const path = `${name}.tally`;
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return fail(path, 'must be the name of a field');
  const property = schema.properties.get(value);
  if (property === undefined) return fail(path, `names ${value}, which the schema does not declare`);
  if (property.type !== 'string' || property.enum === undefined)
    return fail(path, `names ${value}, which must be a string with an enum`);
  const long = property.enum.find((one) => one.length > MAX_TALLIED);
  if (long !== undefined)
    return fail(
      path,
      `names ${value}, which has a value of ${long.length} characters; at most ${MAX_TALLIED} are counted`,
    );
  return value;
}

function readPrivate(name: string, value: Json | undefined, schema: ObjectSchema) {
  const path = `${name}.private`;
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return fail(path, 'must be a list of fields');
  return value.map((field) =>
    typeof field === 'string' && schema.properties.has(field)
      ? field
      : fail(path, `names ${JSON.stringify(field)}, which the schema does not declare`),
  );
}

function positive(path: string, value: Json | undefined, most = Number.MAX_SAFE_INTEGER): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
    return fail(path, 'must be an integer from 1 on');
  return value <= most ? value : fail(path, `must be at most ${most}`);
}

function isRecord(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the first rule for which visitors must be told apart, which needs an origin of the site's own. */
export function needsOwnOrigin({ collections }: Declaration): string | undefined {
  for (const collection of collections.values()) {
    const operation = OPERATIONS.find((one) => collection[one] === 'author');
    if (operation !== undefined) return `${collection.name}.${operation}: "author"`;
    if (collection.unique === 'visitor') return `${collection.name}.unique: "visitor"`;
  }
  return undefined;
}

/** What the author of a valid declaration should know. */
interface DeclarationWarning {
  readonly collection: string;
  /** A sentence without the name of the file. */
  readonly message: string;
  /** Whether the declaration is to be corrected; values that others have to guess may be worth what they are used for. */
  readonly isMistake: boolean;
}

/** Returns the warnings of a declaration, for those who deploy it and for those who have it generated. */
export function declarationWarnings({ collections }: Declaration): DeclarationWarning[] {
  return [...collections.values()].flatMap((collection) => {
    const { name, read, schema, private: hidden = [] } = collection;
    const emails = read === 'visitor' ? emailsIn(withoutFields(schema, hidden), '') : [];
    const told = (['unique', 'tally'] as const).filter((option) => hidden.includes(collection[option] ?? ''));
    return [
      ...emails.map((field) => ({
        collection: name,
        message: `everyone can read the email addresses in ${field} of ${name}: read is "visitor", and private does not name the field`,
        isMistake: true,
      })),
      ...told.map((option) => ({
        collection: name,
        message: `others can find out values of ${collection[option]} of ${name}, which is private: ${option} names it`,
        isMistake: false,
      })),
    ];
  });
}

function withoutFields(schema: ObjectSchema, names: readonly string[]): ObjectSchema {
  return { ...schema, properties: new Map([...schema.properties].filter(([name]) => !names.includes(name))) };
}

/** Returns the paths of the fields that are email addresses. */
function emailsIn(schema: Schema, path: string): string[] {
  if (schema.type === 'string') return schema.format === 'email' ? [path] : [];
  if (schema.type === 'array') return emailsIn(schema.items, `${path}[]`);
  if (schema.type !== 'object') return [];
  return [...schema.properties].flatMap(([name, one]) => emailsIn(one, path === '' ? name : `${path}.${name}`));
}
