import { isBuiltin } from 'node:module';
import semver from 'semver';
import type { BuildProblem } from '../../contract/builds.ts';
import { BUILD_LIMITS } from '../../contract/limits.ts';
import { BuildError } from '../problems.ts';
import { isPackageName, type Manifest, type Need } from './manifest.ts';
import type { Project } from './project.ts';
import { isInRange, readSpecifier, type Specifier, type Versions } from './versions.ts';

export interface Layout {
  /** The packages by folder, sorted. */
  readonly packages: ReadonlyMap<string, Placed>;
  readonly warnings: readonly string[];
}

/**
 * Lays out packages and all that they need as `node_modules`: each in the folder of the root, or, where that has
 * another version, in the folder of the package that needs it. As with npm's `legacy-peer-deps`, a peer of another
 * version is no error; as without it, missing peers are added.
 * @param names of the packages that the own code imports
 * @param chosen versions of an earlier build by name
 * @throws BuildError
 */
export async function layOut(
  names: ReadonlySet<string>,
  project: Project,
  chosen: ReadonlyMap<string, string>,
  versions: Versions,
): Promise<Layout> {
  const roots = new Roots(project, chosen, versions);
  if (names.size > BUILD_LIMITS.packages) throw tooMany(project);
  const sorted = [...names].toSorted();
  await roots.addAll(sorted);
  const placement = new Placement(project, roots, versions);
  const used = new Map<string, Placed>();
  /** The import of the project that needs a package, by folder: the first one that was found. */
  const neededBy = new Map<string, string>();
  let level: Placed[] = [];
  for (const name of sorted) {
    const placed = roots.placed(name);
    if (!placed) continue;
    level.push(placed);
    neededBy.set(placed.folder, name);
  }
  while (level.length > 0) {
    for (const placed of level) used.set(placed.folder, placed);
    if (used.size > BUILD_LIMITS.packages) throw tooMany(project, neededBy);
    const needs = placement.needsOf(level);
    if (!needs) throw tooMany(project, neededBy);
    const next = new Set<Placed>();
    for (const { parent, placed } of await needs) {
      if (used.get(placed.folder) === placed) continue;
      next.add(placed);
      const first = neededBy.get(parent.folder);
      if (first !== undefined && !neededBy.has(placed.folder)) neededBy.set(placed.folder, first);
    }
    level = [...next];
  }
  const folders = [...used].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { packages: new Map(folders), warnings: roots.warnings };
}

/** A package in its folder, such as `node_modules/a/node_modules/b`. */
interface Placed {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly isOfLock: boolean;
}

/** Their compilers are part of this service, and compiled components call internal functions of the same version. */
const PINNED = new Set(['vue', 'svelte', 'solid-js']);
/** Released together with React, in the same major version. */
const WITH_REACT = new Set(['react-dom', 'react-is']);

/** The packages in the root's `node_modules` that the project imports or declares. */
class Roots {
  readonly warnings: string[] = [];
  readonly #project: Project;
  readonly #chosen: ReadonlyMap<string, string>;
  readonly #versions: Versions;
  readonly #placed = new Map<string, Placed>();

  constructor(project: Project, chosen: ReadonlyMap<string, string>, versions: Versions) {
    this.#project = project;
    this.#chosen = chosen;
    this.#versions = versions;
  }

  placed(name: string): Placed | undefined {
    return this.#placed.get(name);
  }

  /** Reports if the service decides the version of a package. */
  isPinned(name: string): boolean {
    return PINNED.has(name) && this.#versions.isListed(name);
  }

  /** The major version that a package has to have in common with React. */
  majorOf(name: string): number | undefined {
    const react = WITH_REACT.has(name) ? this.#placed.get('react') : undefined;
    return react && semver.major(react.manifest.version);
  }

  /** Adds packages that the own code imports. @throws BuildError with a problem for each that cannot be used */
  async addAll(names: readonly string[]): Promise<void> {
    if (names.includes('react') || this.#project.specs.has('react')) await this.add('react').catch(() => undefined);
    const results = await Promise.allSettled(names.map((name) => this.add(name)));
    const problems: BuildProblem[] = [];
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      const { reason } = result;
      if (!(reason instanceof BuildError) || reason.code !== 'build_failed') throw reason;
      problems.push(...reason.problems);
    }
    if (problems.length > 0) throw new BuildError(problems);
    this.warnings.sort();
  }

  /** Adds a package, once. */
  async add(name: string): Promise<void> {
    if (this.#placed.has(name)) return;
    const specifier = this.#specifier(name);
    const pinned = await this.#pinned(name, specifier);
    const locked = pinned ? undefined : this.#locked(name, specifier);
    const manifest = pinned ?? locked ?? (await this.#choose(name, specifier));
    if (this.#versions.isDenied(manifest)) this.#fail(name, 'is denied by the operator of this service');
    this.#placed.set(name, { folder: `node_modules/${name}`, manifest, isOfLock: manifest === locked });
  }

  /** Returns the specifier in package.json. */
  #specifier(name: string): Specifier | undefined {
    const { specs } = this.#project;
    const spec = specs.get(name) ?? (name === 'react' ? specs.get('react-dom') : undefined);
    if (spec === undefined) return undefined;
    const specifier = readSpecifier(name, spec);
    if (!specifier) {
      const isFolder = /^(?:workspace|file|link|portal):/.test(spec);
      const reason = isFolder
        ? 'but no folder of the project has it: deploy the folder that has both'
        : 'but only versions of the registry are used, such as "^1.2.3"';
      this.#fail(name, `is "${spec.slice(0, 100)}" in package.json, ${reason}`);
    }
    return specifier;
  }

  async #pinned(name: string, specifier: Specifier | undefined): Promise<Manifest | undefined> {
    const any = this.isPinned(name) ? readSpecifier(name, '*') : undefined;
    const manifest = any && (await this.#versions.choose(any, {}));
    if (!manifest || 'reason' in manifest) return undefined;
    if (specifier && !isInRange(manifest.version, specifier)) {
      const asked = this.#project.specs.get(name);
      this.warnings.push(
        `${name} ${manifest.version} is used instead of ${asked}: it is the version of the compiler here`,
      );
    }
    return manifest;
  }

  /** The version of the lock file, unless package.json was changed since. */
  #locked(name: string, specifier: Specifier | undefined): Manifest | undefined {
    const { lock } = this.#project;
    if (!lock || this.#versions.listedOnly) return undefined;
    const entry = lock.entry(`node_modules/${name}`);
    const isCurrent = !specifier || (entry && isInRange(entry.version, specifier));
    if (entry?.manifest && isCurrent && (specifier?.name ?? entry.manifest.name) === entry.manifest.name) {
      return entry.manifest;
    }
    return undefined;
  }

  async #choose(name: string, specifier: Specifier | undefined): Promise<Manifest> {
    const isListed = this.#versions.isListed(name);
    if (!specifier && !isListed) this.#fail(name, this.#undeclared(name));
    const asked = specifier ?? readSpecifier(name, '*');
    if (!asked) throw new Error(`No specifier of ${name}`);
    const earlier = [this.#project.lock?.entry(`node_modules/${name}`)?.version, this.#chosen.get(name)];
    const manifest = await this.#versions.choose(asked, {
      version: earlier.find((version) => version !== undefined && isInRange(version, asked)),
      major: specifier ? undefined : this.majorOf(name),
      isDirect: true,
    });
    if ('reason' in manifest) return this.#fail(name, manifest.reason);
    if (this.#project.lock && !this.#versions.listedOnly) {
      this.warnings.push(`package-lock.json has no usable version of ${name}: ${manifest.version} is used`);
    }
    return manifest;
  }

  #undeclared(name: string): string {
    if (isBuiltin(name)) return 'is a module of Node.js, which browsers do not have';
    if (!isPackageName(name)) return 'is not a name of a package';
    return `is not in package.json: add it to "dependencies" with a version${this.#versions.suggestion(name)}`;
  }

  #fail(name: string, reason: string): never {
    throw new BuildError([this.#project.problem(name, `"${name}" ${reason}`)]);
  }
}

/**
 * They keep state in modules, so that a second copy breaks pages: the project's version is used even if a package asks
 * for another.
 */
const SINGLETONS = new Set(['react', 'react-dom', 'vue', 'svelte', 'solid-js', 'preact']);

/** Most that the packages of a level may ask for: each takes a request. */
const MAX_NEEDS = 20 * BUILD_LIMITS.packages;

/** Finds folders for what packages need. */
class Placement {
  readonly #project: Project;
  readonly #roots: Roots;
  readonly #versions: Versions;
  readonly #placed = new Map<string, Placed>();

  constructor(project: Project, roots: Roots, versions: Versions) {
    this.#project = project;
    this.#roots = roots;
    this.#versions = versions;
  }

  /** Places what packages need, unless that is too much. Peers come first, so that they get the folder of the root. */
  needsOf(parents: readonly Placed[]): Promise<{ parent: Placed; placed: Placed }[]> | undefined {
    const needs = parents.flatMap((parent) => parent.manifest.needs.map((need) => ({ parent, need })));
    return needs.length > MAX_NEEDS ? undefined : this.#placeAll(needs);
  }

  async #placeAll(needs: readonly { parent: Placed; need: Need }[]) {
    const isPeer = ({ need }: { need: Need }) => need.kind === 'peer' || need.kind === 'optional peer';
    const ordered = [...needs.filter(isPeer), ...needs.filter((one) => !isPeer(one))];
    await Promise.all(ordered.map(({ parent, need }) => this.#prepare(parent, need)));
    const all: { parent: Placed; placed: Placed }[] = [];
    for (const { parent, need } of ordered) {
      const placed = await this.#place(parent, need);
      if (placed) all.push({ parent, placed });
    }
    return all;
  }

  /** Starts the requests of a level at the same time. */
  async #prepare(parent: Placed, need: Need): Promise<void> {
    if (need.kind === 'optional peer' || this.#find(need.name, parent.folder)) return;
    const specifier = readSpecifier(need.name, this.#specOf(need));
    if (specifier) await this.#versions.prepare(specifier);
  }

  async #place(parent: Placed, need: Need): Promise<Placed | undefined> {
    const { name, kind } = need;
    await this.#placeDeclared(need);
    const found = this.#find(name, parent.folder);
    if (found && this.#fits(found, parent, need)) return found;
    if (kind === 'optional peer') return undefined;
    // The lock file leaves out what is for other operating systems.
    if (kind === 'optional' && parent.isOfLock) return undefined;

    const folder = found ? `${parent.folder}/node_modules/${name}` : `node_modules/${name}`;
    const specifier = readSpecifier(name, this.#specOf(need));
    const manifest = specifier
      ? await this.#versions.choose(specifier, {
          version: this.#project.lock?.entry(folder)?.version,
          major: this.#roots.majorOf(name),
        })
      : { reason: `is "${need.spec.slice(0, 100)}", which is not in the registry` };
    if (!('reason' in manifest)) return this.#put({ folder, manifest, isOfLock: false });
    if (kind !== 'dependency') return undefined;
    const message = `${parent.manifest.name} ${parent.manifest.version} needs "${name}", which ${manifest.reason}`;
    throw new BuildError([{ message }]);
  }

  /** Places a package that package.json declares in the folder of the root, even if only a package imports it. */
  async #placeDeclared({ name, kind }: Need): Promise<void> {
    if (!this.#project.specs.has(name) && !this.#roots.isPinned(name)) return;
    try {
      await this.#roots.add(name);
    } catch (error) {
      if (kind === 'dependency' || !(error instanceof BuildError) || error.code !== 'build_failed') throw error;
    }
  }

  #fits(found: Placed, parent: Placed, need: Need): boolean {
    if (need.kind === 'peer' || need.kind === 'optional peer' || SINGLETONS.has(need.name)) return true;
    if (found.isOfLock && parent.isOfLock) return true;
    const specifier = readSpecifier(need.name, this.#specOf(need));
    if (specifier === undefined || specifier.name !== found.manifest.name) return false;
    return isInRange(found.manifest.version, specifier);
  }

  #specOf({ name, spec }: Need): string {
    return this.#project.overrides.get(name) ?? spec;
  }

  /** The package that a folder sees under a name: in its own `node_modules`, or in those around it. */
  #find(name: string, folder: string): Placed | undefined {
    for (let from = folder; from !== ''; from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))) {
      const found = this.#at(`${from}/node_modules/${name}`);
      if (found) return found;
    }
    return this.#roots.placed(name) ?? this.#at(`node_modules/${name}`);
  }

  #at(folder: string): Placed | undefined {
    const placed = this.#placed.get(folder);
    if (placed || this.#versions.listedOnly) return placed;
    const manifest = this.#project.lock?.entry(folder)?.manifest;
    return manifest && this.#put({ folder, manifest, isOfLock: true });
  }

  #put(placed: Placed): Placed {
    const { name, version } = placed.manifest;
    if (this.#versions.isDenied(placed.manifest)) {
      throw new BuildError([{ message: `"${name}" ${version} is denied by the operator of this service` }]);
    }
    this.#placed.set(placed.folder, placed);
    return placed;
  }
}

/** @param neededBy the import that needs each package */
function tooMany(project: Project, neededBy: ReadonlyMap<string, string> = new Map()): BuildError {
  const counts = Map.groupBy(neededBy.values(), (name) => name);
  const [most] = [...counts].toSorted(([, one], [, other]) => other.length - one.length);
  const message = `The project needs more than ${BUILD_LIMITS.packages} packages`;
  if (most === undefined) return new BuildError([{ message }], 'payload_too_large');
  const [name, { length }] = most;
  const problem = project.problem(name, `${message}: "${name}" alone needs ${length} of them`);
  return new BuildError([problem], 'payload_too_large');
}
