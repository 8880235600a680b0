import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderName } from '../contract/generate.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { retryUntil } from '../platform/retry.ts';
import type { Cooldowns } from './cooldowns.ts';
import type { Deadlines } from './deadlines.ts';
import { FileWriter, StorageAway } from './file-writer.ts';
import { type Attempt, filesOf, type Job, lackingOf, missingFrom, type Outcome } from './job.ts';
import type { JobStore } from './jobs.ts';
import type { WrittenFile } from './output-parser.ts';
import { interrupted, type PassResult, runPass } from './pass.ts';
import { problemsOf } from './problems.ts';
import type { ProjectFiles } from './project-files.ts';
import type { Provider } from './providers/provider.ts';
import { nextStep } from './steps.ts';
import { type StepState, stateOf, WORKFLOW_ERRORS } from './workflow.ts';

export interface RunPorts {
  readonly jobs: JobStore;
  readonly files: ProjectFiles;
  readonly cooldowns: Cooldowns;
  readonly provider: (name: ProviderName) => Provider;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
}

/** A run that ends without a file; its name is what the state machine catches. */
export class RunError extends Error {
  constructor(outcome: Outcome, message: string) {
    super(message);
    const timedOut = outcome === 'timed_out' || outcome === 'silent';
    this.name = timedOut ? WORKFLOW_ERRORS.providerTimedOut : WORKFLOW_ERRORS.providerFailed;
  }
}

/** How often a run looks whether it is still wanted: a canceled job stops its provider within two of these. */
const WATCH_MS = 800;

/** How long a storage call is repeated: S3 and DynamoDB rarely stay away for longer than seconds. */
const STORAGE_PATIENCE_MS = 30_000;

/** Outcomes after which a provider is left alone for a while. */
const COOLING: ReadonlySet<Outcome | undefined> = new Set<Outcome>(['overloaded', 'credentials', 'silent']);

/**
 * One step of a job: one pass with one provider. Complete files are stored and logged as they come, so that whatever
 * ends the run, they stay.
 * @param run the token of this invocation. A second invocation of the same step never asks a provider; it waits for
 *   the first one and answers what that one did.
 * @throws RunError when the provider wrote no file, for the state machine to catch
 */
export async function runStep({ id, step }: StepState, run: string, ports: RunPorts): Promise<StepState> {
  const { jobs, clock, deadlines } = ports;
  const startedAt = clock();
  const retry: Retry = (call) =>
    retryUntil(Math.min(clock() + STORAGE_PATIENCE_MS, startedAt + deadlines.totalMs), call, clock);
  const { provider: name, pass } = await retry(() => jobs.existing(id));
  const provider = ports.provider(name);
  const model = `${name}/${provider.model}`;
  const started: Attempt = { attempt: step, provider: name, model, pass, startedAt };
  const job = await retry(() => jobs.begin(id, step, run, { type: 'attempt', ...started }));
  if (!job) return whatTheOtherDid(id, step, ports);

  const project = await retry(() => ports.files.contents(filesOf(job)));
  const { result, stored } = await write(job, provider, run, project, retry, ports);
  if (result.outcome === undefined) return stateOf(await retry(() => jobs.existing(id)));
  const { outcome, reason, tokens, cause } = result;
  if (cause !== undefined)
    log.error('attempt failed', { generation: id, attempt: step, provider: name, error: cause });
  const ended: Attempt = { ...started, outcome, reason, ms: clock() - startedAt, tokens, files: stored };
  await coolDown(job, ended, result.retryAfterSeconds, ports);
  if (stored === 0 && outcome !== 'succeeded') {
    await retry(() => jobs.append(id, step, run, [{ type: 'attempt', ...ended }]));
    throw new RunError(outcome, reason ?? outcome);
  }
  return retry(async () => advance(ended, [...project, ...result.files], ports, await jobs.existing(id)));
}

type Retry = <T>(call: () => Promise<T>) => Promise<T>;

/** Lets the provider write, and stores what it writes. */
async function write(
  job: Job,
  provider: Provider,
  run: string,
  project: readonly WrittenFile[],
  retry: Retry,
  ports: RunPorts,
): Promise<{ readonly result: PassResult; readonly stored: number }> {
  const { prompt, duration, pass } = job;
  const giveUp = new AbortController();
  const writer = new FileWriter(job, run, { ...ports, retry, giveUp: (reason) => giveUp.abort(reason) });
  const watch = setInterval(async () => {
    const now = await ports.jobs.find(job.id).catch(() => job);
    if (now !== job && now?.run !== run) giveUp.abort();
  }, WATCH_MS);
  try {
    const problems = pass === 'repair' ? problemsOf(project).map(sentence) : [];
    const request = { prompt, duration, pass, files: project, lacking: lackingOf(job), problems };
    const result = await runPass(provider, request, ports.deadlines, giveUp, (files) => writer.add(files));
    const failure = await writer.finish(result.plan).catch((error: unknown) => error);
    if (failure !== undefined && !(failure instanceof StorageAway)) throw failure;
    return { result: { ...result, ...(failure && interrupted(failure)) }, stored: writer.count };
  } finally {
    clearInterval(watch);
  }
}

/** A cool-down that could not be written costs the next generation an attempt, but never this one its project. */
async function coolDown(
  { id, failedLately }: Job,
  { provider, outcome }: Attempt,
  retryAfter: number | undefined,
  { cooldowns }: RunPorts,
): Promise<void> {
  const recovered = outcome === 'succeeded' && failedLately.includes(provider);
  const change = COOLING.has(outcome)
    ? cooldowns.add(provider, retryAfter)
    : recovered && cooldowns.clear(provider);
  await Promise.resolve(change).catch((error: unknown) =>
    log.error('cool-down not written', { generation: id, provider, error }),
  );
}

/** Writes the attempt's end together with what follows it: the next step, or the end of the job. */
async function advance(ended: Attempt, written: readonly WrittenFile[], { jobs, clock }: RunPorts, job: Job) {
  const now = clock();
  const stored = new Set(filesOf(job).map(({ path }) => path));
  const project = new Map(written.filter(({ path }) => stored.has(path)).map((file) => [file.path, file]));
  const missing = missingFrom(job, ended);
  const wrong = problemsOf([...project.values()]).map(sentence);
  const problems = lackingOf(job).length + wrong.length;
  const event = { type: 'attempt', ...ended } as const;
  const next = nextStep({ ...job, log: [...job.log, event] }, ended, problems, now);
  const end = { finishedAt: now, problems: [...missing, ...wrong] };
  const moved = await jobs.advance(job.id, ended.attempt, [event], next, end);
  return stateOf(moved ?? (await jobs.existing(job.id)));
}

function sentence({ path, message }: { path: string; message: string }): string {
  return `${path}: ${message}`;
}

/** Waits for the invocation that has the step. Should that one be dead, the state machine's timeout ends the wait. */
async function whatTheOtherDid(id: string, step: number, { jobs }: RunPorts): Promise<StepState> {
  for (;;) {
    const state = stateOf(await jobs.existing(id));
    if (state.step !== step || state.status !== 'running') return state;
    await sleep(WATCH_MS);
  }
}
