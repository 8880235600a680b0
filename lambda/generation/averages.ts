import type { ProviderName } from '../contract/generate.ts';
import type { AttemptOutcome } from '../contract/responses/generate.ts';
import type { Attempt, Averages, Generation, Measured, Sample } from './generation.ts';
import { attemptsOf } from './generation-log.ts';

/** The weight of a new sample. */
const WEIGHT = 0.2;
/** Characters per second that no model reaches, but `blueprint`. */
const FASTEST_MODEL = 20_000;

/** The fault of the provider, not of the request or of this service. */
const FAILED: ReadonlySet<AttemptOutcome | undefined> = new Set<AttemptOutcome>([
  'timed_out',
  'silent',
  'overloaded',
  'credentials',
  'unusable',
  'failed',
]);

/** Returns a sample of each provider that a generation called. */
export function samplesOf(generation: Pick<Generation, 'log'>): Map<ProviderName, Sample> {
  const ended = attemptsOf(generation).filter(({ outcome }) => outcome !== undefined);
  const byProvider = Map.groupBy(ended, ({ provider }) => provider);
  return new Map(Array.from(byProvider, ([provider, attempts]) => [provider, sampleOf(attempts)]));
}

function sampleOf(attempts: readonly Attempt[]): Sample {
  const first = (name: keyof Measured) => attempts.map(({ measured }) => measured?.[name]).find(isNumber);
  const costs = attempts.map(({ cost }) => cost).filter((cost) => cost !== undefined);
  const pace = attempts.map(({ measured }) => measured?.pace).findLast(isNumber);
  return {
    firstTokenMs: first('firstTokenMs'),
    firstFileMs: first('firstFileMs'),
    pace: pace === undefined || pace > FASTEST_MODEL ? undefined : pace,
    cost: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost),
    failures: attempts.filter(({ outcome }) => FAILED.has(outcome)).length / attempts.length,
  };
}

/** Returns the averages with another sample. */
export function withSample(before: Averages | undefined, sample: Sample, now: number): Averages {
  return {
    firstTokenMs: average(before?.firstTokenMs, sample.firstTokenMs),
    firstFileMs: average(before?.firstFileMs, sample.firstFileMs),
    pace: average(before?.pace, sample.pace),
    cost: average(before?.cost, sample.cost),
    failures: averageOf(before?.failures ?? sample.failures, sample.failures),
    at: now,
  };
}

function average(before: number | undefined, value: number | undefined): number | undefined {
  if (before === undefined || value === undefined) return value ?? before;
  return Math.round(averageOf(before, value));
}

const averageOf = (before: number, value: number) => before + WEIGHT * (value - before);

/** Reports whether an outcome is the fault of the provider. */
export function isProviderFault(outcome: AttemptOutcome): boolean {
  return FAILED.has(outcome);
}

const isNumber = (value: number | undefined) => value !== undefined;
