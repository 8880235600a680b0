import { textOf } from '../../sites/text-of.ts';
import type { FileContents } from './project-file-store.ts';
import { deletedOf, filesOf, type StoredProject } from './stored-project.ts';

/** The files of a project by path; bytes for a file that is not text. */
export type ProjectContents = ReadonlyMap<string, string | Uint8Array>;

/** Returns the project that a generation changes; an empty one if it starts from nothing. */
export async function baseOf(
  { base }: Pick<StoredProject, 'base'>,
  files: FileContents,
): Promise<ProjectContents> {
  if (base === undefined) return new Map();
  const archive = await files.base(base);
  return new Map(Array.from(archive, ([path, bytes]) => [path, textOf(bytes) ?? bytes]));
}

/** Returns a base with the changes that a generation made so far. */
export async function withChanges(
  base: ProjectContents,
  generation: Pick<StoredProject, 'log'>,
  files: FileContents,
): Promise<Map<string, string | Uint8Array>> {
  const project = new Map(base);
  for (const path of deletedOf(generation)) project.delete(path);
  for (const { path, content } of await files.contents(filesOf(generation))) project.set(path, content);
  return project;
}
