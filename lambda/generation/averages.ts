import type { ProviderName } from '../contract/generate.ts';
import type { AttemptOutcome } from '../contract/responses/generate.ts';
import type { Attempt, Generation } from './generation.ts';
import { attemptsOf } from './generation-log.ts';

/** What is measured of an attempt while its answer arrives. */
export interface Measured {
  /** Milliseconds from the call to the first text. */
  readonly firstTokenMs?: number | undefined;
  /** Milliseconds from the call to the first complete file. */
  readonly firstFileMs?: number | undefined;
  /** Characters per second. */
  readonly pace?: number | undefined;
}

/** A provider in one generation, or its averages over the last ones. */
export interface Sample extends Measured {
  /** Micro-dollars of all attempts in a generation. */
  readonly cost?: number | undefined;
  /** Share of the attempts that failed, from 0 to 1. */
  readonly failures: number;
}

/** Decaying averages of a provider: the last five generations are about two thirds of them. */
export interface Averages extends Sample {
  /** Unix milliseconds of the last sample. */
  readonly at: number;
}

/** The averages of the providers that have been called. */
export type Lately = Partial<Record<ProviderName, Averages>>;

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
  const first = (name: keyof Measured) => attempts.map((one) => measuredOf(one)[name]).find(isNumber);
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

/** An attempt that lost a race would have taken longer than it was given. */
function measuredOf({ outcome, measured = {}, ms }: Attempt): Measured {
  return outcome === 'outpaced' ? { firstTokenMs: ms, firstFileMs: ms, ...measured } : measured;
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

const isNumber = (value: number | undefined) => value !== undefined;
