import type { UsageStore } from '../access/usage.ts';
import { characters, tokensOf } from '../contract/generate.ts';
import { log } from '../platform/log.ts';
import { attemptsOf, filesOf, hasProject, type Job, tokensUsed } from './job.ts';

/**
 * Records what a job that is over amounts to, for the caller that started it and on the day it ended. Never throws:
 * the job has ended whether this is known or not.
 */
export async function recordGeneration(job: Job, usage: Pick<UsageStore, 'recordAmounts'>): Promise<void> {
  const { id, caller, finishedAt = job.createdAt } = job;
  if (caller === undefined) return;
  await usage
    .recordAmounts({ caller, operation: 'generate', at: finishedAt, ...amountsOf(job) })
    .catch((error: unknown) => log.error('usage not recorded', { caller, generation: id, error }));
}

/** Tokens of a project are those of its answer; without one they are all that is known to have been used. */
function amountsOf(job: Job) {
  const files = filesOf(job);
  return {
    tokens: hasProject(job) ? tokensUsed(job) : tokensSpent(job),
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The prompt, and what every attempt answered; of one that was given up on, only its complete files are known. */
function tokensSpent({ prompt, log }: Job): number {
  const written = (step: number) =>
    log.reduce(
      (sum, event) => sum + (event.type === 'file' && event.attempt === step ? event.characters : 0),
      0,
    );
  return attemptsOf({ log }).reduce(
    (sum, { attempt, tokens }) => sum + (tokens ?? tokensOf(written(attempt))),
    tokensOf(characters(prompt)),
  );
}
