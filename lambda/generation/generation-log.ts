import { characters, tokensOf } from '../contract/generate.ts';
import type { Plan } from '../stored/projects/project-parts.ts';
import { filesOf, type StoredFile } from '../stored/projects/stored-project.ts';
import type { Attempt, FileInProgress, Generation, GenerationEvent } from './generation.ts';

/** The plan of the project; undefined without one. */
export function planOf({ log }: Pick<Generation, 'log'>): Plan | undefined {
  const event = log.findLast((event) => event.type === 'plan');
  return event && { files: event.files, shared: event.shared ?? '' };
}

/** Every attempt once, in its latest state. */
export function attemptsOf({ log }: Pick<Generation, 'log'>): Attempt[] {
  const attempts = new Map<number, Attempt>();
  for (const event of log) {
    if (event.type !== 'attempt') continue;
    const { type: _, ...attempt } = event;
    attempts.set(attempt.attempt, attempt);
  }
  return [...attempts.values()];
}

/** The entries of the log without those of attempts whose changes were dropped. */
export function keptLog(generation: Pick<Generation, 'log'>): readonly GenerationEvent[] {
  const { log } = generation;
  const dropped = new Set(
    attemptsOf(generation).flatMap((one) => (one.dropped === true ? [one.attempt] : [])),
  );
  if (dropped.size === 0) return log;
  return log.filter((event) => !('attempt' in event) || !dropped.has(event.attempt));
}

/** The attempts without those that lost a race: they were stopped, or added nothing while their rival went on. */
export function decisiveAttempts(generation: Pick<Generation, 'log'>): Attempt[] {
  const attempts = attemptsOf(generation);
  const lost = new Set<number>();
  for (const rival of attempts) {
    const raced = attempts.find(({ attempt }) => attempt === rival.rivalOf);
    if (raced === undefined) continue;
    if (isLoser(rival, raced)) lost.add(rival.attempt);
    else if (isLoser(raced, rival)) lost.add(raced.attempt);
  }
  return attempts.filter(({ attempt }) => !lost.has(attempt));
}

function isLoser(one: Attempt, other: Attempt): boolean {
  const isUseful = ({ outcome, files = 0, unfinished }: Attempt) =>
    outcome === 'succeeded' || files > 0 || unfinished !== undefined;
  return one.outcome === 'outpaced' || (!isUseful(one) && isUseful(other));
}

/** The images that the caller gave to the generation. */
export function imagesOf(generation: Pick<Generation, 'log'>): StoredFile[] {
  return filesOf(generation).filter(({ attempt }) => attempt === 0);
}

/** The files that attempts wrote; of a path that was written twice, the last one. */
export function writtenFiles(generation: Pick<Generation, 'log'>): StoredFile[] {
  return filesOf(generation).filter(({ attempt }) => attempt > 0);
}

/** Whether an attempt wrote or deleted a file. */
export function hasChanges({ log }: Pick<Generation, 'log'>): boolean {
  return log.some((event) => (event.type === 'file' || event.type === 'deleted') && event.attempt > 0);
}

/** The files that are being written. The list is some seconds old: the log may have the complete file already. */
export function filesInProgress({
  writing = [],
  log,
}: Pick<Generation, 'writing' | 'log'>): FileInProgress[] {
  const isComplete = ({ path, attempt }: FileInProgress) =>
    log.some((event) => event.type === 'file' && event.path === path && event.attempt === attempt);
  return writing.filter((file) => !isComplete(file));
}

/** The contract's estimate for a project: the tokens of its prompt and files. */
export function tokensUsed(generation: Pick<Generation, 'prompt' | 'log'>): number {
  const written = filesOf(generation).reduce((sum, file) => sum + file.characters, 0);
  return tokensOf(characters(generation.prompt) + written);
}

/** The starter of the project, null if none fits the prompt; undefined if a model writes the project. */
export function matchedStarter(generation: Pick<Generation, 'log'>): string | null | undefined {
  return attemptsOf(generation).findLast(({ outcome }) => outcome === 'succeeded')?.matched;
}

/** The model in the response: the last one that wrote or deleted a file of the first group, or of a project without groups. */
export function modelOf(generation: Pick<Generation, 'log'>): string {
  const attempts = new Map(attemptsOf(generation).map((attempt) => [attempt.attempt, attempt]));
  const writers = keptLog(generation).flatMap((event) => {
    const attempt =
      event.type === 'file' || event.type === 'deleted' ? attempts.get(event.attempt) : undefined;
    return attempt ? [attempt] : [];
  });
  const first = Math.min(...writers.map(({ group = 0 }) => group));
  return writers.findLast(({ group = 0 }) => group === first)?.model ?? '';
}
