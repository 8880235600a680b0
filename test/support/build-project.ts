import { build } from '../../lambda/builds/build.ts';
import type { BuildOutput, VendorSlot } from '../../lambda/builds/context.ts';
import { resolverOf } from '../../lambda/builds/packages/resolver.ts';
import type { PackageSource } from '../../lambda/builds/packages/source.ts';
import { BuildError } from '../../lambda/builds/problems.ts';
import type { BuildInput } from '../../lambda/sites/source/build.ts';

export type Texts = Readonly<Record<string, string>>;

/** Returns texts as the files of a project. */
export function filesOf(texts: Texts): Map<string, Uint8Array> {
  return new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));
}

/** Packages whose files are given, by path below `node_modules/`. */
export function givenPackages(texts: Texts): PackageSource {
  const files = new Map([...filesOf(texts)].map(([path, content]) => [`node_modules/${path}`, content]));
  const versionOf = (name: string) => JSON.parse(texts[`${name}/package.json`] ?? '{}').version ?? '';
  return {
    open: async (names) => {
      const unknown = [...names].filter((name) => !(`${name}/package.json` in texts));
      if (unknown.length > 0)
        throw new BuildError(unknown.map((name) => ({ message: `There is no package "${name}"` })));
      const versions = new Map([...names].map((name) => [name, versionOf(name)]));
      return { tree: { files, versions, resolve: resolverOf(files) }, warnings: [] };
    },
  };
}

/** A vendor slot in memory, which counts what is written. */
export class MemorySlot implements VendorSlot {
  writes = 0;
  #bundle: Uint8Array | undefined;

  async read(): Promise<Uint8Array | undefined> {
    return this.#bundle;
  }

  async write(bundle: Uint8Array): Promise<void> {
    this.writes++;
    this.#bundle = bundle;
  }
}

export interface BuildOptions extends Partial<Omit<BuildInput, 'files'>> {
  readonly packages?: PackageSource;
  readonly vendor?: VendorSlot;
  /** Files that are no text. */
  readonly bytes?: Readonly<Record<string, Uint8Array>>;
}

/** Builds a project that is given as texts. */
export function buildTexts(texts: Texts, options: BuildOptions = {}): Promise<BuildOutput> {
  const { packages = givenPackages({}), vendor = new MemorySlot(), bytes = {}, ...input } = options;
  const files = new Map([...filesOf(texts), ...Object.entries(bytes)]);
  return build({ files, env: {}, preview: false, chosen: {}, ...input }, packages, vendor);
}

/** Returns the problems of a project that cannot be built, as lines: `src/a.ts:1:8: message`. */
export async function problemsOf(texts: Texts, options: BuildOptions = {}): Promise<string[]> {
  try {
    const { files } = await buildTexts(texts, options);
    return [`built ${[...files.keys()].join(' ')}`];
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    return error.problems.map(({ path, line, column, message }) =>
      [path, line, column, message]
        .filter((part) => part !== undefined)
        .join(':')
        .replace(/:(?=[^:\d])/, ':'),
    );
  }
}
