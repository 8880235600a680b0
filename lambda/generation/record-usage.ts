import type { UsageStore } from '../access/usage-store.ts';
import { characters, tokensOf } from '../contract/generate.ts';
import { log } from '../platform/log.ts';
import { hasProject } from '../stored/projects/stored-project.ts';
import type { Generation } from './generation.ts';
import { costAmounts } from './generation-cost.ts';
import { attemptsOf, tokensUsed, writtenFiles } from './generation-log.ts';

export type UsageRecorder = Pick<UsageStore, 'recordAmounts'>;

/**
 * Records the usage of a generation that has just ended, for its owner and on the day it ended; does nothing if it has not
 * ended. Called with the result of the write that may have ended it. Errors are only logged: the end is committed.
 */
export async function recordIfOver(generation: Generation | undefined, usage: UsageRecorder): Promise<void> {
  // A generation that is to be deployed has ended before its deploy.
  if (generation?.owner === undefined || generation.finishedAt === undefined) return;
  const { id, owner, finishedAt } = generation;
  await usage
    .recordAmounts({ caller: owner, operation: 'generate', at: finishedAt, ...amountsOf(generation) })
    .catch((error: unknown) => log.error('usage not recorded', { caller: owner, generation: id, error }));
}

/** Counts the tokens of the response or, without a project, those of all attempts; the cost is that of all attempts. */
function amountsOf(generation: Generation) {
  const files = writtenFiles(generation);
  return {
    tokens:
      hasProject(generation) || generation.status === 'deploying'
        ? tokensUsed(generation)
        : tokensSpent(generation),
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    ...costAmounts(generation),
  };
}

/** Returns the tokens of the prompt and of every answer. Of an interrupted attempt, only the complete files are known. */
function tokensSpent({ prompt, log }: Generation): number {
  const written = (attempt: number) =>
    log.reduce(
      (sum, event) => sum + (event.type === 'file' && event.attempt === attempt ? event.characters : 0),
      0,
    );
  return attemptsOf({ log }).reduce(
    (sum, { attempt, tokens }) => sum + (tokens ?? tokensOf(written(attempt))),
    tokensOf(characters(prompt)),
  );
}
