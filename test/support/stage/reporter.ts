import { styleText } from 'node:util';
import { currentSession, listeners, type StepOutcome, smokeOptions } from './on-stage.ts';
import type { Session } from './session.ts';

const MARKS = { passed: ['✓', 'green'], failed: ['✗', 'red'], skipped: ['-', 'yellow'] } as const;
const NAME_WIDTH = 17;

/** The parts of Jest's results of a file that are printed. */
interface FileResult {
  readonly testExecError?: { readonly message?: string };
  readonly testResults: readonly {
    readonly status: string;
    readonly title: string;
    readonly failureMessages: readonly string[];
  }[];
}

/** The reporter of `npm run smoke`: a line per step, what a failure means, and what could not be deleted. */
export default class StageReporter {
  readonly #outcomes: StepOutcome[] = [];
  readonly #problems: string[] = [];
  readonly #begin = performance.now();

  onRunStart(): void {
    listeners.push((outcome) => {
      this.#outcomes.push(outcome);
      if (!smokeOptions()?.json) printOutcome(outcome);
    });
  }

  /** Prints why a file failed besides its steps, such as a module that cannot be loaded. */
  onTestFileResult({ path }: { readonly path: string }, { testExecError, testResults }: FileResult): void {
    if (testExecError) this.#problem(`${path}: ${testExecError.message}`);
    const known = new Set(this.#outcomes.map(({ step }) => step.title));
    for (const { status, title, failureMessages } of testResults)
      if (status === 'failed' && ![...known].some((name) => title.startsWith(name)))
        this.#problem(`${title}: ${failureMessages.join('\n')}`);
  }

  async onRunComplete(): Promise<void> {
    using session = await currentSession();
    for (const left of await session.end()) this.#problem(`Not cleaned up: ${left}`);
    const ms = Math.round(performance.now() - this.#begin);
    if (smokeOptions()?.json) process.stdout.write(jsonReport(this.#outcomes, session, ms));
    else printSummary(this.#outcomes, session, ms);
    const failed = this.#outcomes.filter(({ status }) => status === 'failed').map(({ step }) => step.name);
    if (failed.length > 0) process.stderr.write(`Failed: ${failed.join(', ')}\n`);
  }

  /** Jest exits with 1 if there is one. */
  getLastError(): Error | undefined {
    return this.#problems.length > 0 ? new Error(this.#problems.join('\n')) : undefined;
  }

  #problem(text: string): void {
    this.#problems.push(text);
    process.stderr.write(`${text}\n`);
  }
}

/** Prints for a person: a line per step, and after a failure what it means. */
function printOutcome({ step, status, ms, note, problem }: StepOutcome): void {
  const { stdout } = process;
  const [mark, color] = MARKS[status];
  const shown = smokeOptions()?.color ? styleText(color, mark, { validateStream: false }) : mark;
  const time = status === 'skipped' ? '' : `${ms.toLocaleString('en')} ms`;
  const text = status === 'skipped' ? `skipped: ${note}` : `${step.title}${note ? ` (${note})` : ''}`;
  stdout.write(`${shown} ${step.name.padEnd(NAME_WIDTH)}${time.padStart(9)}  ${text}\n`);
  if (problem === undefined) return;
  for (const [label, line] of [
    ['problem', problem],
    ['means', step.means],
    ['look at', step.lookAt],
  ])
    stdout.write(`      ${label}: ${line}\n`);
}

function printSummary(outcomes: readonly StepOutcome[], { http, client }: Session, ms: number): void {
  const count = (wanted: StepOutcome['status']) => outcomes.filter(({ status }) => status === wanted).length;
  process.stdout.write(
    `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped in ${(ms / 1_000).toFixed(1)} s, ` +
      `with ${http.requests} requests, of which ${client.counted} count against the rate limit\n`,
  );
}

/** Returns the report of `--json`. */
function jsonReport(outcomes: readonly StepOutcome[], { http, client, options }: Session, ms: number): string {
  const steps = outcomes.map(({ step: { name, title, means, lookAt }, status, problem, ...rest }) => ({
    name,
    title,
    status,
    ...rest,
    ...(status === 'failed' ? { problem, means, lookAt } : {}),
  }));
  const totals = { url: options.baseUrl.href, requests: http.requests, counted: client.counted, ms };
  return `${JSON.stringify({ ...totals, steps }, null, 2)}\n`;
}
