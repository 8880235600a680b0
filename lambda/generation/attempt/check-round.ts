import type { ProjectContents } from '../../stored/projects/project-contents.ts';
import { withChanges } from '../../stored/projects/project-contents.ts';
import type { ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import { amendedPaths, lastAmendment, leftAnything } from '../amendments.ts';
import { deliveredStatus } from '../completeness.ts';
import type { Attempt, Generation, GenerationEvent } from '../generation.ts';
import type { GenerationStore, Invocation } from '../generation-store.ts';
import { lastLook } from '../looks.ts';
import { undone } from '../undo.ts';
import { checkBuild } from './build-check.ts';
import { verdict } from './judge.ts';
import { hasPage, type LookPorts, lookAt } from './look-check.ts';

export interface CheckPorts extends LookPorts {
  readonly generations: GenerationStore;
  readonly files: ProjectFileStore;
}

/** A generation as it is stored, and the entries of its log that are still to be written. */
export interface Progress {
  readonly stored: Generation;
  readonly pending: readonly GenerationEvent[];
}

/** Returns a generation with the entries that are still to be written. */
export function withPending({ stored, pending }: Progress): Generation {
  return { ...stored, log: [...stored.log, ...pending] };
}

/**
 * Builds the project after a round if it is source, and has a browser look at it. What is pending is written before the browser
 * starts, so that people see that it does.
 * @returns the progress with what was found; undefined if another invocation owns the generation
 */
export async function checkRound(
  ended: Attempt,
  progress: Progress,
  { base, project }: { readonly base: ProjectContents; readonly project: ProjectContents },
  invocation: Invocation,
  ports: CheckPorts,
): Promise<Progress | undefined> {
  const generation = withPending(progress);
  const amendment = lastAmendment(generation);
  const isSame = amendment !== undefined && amendedPaths(amendment).length === 0;
  if (isSame || deliveredStatus(generation) !== 'succeeded') return progress;
  const { unbuilt, site } = await checkBuild(generation, project, ports.builder);
  const { stored } = progress;
  const pending =
    unbuilt === undefined ? progress.pending : withEnds(progress.pending, [{ ...ended, unbuilt }]);
  if (site === undefined || !hasPage(site)) return { stored, pending };
  const { attempt } = ended;
  const reason = ports.looker.skipped ?? ports.unlooked(ended.provider);
  if (reason !== undefined) {
    const isKnown = lastLook(generation)?.state === 'skipped';
    const skipped: GenerationEvent = { type: 'look', attempt, state: 'skipped', reason };
    return { stored, pending: isKnown ? pending : [...pending, skipped] };
  }
  const looking: GenerationEvent = { type: 'look', attempt, state: 'looking' };
  const begun = await ports.generations.append(invocation, [...pending, looking], stored.log.length);
  if (begun === undefined) return undefined;
  const look = await lookAt(site, attempt, begun, base, ports);
  return { stored: begun, pending: [{ type: 'look', ...look }] };
}

/** What a round leaves: the project, and what is to be written about it. */
export interface Judged {
  readonly progress: Progress;
  readonly project: ProjectContents;
}

/** Drops the amendment of a round unless the project is better with it. @param before the project before the round */
export async function judge(
  progress: Progress,
  { base, before, project }: Readonly<Record<'base' | 'before' | 'project', ProjectContents>>,
  { files }: Pick<CheckPorts, 'files'>,
): Promise<Judged> {
  const { stored, pending } = progress;
  const generation = withPending(progress);
  const amendment = lastAmendment(generation);
  if (amendment === undefined || !leftAnything(amendment)) return { progress, project };
  // It may have begun in an earlier round.
  const isOfRound = amendment.attempts[0].attempt >= stored.attempt;
  const earlier = isOfRound ? before : await withChanges(base, { log: amendment.before }, files);
  const reason = verdict(amendment, generation.log, { before: earlier, after: project, base });
  if (reason === undefined) return { progress, project };
  const { restored, ended } = await undone(generation, amendment, reason, { files, base: async () => base });
  return { progress: { stored, pending: [...withEnds(pending, ended), ...restored] }, project: earlier };
}

/** Returns entries of the log with other ends of attempts. */
function withEnds(events: readonly GenerationEvent[], ended: readonly Attempt[]): GenerationEvent[] {
  const numbers = new Set(ended.map(({ attempt }) => attempt));
  const others = events.filter(
    (event) => event.type !== 'attempt' || event.outcome === undefined || !numbers.has(event.attempt),
  );
  return [...others, ...ended.map((attempt): GenerationEvent => ({ type: 'attempt', ...attempt }))];
}
