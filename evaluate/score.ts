import type { Generated } from './generation.ts';
import type { Prompt } from './prompts/prompt.ts';
import type { Findings } from './visit.ts';

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
  /** All findings by their kind, one sentence each. */
  readonly findings: Omit<Findings, 'steps' | 'liveAt' | 'screenshots'>;
  readonly steps: Findings['steps'];
  readonly firstFileMs: number;
  /** Milliseconds from the request to the first response of the deployed page. */
  readonly liveMs: number;
  readonly tokens: number;
  readonly attempts: number;
  readonly problems: readonly string[];
}

const NOTHING = { blank: [], errors: [], origins: [], broken: [], axe: [] };

/** Returns the score of a page. It passes if it has no finding and all steps hold. */
export function scoreOf(prompt: Prompt, generated: Generated, found: Findings, begin: number): Score {
  const { blank, errors, origins, broken, axe, steps } = found;
  const findings = { blank, errors, origins, broken, axe };
  const { generation, firstFileMs, model, tokensUsed } = generated;
  return {
    ...about(prompt),
    model,
    ...(generation.matched === undefined ? {} : { matched: generation.matched }),
    passed:
      Object.values(findings).flat().length === 0 && steps.every(({ problem }) => problem === undefined),
    findings,
    steps,
    firstFileMs,
    liveMs: Math.round(found.liveAt - begin),
    tokens: tokensUsed,
    attempts: generation.attempts.length,
    problems: generation.problems ?? [],
  };
}

/** Returns the score of a prompt without a page. */
export function failureOf(prompt: Prompt, failure: string): Score {
  const steps = Object.keys(prompt.steps).map((name) => ({ name, problem: 'there is no page' }));
  const none = { model: '', firstFileMs: 0, liveMs: 0, tokens: 0, attempts: 0, problems: [] };
  return { ...about(prompt), ...none, failure, passed: false, findings: NOTHING, steps };
}

const about = ({ id, category, text }: Prompt) => ({ id, category, prompt: text });

/** What is wrong with a page, one sentence each, with what it is. */
export function complaints({ failure, findings, steps }: Score): string[] {
  return [
    ...(failure === undefined ? [] : [`no page: ${failure}`]),
    ...Object.entries(findings).flatMap(([kind, all]) => all.map((one) => `${kind}: ${one}`)),
    ...steps.flatMap(({ name, problem }) => (problem === undefined ? [] : [`step: ${name}: ${problem}`])),
  ];
}

export const stepsHeld = (score: Score) => score.steps.filter(({ problem }) => problem === undefined).length;
