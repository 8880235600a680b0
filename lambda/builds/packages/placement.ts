import { BUILD_LIMITS } from '../../contract/builds.ts';
import { BuildError } from '../problem.ts';
import type { Need } from './manifest.ts';
import type { Project } from './project.ts';
import type { Placed, Roots } from './roots.ts';
import { isInRange, readSpecifier } from './specifier.ts';
import type { Versions } from './versions.ts';

/** They keep state in modules, so that a second copy breaks pages: the project's version is used even if a package asks for another. */
const SINGLETONS = new Set(['react', 'react-dom', 'vue', 'svelte', 'solid-js', 'preact']);

/** Most that the packages of a level may ask for: each takes a request. */
const MAX_NEEDS = 20 * BUILD_LIMITS.packages;

/** Finds folders for what packages need. */
export class Placement {
  readonly #project: Project;
  readonly #roots: Roots;
  readonly #versions: Versions;
  readonly #placed = new Map<string, Placed>();

  constructor(project: Project, roots: Roots, versions: Versions) {
    this.#project = project;
    this.#roots = roots;
    this.#versions = versions;
  }

  /** Places what packages need. Peers come first, so that they get the folder of the root. */
  async needsOf(parents: readonly Placed[]): Promise<Placed[]> {
    const needs = parents.flatMap((parent) => parent.manifest.needs.map((need) => ({ parent, need })));
    if (needs.length > MAX_NEEDS) throw tooMany();
    const isPeer = ({ need }: { need: Need }) => need.kind === 'peer' || need.kind === 'optional peer';
    const ordered = [...needs.filter(isPeer), ...needs.filter((one) => !isPeer(one))];
    await Promise.all(ordered.map(({ parent, need }) => this.#prepare(parent, need)));
    const placed: Placed[] = [];
    for (const { parent, need } of ordered) {
      const found = await this.#place(parent, need);
      if (found) placed.push(found);
    }
    return placed;
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
      if (kind === 'dependency' || !(error instanceof BuildError) || error.code !== 'build_failed')
        throw error;
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
    for (
      let from = folder;
      from !== '';
      from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))
    ) {
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

export function tooMany(): BuildError {
  const message = `The project needs more than ${BUILD_LIMITS.packages} packages`;
  return new BuildError([{ message }], 'payload_too_large');
}
