import { characters } from '../contract/generate.ts';
import type { ProjectContents } from '../stored/projects/project-contents.ts';
import type { ProjectFileStore } from '../stored/projects/project-file-store.ts';
import { deletedOf, filesOf, type ProjectEvent } from '../stored/projects/stored-project.ts';
import { type Amendment, amendedPaths } from './amendments.ts';
import type { Attempt, Generation } from './generation.ts';
import { languageOf } from './language.ts';

export interface UndoPorts {
  readonly files: Pick<ProjectFileStore, 'putImage'>;
  /** Reads the project before the generation. */
  readonly base: () => Promise<ProjectContents>;
}

/** What drops an amendment. */
export interface Undone {
  /** The files as they were before it: clients replace files by path, so they need nothing else. */
  readonly restored: readonly ProjectEvent[];
  /** Its attempts, with the reason. */
  readonly ended: readonly Attempt[];
}

/** Returns what is to be logged to drop an amendment. @param reason as a sentence */
export async function undone(
  { id }: Pick<Generation, 'id'>,
  amendment: Amendment,
  reason: string,
  ports: UndoPorts,
): Promise<Undone> {
  const { attempts } = amendment;
  const attempt = attempts.at(-1)?.attempt ?? 0;
  const earlier = new Map(filesOf({ log: amendment.before }).map((file) => [file.path, file]));
  const deleted = deletedOf({ log: amendment.before });
  const restored = amendedPaths(amendment).map(async (path): Promise<ProjectEvent> => {
    const file = earlier.get(path);
    if (file) return { ...file, type: 'file', attempt };
    const content = deleted.has(path) ? undefined : (await ports.base()).get(path);
    if (content === undefined) return { type: 'deleted', path, attempt };
    const bytes = Buffer.from(content);
    const key = await ports.files.putImage(id, bytes);
    const size = { bytes: bytes.length, characters: typeof content === 'string' ? characters(content) : 0 };
    return { type: 'file', path, language: languageOf(path), ...size, key, attempt };
  });
  const ended = attempts.map((one): Attempt => {
    const because = one.attempt === attempt ? [one.reason, reason].filter(Boolean).join('. ') : one.reason;
    // What only later attempts need, and the log has already.
    const { rejected: _, unfinished: __, unbuilt: ___, ...shown } = one;
    return { ...shown, reason: because, dropped: true };
  });
  return { restored: await Promise.all(restored), ended };
}
