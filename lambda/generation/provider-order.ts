import type { GenerateRequest, ProviderName } from '../contract/generate.ts';
import type { AttemptOutcome } from '../contract/responses/generate.ts';
import type { Attempt, Averages, Generation, Lately, Measured, Sample } from './generation.ts';
import { attemptsOf } from './generation-log.ts';

export const ROUTINGS = ['order', 'fastest', 'cheapest'] as const;
/** The order in which `auto` tries providers: by their names, or by what was measured of late. */
export type Routing = (typeof ROUTINGS)[number];

/** The providers of a stage, and how to choose among them. */
export interface ConfiguredProviders {
  /** In the order of their names. */
  readonly names: readonly ProviderName[];
  readonly routing: Routing;
  readonly traits: Readonly<Partial<Record<ProviderName, ProviderTraits>>>;
}

export interface ProviderTraits {
  /** The vendor's name of the model, or that of the embedded provider. */
  readonly model: string;
  /** Chooses a starter project instead of writing what was asked for. */
  readonly isEmbedded: boolean;
  readonly isFree: boolean;
  /** Micro-dollars of a usual generation at the price of the model; 0 if it is free, undefined without a price. */
  readonly usualCost?: number | undefined;
}

/** The measured state of the providers. */
export interface ProviderHealth {
  /** The providers that failed and have not succeeded since. */
  readonly failed: readonly ProviderName[];
  /** Until when providers cool down, in Unix milliseconds. */
  readonly cooling: Readonly<Partial<Record<ProviderName, number>>>;
  readonly lately: Lately;
}

/** Averages that are older say little about a provider now. */
const FRESH_MS = 60 * 60_000;
/** The share of generations that begin with a provider of which little is known. */
const EXPLORED = 1 / 8;
/** A provider that always fails is not infinitely slow. */
const LEAST_SUCCESS = 0.05;

/**
 * Returns the requested provider first, if the stage has it, then the others in the order of their names. For `auto`,
 * they are in the order of `routing`, and those that are cooling down come last.
 *
 * With `fastest` and `cheapest`, providers that have been measured are in the order of their averages; without one, the
 * price of the model says what a generation costs. An unknown provider keeps its configured place, as does an embedded
 * one always; and one that was not measured within the last hour goes first in an eighth of the generations, so that it
 * becomes known again.
 * @param draw a random number from 0 to 1, which chooses these generations
 */
export function providerOrder(
  model: GenerateRequest['model'],
  { names: configured, routing, traits }: ConfiguredProviders,
  { cooling, lately }: Pick<ProviderHealth, 'cooling' | 'lately'>,
  now: number,
  draw = 1,
): ProviderName[] {
  if (model !== 'auto') return first(configured, (name) => name === model);
  const isCooling = (name: ProviderName) => cooling[name] !== undefined;
  if (routing === 'order') return first(configured, (name) => !isCooling(name));
  const expected = (name: ProviderName) => expectedOf(routing, lately[name], traits[name]);
  const isStale = (name: ProviderName) =>
    !isCooling(name) && !traits[name]?.isEmbedded && now - (lately[name]?.at ?? 0) > FRESH_MS;
  const stale = configured.filter(isStale);
  const explored = stale[Math.floor((draw / EXPLORED) * stale.length)];
  const ranked = first(byExpectation(configured, expected), (name) => name === explored);
  return first(ranked, (name) => !isCooling(name));
}

/** Returns the providers with those first that meet a condition, otherwise in their order. */
function first(names: readonly ProviderName[], isFirst: (name: ProviderName) => boolean): ProviderName[] {
  return names.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
}

/** Sorts the providers of which something is expected; the others keep their places. */
function byExpectation(
  names: readonly ProviderName[],
  expected: (name: ProviderName) => number | undefined,
): ProviderName[] {
  const known = names
    .filter((name) => expected(name) !== undefined)
    .toSorted((a, b) => (expected(a) ?? 0) - (expected(b) ?? 0));
  return names.map((name) => (expected(name) === undefined ? name : (known.shift() ?? name)));
}

/** Returns the time or cost until a provider succeeds, if it is tried until then; undefined if that is not known. */
function expectedOf(
  routing: 'fastest' | 'cheapest',
  averages: Averages | undefined,
  traits: ProviderTraits | undefined,
): number | undefined {
  if (traits?.isEmbedded) return undefined;
  const value = routing === 'fastest' ? averages?.firstFileMs : (averages?.cost ?? traits?.usualCost);
  const failures = averages?.failures ?? 0;
  // It has not made a file yet, but failed.
  if (value === undefined) return failures > 0.5 ? Number.MAX_VALUE : undefined;
  return value / Math.max(LEAST_SUCCESS, 1 - failures);
}

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
