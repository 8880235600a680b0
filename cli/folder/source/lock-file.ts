/** Packages that compiled JSX, Vue and Svelte files import without saying so. */
const IMPLIED = ['react', 'react-dom', 'preact', 'vue', 'svelte', 'solid-js'];

interface Entry {
  readonly link?: boolean;
  readonly [kind: string]: unknown;
}

const DEPENDENCIES = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * Returns the part of a package-lock.json (version 2 or 3) that a build needs: the packages that the code names, and those that
 * they need. Others, such as build tools, are most of it. A text that is no such file is returned as it is: the service says
 * what is wrong with it.
 */
export function neededLock(text: string, isNamed: (name: string) => boolean): string {
  const lock = read(text);
  if (!lock) return text;
  const entries = new Map(Object.entries(lock.packages));
  const needed = new Set(['']);
  const add = (name: string, from: string) => {
    const key = locate(name, from, entries);
    if (key !== undefined) needed.add(key);
  };
  for (const name of IMPLIED) add(name, '');
  for (const key of entries.keys()) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(key)?.[1];
    if (name !== undefined && isNamed(name)) needed.add(key);
  }
  for (const key of needed) {
    if (key === '') continue;
    const entry = entries.get(key) ?? {};
    for (const kind of DEPENDENCIES) for (const name of Object.keys(Object(entry[kind]))) add(name, key);
  }
  const packages = [...entries].filter(([key]) => needed.has(key));
  // Version 3 is version 2 without the list for npm 6.
  const { dependencies: _, ...rest } = lock;
  return `${JSON.stringify({ ...rest, lockfileVersion: 3, packages: Object.fromEntries(packages) }, null, 1)}\n`;
}

function read(text: string): { packages: Record<string, Entry>; dependencies?: unknown } | undefined {
  try {
    const lock = JSON.parse(text);
    const isKnown = lock.lockfileVersion === 2 || lock.lockfileVersion === 3;
    return isKnown && typeof lock.packages === 'object' ? lock : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the key of a dependency as Node finds it: in the packages of a package, then in those around it. */
function locate(name: string, from: string, entries: ReadonlyMap<string, Entry>): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const key = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (entries.has(key)) return key;
    if (at === '') return undefined;
  }
}
