/** One version of a package and its dependencies, from the registry's document or from a lock file. */
export interface Manifest {
  /** At the registry: `react` for the alias `react18`. */
  readonly name: string;
  readonly version: string;
  /** Subresource Integrity: `sha512-…`; `sha1-…` for versions published before 2017. */
  readonly integrity: string;
  readonly needs: readonly Need[];
  readonly isDeprecated: boolean;
}

/** A dependency of a package. */
export interface Need {
  readonly name: string;
  readonly spec: string;
  readonly kind: 'dependency' | 'optional' | 'peer' | 'optional peer';
}

/** Files of types and tools that work on source: no page imports them, and typescript alone has 23 MB. */
const TOOLS = /^(?:@types\/.+|typescript|tailwindcss|postcss|vite|webpack|rollup|eslint)$/;

/**
 * Reads a version of a package.
 * @param entry of a lock file or a registry; of untrusted shape
 * @returns undefined without a usable hash, or if it is made for some operating systems or processors only
 */
export function readManifest(
  entry: unknown,
  name: string,
  version: string,
  integrity: string | undefined,
): Manifest | undefined {
  const members = record(entry);
  if (integrity === undefined || members.os !== undefined || members.cpu !== undefined) return undefined;
  return { name, version, integrity, needs: readNeeds(members), isDeprecated: Boolean(members.deprecated) };
}

function readNeeds(members: Readonly<Record<string, unknown>>): Need[] {
  const needs: Need[] = [];
  const optional = texts(members.optionalDependencies);
  const peersMeta = new Map(Object.entries(record(members.peerDependenciesMeta)));
  for (const [name, spec] of texts(members.peerDependencies)) {
    const isOptional = record(peersMeta.get(name)).optional === true;
    needs.push({ name, spec, kind: isOptional ? 'optional peer' : 'peer' });
  }
  for (const [name, spec] of texts(members.dependencies)) {
    // The registry repeats optional dependencies here.
    if (!optional.has(name)) needs.push({ name, spec, kind: 'dependency' });
  }
  for (const [name, spec] of optional) needs.push({ name, spec, kind: 'optional' });
  return needs.filter(({ name }) => isPackageName(name) && !TOOLS.test(name));
}

/** Returns the strongest hash of an `integrity` that this service verifies: `sha512-…`, or else `sha1-…`. */
export function strongestIntegrity(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const hashes = value.split(/\s+/, 10).filter((hash) => /^sha(?:512|1)-[A-Za-z0-9+/]{27,86}={0,2}$/.test(hash));
  return hashes.find((hash) => hash.startsWith('sha512-')) ?? hashes[0];
}

/** Reports if a text is a name that the registry allows, now or for old packages (with capital letters). */
export function isPackageName(name: string): boolean {
  if (name.length > 214 || name === 'node_modules') return false;
  return /^(?:@[A-Za-z0-9~-][\w.~-]*\/)?[A-Za-z0-9~_-][\w.~-]*$/.test(name);
}

/** The members of an object of untrusted shape; none of anything else. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return value as Readonly<Record<string, unknown>>;
}

/** The members that are texts. */
export function texts(value: unknown): Map<string, string> {
  const entries = Object.entries(record(value));
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Returns the name of the package that a specifier begins with, such as `@radix-ui/react-tabs`. */
export function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Returns the targets of an entry of `exports` or `imports`: a text, a list, or an object whose order decides. */
export function targetsFor(conditions: readonly string[], entry: unknown): string[] {
  return targetsIn(conditions, entry) ?? [];
}

/** Undefined if no condition fits, so that the next one of the object around it counts. */
function targetsIn(conditions: readonly string[], entry: unknown): string[] | undefined {
  if (typeof entry === 'string') return [entry];
  if (entry === null) return [];
  if (Array.isArray(entry)) return entry.flatMap((each) => targetsFor(conditions, each));
  for (const [condition, value] of Object.entries(record(entry))) {
    const targets = conditions.includes(condition) ? targetsIn(conditions, value) : undefined;
    if (targets !== undefined) return targets;
  }
  return undefined;
}
