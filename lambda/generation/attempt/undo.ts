import { characters } from '../../contract/generate.ts';
import { baseOf, type ProjectContents } from '../../stored/projects/project-contents.ts';
import type { ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import { deletedOf, filesOf, type ProjectEvent } from '../../stored/projects/stored-project.ts';
import type { Attempt, Generation, GenerationEvent } from '../generation.ts';
import { type Amendment, amendedPaths, lastAmendment } from '../generation-log.ts';
import { languageOf } from '../language.ts';

/**
 * Returns the entries of the log that drop the last repair or review: its attempts with the reason, and the files as
 * they were before it. Clients replace files by path, so they need nothing else.
 * @param reason a sentence
 * @param base the project before the generation; read only if it is needed
 */
export async function undoAmendment(
  generation: Pick<Generation, 'id' | 'base' | 'log'>,
  reason: string,
  files: ProjectFileStore,
  base: () => Promise<ProjectContents> = () => baseOf(generation, files),
): Promise<GenerationEvent[]> {
  const amendment = lastAmendment(generation);
  if (amendment === undefined) return [];
  const { attempts } = amendment;
  const attempt = attempts.at(-1)?.attempt ?? 0;
  const ended = attempts.map((one): GenerationEvent => {
    const because = one.attempt === attempt ? [one.reason, reason].filter(Boolean).join('. ') : one.reason;
    // Only later attempts need these, and the log has them already.
    const { rejected: _rejected, unfinished: _unfinished, unbuilt: _unbuilt, ...shown } = one;
    return { type: 'attempt', ...shown, reason: because, dropped: true };
  });
  return [...ended, ...(await restoredFiles(generation.id, amendment, attempt, files, base))];
}

async function restoredFiles(
  id: string,
  amendment: Amendment,
  attempt: Attempt['attempt'],
  files: ProjectFileStore,
  base: () => Promise<ProjectContents>,
): Promise<ProjectEvent[]> {
  const earlier = new Map(filesOf({ log: amendment.before }).map((file) => [file.path, file]));
  const deleted = deletedOf({ log: amendment.before });
  const restored = amendedPaths(amendment).map(async (path): Promise<ProjectEvent> => {
    const file = earlier.get(path);
    if (file) return { ...file, type: 'file', attempt };
    const content = deleted.has(path) ? undefined : (await base()).get(path);
    if (content === undefined) return { type: 'deleted', path, attempt };
    const bytes = Buffer.from(content);
    const key = await files.putImage(id, bytes);
    const size = { bytes: bytes.length, characters: typeof content === 'string' ? characters(content) : 0 };
    return { type: 'file', path, language: languageOf(path), ...size, key, attempt };
  });
  return Promise.all(restored);
}
