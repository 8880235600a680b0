import type { GenerationResource, Project } from '../client/client.ts';
import type { Prompt } from './prompts/visitor.ts';
import type { Findings } from './visit.ts';

export interface TimedGeneration extends Project {
  readonly generation: GenerationResource;
  /** Milliseconds from the request to the first complete file. */
  readonly firstFileMs: number;
  /** Milliseconds from the request to the last complete file. */
  readonly lastFileMs: number;
}

/** The outcome for one prompt. */
export interface Score {
  readonly id: string;
  readonly category: string;
  readonly prompt: string;
  /** The provider and its model that answered; empty if none did. */
  readonly model: string;
  /** The starter, null if none fits; absent for a model. */
  readonly matched?: string | null;
  /** Why there is no page. */
  readonly failure?: string;
  readonly passed: boolean;
  /** Whether the service said that it succeeded, without a problem. */
  readonly isClaimed: boolean;
  /** All findings by their kind, one sentence each. */
  readonly findings: Omit<Findings, 'steps' | 'liveAt' | 'screenshots'> & {
    /** Why the project does not build. */
    readonly unbuilt: readonly string[];
  };
  readonly steps: Findings['steps'];
  readonly firstFileMs: number;
  readonly lastFileMs: number;
  /** Milliseconds from the request to the first response of the deployed page. */
  readonly liveMs: number;
  readonly tokens: number;
  /** The output of all attempts together. */
  readonly tokensPerSecond: number;
  readonly attempts: number;
  readonly problems: readonly string[];
}

const NOTHING = { unbuilt: [], blank: [], errors: [], origins: [], broken: [], axe: [] };

/** Returns the score of a page. It passes if it has no finding and all steps hold. */
export function scoreOf(prompt: Prompt, generated: TimedGeneration, found: Findings, begin: number): Score {
  const { blank, errors, origins, broken, axe, steps } = found;
  const findings = { unbuilt: [], blank, errors, origins, broken, axe };
  const { generation, firstFileMs, lastFileMs, model, tokensUsed } = generated;
  return {
    ...about(prompt),
    model,
    ...(generation.matched === undefined ? {} : { matched: generation.matched }),
    passed: Object.values(findings).flat().length === 0 && steps.every(({ problem }) => problem === undefined),
    isClaimed: claims(generated),
    findings,
    steps,
    firstFileMs,
    lastFileMs,
    liveMs: Math.round(found.liveAt - begin),
    tokens: tokensUsed,
    tokensPerSecond: tokensPerSecond(generation.attempts),
    attempts: generation.attempts.length,
    problems: generation.problems ?? [],
  };
}

/** Reports if the service said that a generation succeeded, without a problem. */
function claims({ generation: { status, problems = [] } }: TimedGeneration): boolean {
  return status === 'succeeded' && problems.length === 0;
}

/**
 * Returns the score of a prompt without a page.
 * @param generated the project, if there is one
 * @param isUnbuilt whether there is no page because the project does not build
 */
export function failureOf(prompt: Prompt, failure: string, generated?: TimedGeneration, isUnbuilt = false): Score {
  const steps = Object.keys(prompt.steps).map((name) => ({ name, problem: 'there is no page' }));
  const times = { firstFileMs: 0, lastFileMs: 0, liveMs: 0 };
  const none = { model: '', ...times, tokens: 0, tokensPerSecond: 0, attempts: 0, problems: [] };
  const findings = isUnbuilt ? { ...NOTHING, unbuilt: [failure] } : NOTHING;
  const isClaimed = generated !== undefined && claims(generated);
  return { ...about(prompt), ...none, failure, passed: false, isClaimed, findings, steps };
}

/** Returns the tokens of output per second, from the start of the first attempt to the end of the last one. */
export function tokensPerSecond(attempts: GenerationResource['attempts']): number {
  const starts = attempts.map(({ startedAt }) => startedAt);
  const ends = attempts.map(({ startedAt, ms = 0 }) => startedAt + ms);
  const ms = Math.max(0, ...ends) - Math.min(...starts);
  const tokens = attempts.reduce((sum, attempt) => sum + (attempt.tokens ?? 0), 0);
  return ms > 0 ? Math.round((tokens / ms) * 1_000) : 0;
}

const about = ({ id, category, text }: Prompt) => ({ id, category, prompt: text });

/** Returns the problems of a page, one sentence each, with their kind. */
export function complaints({ failure, findings, steps }: Score): string[] {
  return [
    ...(failure === undefined ? [] : [`no page: ${failure}`]),
    ...Object.entries(findings).flatMap(([kind, all]) => all.map((one) => `${kind}: ${one}`)),
    ...steps.flatMap(({ name, problem }) => (problem === undefined ? [] : [`step: ${name}: ${problem}`])),
  ];
}

export const stepsHeld = (score: Score) => score.steps.filter(({ problem }) => problem === undefined).length;
