/** Files by path, such as `src/App.tsx`. A map, because paths are data: `__proto__` is a name like any other. */
export type Files = ReadonlyMap<string, Uint8Array>;
