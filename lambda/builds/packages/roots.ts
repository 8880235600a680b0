import { isBuiltin } from 'node:module';
import semver from 'semver';
import type { BuildProblem } from '../../contract/builds.ts';
import { BuildError } from '../problem.ts';
import { isPackageName, type Manifest } from './manifest.ts';
import type { Project } from './project.ts';
import { isInRange, readSpecifier, type Specifier } from './specifier.ts';
import type { Versions } from './versions.ts';

/** A package in its folder, such as `node_modules/a/node_modules/b`. */
export interface Placed {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly isOfLock: boolean;
}

/** Their compilers are part of this service, and compiled components call internal functions of the same version. */
const PINNED = new Set(['vue', 'svelte', 'solid-js']);
/** Released together with React, in the same major version. */
const WITH_REACT = new Set(['react-dom', 'react-is']);

/** The packages in the root's `node_modules` that the project imports or declares. */
export class Roots {
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

  /**
   * Adds packages that the own code imports.
   * @throws BuildError with a problem for each that cannot be used
   */
  async addAll(names: readonly string[]): Promise<void> {
    if (names.includes('react') || this.#project.specs.has('react'))
      await this.add('react').catch(() => undefined);
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

  /** What package.json asks for. */
  #specifier(name: string): Specifier | undefined {
    const { specs } = this.#project;
    const spec = specs.get(name) ?? (name === 'react' ? specs.get('react-dom') : undefined);
    if (spec === undefined) return undefined;
    const specifier = readSpecifier(name, spec);
    if (!specifier) {
      this.#fail(
        name,
        `is "${spec.slice(0, 100)}" in package.json, but only versions of the registry are used, such as "^1.2.3"`,
      );
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
