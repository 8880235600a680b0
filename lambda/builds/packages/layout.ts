import { BUILD_LIMITS } from '../../contract/builds.ts';
import { Placement, tooMany } from './placement.ts';
import type { Project } from './project.ts';
import { type Placed, Roots } from './roots.ts';
import type { Versions } from './versions.ts';

export interface Layout {
  /** By folder, in order of the folders. */
  readonly packages: ReadonlyMap<string, Placed>;
  readonly warnings: readonly string[];
}

/**
 * Lays out packages and all that they need as `node_modules`: each in the folder of the root, or, where that has another version,
 * in the folder of the package that needs it. As with npm's `legacy-peer-deps`, a peer of another version is no error; as without it, missing
 * peers are added.
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
  if (names.size > BUILD_LIMITS.packages) throw tooMany();
  const sorted = [...names].toSorted();
  await roots.addAll(sorted);
  const placement = new Placement(project, roots, versions);
  const used = new Map<string, Placed>();
  let level = sorted.map((name) => roots.placed(name)).filter((placed) => placed !== undefined);
  while (level.length > 0) {
    for (const placed of level) used.set(placed.folder, placed);
    if (used.size > BUILD_LIMITS.packages) throw tooMany();
    const needed = await placement.needsOf(level);
    level = [...new Set(needed)].filter((placed) => used.get(placed.folder) !== placed);
  }
  const folders = [...used].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { packages: new Map(folders), warnings: roots.warnings };
}
