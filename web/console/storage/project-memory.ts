import type { KeptProject } from '../state/kept-project.ts';
import { beyondRoom, type ProjectStore } from './project-store.ts';

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
