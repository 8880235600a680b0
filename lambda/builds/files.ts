/** Files by path, such as `src/App.tsx`. A map, because paths are data: `__proto__` is a name like any other. */
export type Files = ReadonlyMap<string, Uint8Array>;

const decoder = new TextDecoder();

/** The text of a file, without a byte order mark; undefined if there is no such file. */
export function textOf(files: Files, path: string): string | undefined {
  const bytes = files.get(path);
  return bytes && decoder.decode(bytes);
}
