import type { KeptProject } from '../state/kept-project.ts';

/** Where projects are kept, with their files and conversations. */
export interface ProjectStore {
  /** Returns a project; undefined without one of that id. */
  read(projectId: string): Promise<KeptProject | undefined>;
  /**
   * Keeps a project in place of its earlier state. Others make room for it if need be, the oldest first.
   * @returns the ids of those
   * @throws Error if there is no room, or no storage
   */
  write(project: KeptProject): Promise<readonly string[]>;
  delete(projectId: string): Promise<void>;
}

export type KeptSize = Pick<KeptProject, 'projectId' | 'at' | 'bytes'>;

/** Together. Browsers allow a site more than that, but not all of them much more. */
const MOST_BYTES = 100 * 1_048_576;

/** Returns the projects that have to go, so that the others fit: the oldest, but never the one that was just written. */
export function beyondRoom(sizes: readonly KeptSize[], written: string): string[] {
  const others = sizes.filter(({ projectId }) => projectId !== written).toSorted((a, b) => b.at - a.at);
  let used = sizes.find(({ projectId }) => projectId === written)?.bytes ?? 0;
  return others
    .filter(({ bytes }) => {
      used += bytes;
      return used > MOST_BYTES;
    })
    .map(({ projectId }) => projectId);
}

/** Returns the project that has not been changed for the longest time; undefined if there is no other than the one to write. */
export const oldestOther = (sizes: readonly KeptSize[], written: string): string | undefined =>
  sizes.filter(({ projectId }) => projectId !== written).toSorted((a, b) => a.at - b.at)[0]?.projectId;

/** Projects in memory, until the page is closed. */
export class ProjectMemory implements ProjectStore {
  readonly #projects = new Map<string, KeptProject>();

  async read(projectId: string): Promise<KeptProject | undefined> {
    return this.#projects.get(projectId);
  }

  async write(project: KeptProject): Promise<readonly string[]> {
    this.#projects.set(project.projectId, project);
    const evicted = beyondRoom([...this.#projects.values()], project.projectId);
    for (const projectId of evicted) this.#projects.delete(projectId);
    return evicted;
  }

  async delete(projectId: string): Promise<void> {
    this.#projects.delete(projectId);
  }
}
