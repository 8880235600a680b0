import type { StorageItems } from '../messages.ts';

/** What is handed from page to page, in characters, as browsers limit it. */
const MAX_STORED = 5_000_000;

/** Returns a `Storage` in memory. Its items are properties too. */
export function memoryStorage(items: StorageItems, changed: () => void): Storage {
  const map = new Map(items);
  const set = (key: string, value: string) => {
    let size = key.length + value.length;
    for (const [other, text] of map) if (other !== key) size += other.length + text.length;
    if (size > MAX_STORED) throw new DOMException('The storage is full', 'QuotaExceededError');
    map.set(key, value);
    changed();
  };
  const methods = {
    getItem: (key: string) => map.get(String(key)) ?? null,
    setItem: (key: string, value: string) => set(String(key), String(value)),
    removeItem: (key: string) => map.delete(String(key)) && changed(),
    clear() {
      map.clear();
      changed();
    },
    key: (index: number) => [...map.keys()][index] ?? null,
  };
  return new Proxy(methods as unknown as Storage, {
    get: (target, key) => {
      if (key === 'length') return map.size;
      return Reflect.get(target, key) ?? (typeof key === 'string' ? map.get(key) : undefined);
    },
    set: (_, key, value) => {
      set(String(key), String(value));
      return true;
    },
    has: (target, key) => key in target || map.has(String(key)),
    deleteProperty: (_, key) => {
      if (map.delete(String(key))) changed();
      return true;
    },
    ownKeys: () => [...map.keys()],
    getOwnPropertyDescriptor: (_, key) => {
      const value = map.get(String(key));
      return value === undefined
        ? undefined
        : { value, enumerable: true, configurable: true, writable: true };
    },
  });
}
