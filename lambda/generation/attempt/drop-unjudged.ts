import { baseOf } from '../../stored/projects/project-contents.ts';
import type { ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import { lastAmendment, leftAnything } from '../amendments.ts';
import type { Generation, GenerationEvent, NextAttempt } from '../generation.ts';
import { hasChanges } from '../generation-log.ts';
import { undone } from '../undo.ts';

/**
 * Returns the entries of the log that drop a repair or a review which ended before anyone could tell whether the project is better
 * with it; none if the next attempt goes on with it, or there was no project before it.
 * @param next what would follow if it were kept
 */
export async function dropUnjudged(
  generation: Pick<Generation, 'id' | 'base' | 'log'>,
  next: Pick<NextAttempt, 'status'> & { readonly kind?: string },
  loadFiles: () => Promise<ProjectFileStore>,
): Promise<GenerationEvent[]> {
  const amendment = lastAmendment(generation);
  if (amendment === undefined || !leftAnything(amendment)) return [];
  const [{ kind }] = amendment.attempts;
  const goesOn = next.status === 'running' && next.kind === kind;
  if (goesOn || !hasChanges({ log: amendment.before })) return [];
  const files = await loadFiles();
  const base = () => baseOf(generation, files);
  const { restored, ended } = await undone(generation, amendment, 'Dropped: it ended early', { files, base });
  return [...ended.map((attempt): GenerationEvent => ({ type: 'attempt', ...attempt })), ...restored];
}
