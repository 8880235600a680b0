import { type ApiKey, issueKey } from '../access/api-key.ts';
import type { Closure } from '../access/stage-state.ts';
import type { Clock } from '../platform/clock.ts';
import { CANARY_KEY_ID } from '../platform/env.ts';
import { emitMetrics, log } from '../platform/log.ts';
import type { CanarySettings } from './settings.ts';
import { deploy, findPage, generate, readApi, readBack, type Service, type Steps, Unexpected, visit } from './steps.ts';

/** At least as long as a run, and longer than API functions cache a key; shorter than the time between two runs. */
const KEPT_MS = 240_000;

/** Longer than any run that uses the key. */
const VALID_MS = 15 * 60_000;

/**
 * Issues the canary's API key, a new one for each run. Only this instance knows it: the table stores the hash, and the role of the
 * function allows writing this one item only.
 */
export class Identity {
  readonly #renew: (record: ApiKey) => Promise<void>;
  readonly #clock: Clock;
  #key: string | undefined;
  #issuedAt = 0;

  constructor(renew: (record: ApiKey) => Promise<void>, clock: Clock) {
    this.#renew = renew;
    this.#clock = clock;
  }

  /** @throws ConditionalCheckFailedException if an operator revoked the key */
  async key(): Promise<string> {
    const now = this.#clock();
    if (this.#key !== undefined && now - this.#issuedAt < KEPT_MS) return this.#key;
    const attributes = { name: 'canary', scopes: [], expiresAt: now + VALID_MS };
    const { key, record } = issueKey(attributes, now, CANARY_KEY_ID);
    await this.#renew(record);
    this.#key = key;
    this.#issuedAt = now;
    return key;
  }
}

/** The service that a run uses, and what it needs to know of the stage. */
export interface CanaryStage {
  readonly service: Service;
  readonly key: () => Promise<string>;
  /** Reports whether the operator has closed something. */
  readonly isClosed: (closure: Closure) => Promise<boolean>;
  readonly settings: CanarySettings;
  readonly clock: Clock;
}

const PERIOD_MINUTES = 5;

/** Makes one run, and logs its metrics and one line, plus a line for each failed step. */
export async function runCanary(stage: CanaryStage): Promise<void> {
  const begin = stage.clock();
  const run = new Run(stage.clock);
  await steps(run, stage);
  const { failed, stepMs } = run;
  const ms = stage.clock() - begin;
  emitMetrics('Count', { CanaryFailures: failed.length > 0 ? 1 : 0 });
  emitMetrics('Milliseconds', { CanaryMs: ms });
  log.info('canary', { failed, ms, steps: stepMs });
}

/** Continues after a failed step, except with the steps that need its result. */
async function steps(run: Run, { service, key: keyOf, settings, isClosed, clock }: CanaryStage): Promise<void> {
  const key = await run.step('key', keyOf);
  // If the state cannot be read, the other steps still show what works.
  const open = (await run.step('state', () => openOf(isClosed))) ?? { deploy: true, generate: true };
  if (key === undefined) return;
  const shared: Steps = { service, settings, key, now: clock() };
  await run.step('api', () => readApi(shared));
  const page = await run.step('deploy', () => (open.deploy ? deploy(shared) : findPage(shared)));
  if (page?.version !== undefined) await run.step('read', () => readBack(shared, page));
  if (page !== undefined) await run.step('visit', () => visit(shared, page));
  const model = open.generate ? dueModel(settings, shared.now) : undefined;
  if (model !== undefined) await run.step('generate', () => generate(shared, model));
}

/** Returns which operations the operator has left open: closed ones are skipped, and do not count as failures. */
async function openOf(isClosed: CanaryStage['isClosed']): Promise<{ deploy: boolean; generate: boolean }> {
  const all = await isClosed('all');
  return { deploy: !all && !(await isClosed('deploy')), generate: !all && !(await isClosed('generate')) };
}

/** Returns the model to generate with in this run. A paid model is used in one run per hour only. */
function dueModel({ generate: wanted }: CanarySettings, now: number): string | undefined {
  const isFirstOfHour = new Date(now).getUTCMinutes() < PERIOD_MINUTES;
  return wanted?.every === 'run' || isFirstOfHour ? wanted?.model : undefined;
}

/** The durations and failures of the steps of a run. */
class Run {
  readonly failed: string[] = [];
  readonly stepMs: Record<string, number> = {};
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the result of a step, or logs its error and returns undefined. */
  async step<T>(name: string, perform: () => Promise<T>): Promise<T | undefined> {
    const begin = this.#clock();
    try {
      return await perform();
    } catch (error) {
      this.failed.push(name);
      log.error('canary step failed', { step: name, ...describe(error) });
      return undefined;
    } finally {
      this.stepMs[name] = this.#clock() - begin;
    }
  }
}

function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Unexpected)) return { expected: 'a response', error };
  const { expected, found, request } = error;
  return { expected, found, ...(request !== undefined && { requestId: request }) };
}
