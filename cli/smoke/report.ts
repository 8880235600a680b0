import { styleText } from 'node:util';
import type { CommandIo } from '../../terminal/program.ts';
import type { Step } from './step.ts';

/** The outcome of a step: `problem` says why it failed, `note` what it saw or why it was skipped. */
export interface StepOutcome {
  readonly step: Step;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly ms: number;
  readonly note?: string;
  readonly problem?: string;
}

export interface Totals {
  readonly url: string;
  readonly requests: number;
  /** Requests that count against a rate limit. */
  readonly counted: number;
  readonly ms: number;
}

const MARKS = { passed: ['✓', 'green'], failed: ['✗', 'red'], skipped: ['-', 'yellow'] } as const;
const NAME_WIDTH = 17;

/** Prints for a person: a line per step, and after a failure what it means. */
export function printOutcome(
  { step, status, ms, note, problem }: StepOutcome,
  { stdout, env }: CommandIo,
): void {
  const colored = stdout.isTTY && !env.NO_COLOR;
  const [mark, color] = MARKS[status];
  const shown = colored ? styleText(color, mark, { validateStream: false }) : mark;
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

export function printSummary(
  outcomes: readonly StepOutcome[],
  { requests, counted, ms }: Totals,
  io: CommandIo,
): void {
  const count = (wanted: StepOutcome['status']) => outcomes.filter(({ status }) => status === wanted).length;
  const seconds = (ms / 1_000).toFixed(1);
  io.stdout.write(
    `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped in ${seconds} s, ` +
      `with ${requests} requests, of which ${counted} count against the rate limit\n`,
  );
}

/** Returns the report of `--json`. */
export function jsonReport(outcomes: readonly StepOutcome[], totals: Totals): string {
  const steps = outcomes.map(({ step: { name, title, means, lookAt }, status, problem, ...rest }) => ({
    name,
    title,
    status,
    ...rest,
    ...(status === 'failed' ? { problem, means, lookAt } : {}),
  }));
  return `${JSON.stringify({ ...totals, steps }, null, 2)}\n`;
}
