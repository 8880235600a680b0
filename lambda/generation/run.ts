import { characters, type GeneratedFile, type ProviderName } from '../contract/generate.ts';
import type { Clock } from '../platform/clock.ts';
import type { JobStore } from './jobs.ts';
import { languageOf } from './language.ts';
import { OutputParser } from './output-parser.ts';
import type { ProjectStore } from './projects.ts';
import type { Provider } from './providers/provider.ts';
import { type AttemptState, WORKFLOW_ERRORS } from './workflow.ts';

export interface RunPorts {
  readonly jobs: JobStore;
  readonly projects: ProjectStore;
  readonly provider: (name: ProviderName) => Provider;
  readonly clock: Clock;
  /** How long the provider may take, in milliseconds; less than the state machine waits. */
  readonly deadlineMs: number;
}

/** A run that ends without a project; its name is what the state machine catches. */
export class RunError extends Error {
  constructor(
    name: (typeof WORKFLOW_ERRORS)['providerTimedOut' | 'providerFailed'],
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = name;
  }
}

/**
 * One attempt with one provider: takes the job, lets the provider write, stores the project, and marks the job
 * as succeeded if it is still this run's.
 * @param run the fencing token of this run, different for every invocation
 * @throws RunError for the state machine to catch
 */
export async function runProvider(state: AttemptState, run: string, ports: RunPorts): Promise<void> {
  const { jobs, projects, clock } = ports;
  const startedAt = clock();
  const job = await jobs.begin(state.id, run, startedAt);
  if (!job) return; // Over already: canceled, or succeeded in an invocation whose answer was lost.
  const provider = ports.provider(state.provider);
  const files = await write(provider, job, ports.deadlineMs);
  await projects.put(state.id, run, files);
  const finishedAt = clock();
  await jobs.succeed(
    state.id,
    run,
    { provider: state.provider, startedAt, ms: finishedAt - startedAt, outcome: 'succeeded' },
    {
      model: `${state.provider}/${provider.model}`,
      run,
      fileCount: files.length,
      outputCharacters: files.reduce((sum, { content }) => sum + characters(content), 0),
      finishedAt,
    },
  );
}

async function write(provider: Provider, request: Parameters<Provider['write']>[0], deadlineMs: number) {
  const parser = new OutputParser();
  const giveUp = new AbortController();
  try {
    for await (const chunk of until(deadlineMs, giveUp, provider.write(request, giveUp.signal)))
      parser.feed(chunk);
    parser.end();
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw new RunError(
      WORKFLOW_ERRORS.providerFailed,
      error instanceof Error ? error.message : String(error),
      error,
    );
  }
  if (parser.files.size === 0) {
    throw new RunError(WORKFLOW_ERRORS.providerFailed, 'The answer has no complete file');
  }
  if (!parser.done) throw new RunError(WORKFLOW_ERRORS.providerFailed, 'The answer was cut off');
  return Array.from(
    parser.files.values(),
    (file): GeneratedFile => ({ ...file, language: languageOf(file.path) }),
  );
}

/** The items of `source` until the deadline, which also holds for a source that does not listen to its signal. */
async function* until<T>(
  deadlineMs: number,
  giveUp: AbortController,
  source: AsyncIterable<T>,
): AsyncIterable<T> {
  const iterator = source[Symbol.asyncIterator]();
  const timedOut = new RunError(WORKFLOW_ERRORS.providerTimedOut, `No project within ${deadlineMs / 1000} s`);
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    deadline.reject(timedOut);
    giveUp.abort(timedOut);
  }, deadlineMs);
  try {
    while (true) {
      const { done, value } = await Promise.race([iterator.next(), deadline.promise]);
      if (done) return;
      yield value;
    }
  } finally {
    clearTimeout(timer);
    deadline.promise.catch(() => {});
  }
}
