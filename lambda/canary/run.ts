import type { Closure } from '../access/stage-state.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { emitMetrics } from '../platform/metrics.ts';
import type { Service } from './service.ts';
import type { CanarySettings } from './settings.ts';
import { Unexpected } from './step.ts';
import { deploy, findPage, generate, readApi, readBack, type Steps, visit } from './steps.ts';

export interface CanaryPorts {
  readonly service: Service;
  readonly key: () => Promise<string>;
  /** Reports whether the operator has closed something. */
  readonly isClosed: (closure: Closure) => Promise<boolean>;
  readonly settings: CanarySettings;
  readonly clock: Clock;
}

const PERIOD_MINUTES = 5;

/** Makes one run, and reports it as metrics and one line; each step that fails has a line of its own. */
export async function runCanary(ports: CanaryPorts): Promise<void> {
  const begin = ports.clock();
  const run = new Run(ports.clock);
  await steps(run, ports);
  const { failed, stepMs } = run;
  const ms = ports.clock() - begin;
  emitMetrics('Count', { CanaryFailures: failed.length > 0 ? 1 : 0 });
  emitMetrics('Milliseconds', { CanaryMs: ms });
  log.info('canary', { failed, ms, steps: stepMs });
}

/** The steps go on after one that failed, unless they need its result. */
async function steps(run: Run, ports: CanaryPorts): Promise<void> {
  const { service, settings, clock } = ports;
  const key = await run.step('key', ports.key);
  // Where the state cannot be read, the other steps say more.
  const open = (await run.step('state', () => openOf(ports))) ?? { deploy: true, generate: true };
  if (key === undefined) return;
  const shared: Steps = { service, settings, key, now: clock() };
  await run.step('api', () => readApi(shared));
  const page = await run.step('deploy', () => (open.deploy ? deploy(shared) : findPage(shared)));
  if (page?.version !== undefined) await run.step('read', () => readBack(shared, page));
  if (page !== undefined) await run.step('visit', () => visit(shared, page));
  const model = open.generate ? dueModel(settings, shared.now) : undefined;
  if (model !== undefined) await run.step('generate', () => generate(shared, model));
}

/** Returns what the operator has not closed. What is closed on purpose is no failure, and pages are visited all the same. */
async function openOf({ isClosed }: CanaryPorts): Promise<{ deploy: boolean; generate: boolean }> {
  const all = await isClosed('all');
  return { deploy: !all && !(await isClosed('deploy')), generate: !all && !(await isClosed('generate')) };
}

/** Returns the model to generate with in this run; in one run of an hour, if it is not free. */
function dueModel({ generate: wanted }: CanarySettings, now: number): string | undefined {
  const isFirstOfHour = new Date(now).getUTCMinutes() < PERIOD_MINUTES;
  return wanted?.every === 'run' || isFirstOfHour ? wanted?.model : undefined;
}

/** What the steps of a run took, and which of them failed. */
class Run {
  readonly failed: string[] = [];
  readonly stepMs: Record<string, number> = {};
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the result of a step, or undefined after it has logged why there is none. */
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
