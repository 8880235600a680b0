import { createHash } from 'node:crypto';

/** Files by path, such as `src/App.tsx`. A map, because paths are data: `__proto__` is a name like any other. */
export type Files = ReadonlyMap<string, Uint8Array>;

const decoder = new TextDecoder();

/** The text of a file, without a byte order mark; undefined if there is no such file. */
export function textOf(files: Files, path: string): string | undefined {
  const bytes = files.get(path);
  return bytes && decoder.decode(bytes);
}

/** Splits `src/logo.svg?url` in the path and the query, which is empty or begins with `?`. */
export function splitQuery(id: string): { readonly path: string; readonly query: string } {
  const at = id.indexOf('?');
  return at < 0 ? { path: id, query: '' } : { path: id.slice(0, at), query: id.slice(at) };
}

/** How the bundler reads scripts and data, by the extension of the file. */
export const MODULE_TYPES: ReadonlyMap<string, 'js' | 'jsx' | 'ts' | 'tsx' | 'json'> = new Map([
  ['js', 'js'],
  ['mjs', 'js'],
  ['cjs', 'js'],
  ['jsx', 'jsx'],
  ['ts', 'ts'],
  ['mts', 'ts'],
  ['tsx', 'tsx'],
  ['json', 'json'],
]);

/** Begins the ids of packages in own code: `pkg:react-dom/client`. */
export const PACKAGE_PREFIX = 'pkg:';

/** Returns the SHA-256 of a content in base64url. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url');
}

/**
 * Returns the hash in the name of a file, in a form that serving recognizes (`isHashedName`), so that browsers may keep
 * the file.
 */
export function nameHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
