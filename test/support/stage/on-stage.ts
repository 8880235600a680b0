import { readStack } from '../../../cli/smoke-command.ts';
import { newCaller } from '../cloud/client.ts';
import { cloud } from '../cloud/cloud.ts';
import { newKey } from '../cloud/keys.ts';
import { newToken } from '../cloud/tokens.ts';
import { SkippedError } from './checks.ts';
import { Session, type SessionOptions } from './session.ts';

/** A test that a deployed stage can answer as well as the local cloud. */
export interface Step {
  /** For `npm run smoke -- --only`. */
  readonly name: string;
  /** The behavior that it proves. */
  readonly title: string;
  /** What a failure means. */
  readonly means: string;
  /** The log groups, metrics, quotas and console pages to look at after a failure. */
  readonly lookAt: string;
  /** Returns a note for the operator, if it is a string. @throws SkippedError; any other error is a failure */
  readonly run: (session: Session) => Promise<unknown>;
}

/** The outcome of a step: `problem` says why it failed, `note` what it saw or why it was skipped. */
export interface StepOutcome {
  readonly step: Step;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly ms: number;
  readonly note?: string;
  readonly problem?: string;
}

/** The options of `npm run smoke`, as it passes them in the environment variable `SMOKE`. */
export interface SmokeOptions {
  readonly url: string;
  readonly key?: string;
  readonly token?: string;
  readonly domain?: string;
  readonly stack?: string;
  readonly slow?: boolean;
  readonly rollout?: boolean;
  readonly json?: boolean;
  readonly color?: boolean;
}

/** Longer than any step takes: that of a domain waits for DNS records and a certificate. */
const STEP_MS = 7_200_000;

/** Returns the options of `npm run smoke`, or undefined if the tests run against the local cloud. */
export const smokeOptions = (): SmokeOptions | undefined =>
  process.env.SMOKE === undefined ? undefined : (JSON.parse(process.env.SMOKE) as SmokeOptions);

/** Called with the outcome of each step; `npm run smoke` prints it. */
export const listeners: ((outcome: StepOutcome) => void)[] = [];

let session: Promise<Session> | undefined;

/** Returns the session that all steps of this process share. */
export function currentSession(): Promise<Session> {
  session ??= sessionOptions().then((options) => new Session(options));
  return session;
}

/**
 * Defines a test of the contract suite that `npm run smoke` also runs, against a stage. The tests of a process share a session,
 * and within it a deployment: see `Session`.
 */
export function onStage(step: Step): void {
  test(
    `${step.title} [${step.name}]`,
    async () => {
      const { outcome, error } = await perform(step, await currentSession());
      for (const listener of listeners) listener(outcome);
      if (outcome.status === 'failed') throw error;
    },
    smokeOptions() && STEP_MS,
  );
}

async function perform(
  step: Step,
  session: Session,
): Promise<{ readonly outcome: StepOutcome; readonly error?: unknown }> {
  // Without the time that the rate limit cost.
  const now = () => performance.now() - session.client.waitedMs;
  const begin = now();
  const elapsed = () => Math.round(now() - begin);
  try {
    const note = await step.run(session);
    const said = typeof note === 'string' ? { note } : {};
    return { outcome: { step, status: 'passed', ms: elapsed(), ...said } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof SkippedError) return { outcome: { step, status: 'skipped', ms: elapsed(), note: message } };
    return { outcome: { step, status: 'failed', ms: elapsed(), problem: message }, error };
  }
}

async function sessionOptions(): Promise<SessionOptions> {
  const given = smokeOptions();
  if (given === undefined) return localOptions();
  const { url, stack, ...options } = given;
  return {
    ...options,
    baseUrl: new URL(url),
    stack: stack === undefined ? undefined : await readStack(stack, process.env),
    say: (text) => void process.stderr.write(`${text}\n`),
  };
}

/** On the local cloud, steps have credentials and an address of their own, with whose rate limit they need not wait. */
async function localOptions(): Promise<SessionOptions> {
  const { baseUrl, stateDir } = cloud();
  return {
    baseUrl: new URL(baseUrl),
    key: await newKey('--limit', '100000'),
    token: await newToken(),
    stack: await readStack('local', { STATE_DIR: stateDir }),
    say: () => {},
    newAddress: () => newCaller().address,
  };
}
