import { setTimeout } from 'node:timers/promises';
import type { CallOptions, Client, Look, LookProblem } from '../../client/client.ts';
import { lookLine } from '../contract/looks.ts';

const POLL_MS = 1_000;

/** Returns a problem in one line, with the width if it was found at one of them only. */
export function problemLine(problem: LookProblem): string {
  return problem.width === undefined ? lookLine(problem) : `${lookLine(problem)} (at ${problem.width} px)`;
}

/** Returns what a browser found in one line, such as `2 problems, first src/app.js:12:8: Uncaught TypeError: x is null`. */
export function foundBy({ problems = [] }: Look): string {
  const [first] = problems;
  if (first === undefined) return 'no problems';
  if (problems.length === 1) return `1 problem: ${problemLine(first)}`;
  return `${problems.length} problems, first ${problemLine(first)}`;
}

/** Returns the problem for which a project is not published with its generation, if it has one. */
export function blockingProblem(look: Look | undefined): LookProblem | undefined {
  return look?.problems?.find(({ blocking }) => blocking);
}

/** Returns the problems that a browser did not find: the strings of a generation repeat those. */
export function otherProblems(problems: readonly string[], look: Look | undefined): readonly string[] {
  const seen = (look?.problems ?? []).map(lookLine);
  return problems.filter((problem) => !seen.some((line) => problem.includes(line)));
}

/** Returns what a browser saw in a sentence, without the problems that it found; undefined if it did not look. */
export function lookSentence(look: Look | undefined): string | undefined {
  if (look === undefined) return undefined;
  const { state, problems = [], reason } = look;
  if (state === 'looking') return 'A browser is looking at it.';
  if (state === 'skipped') return `No browser looked at it: ${reason}.`;
  if (state === 'failed') return `The browser could not look at it: ${reason}.`;
  if (problems.length === 0) return 'A browser looked at it and found no problems.';
  const found = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const blocked = blockingProblem(look) ? ': the page shows nothing, or fails while it loads' : '';
  return `A browser looked at it and found ${found}${blocked}.`;
}

/** Returns the problems that a browser found as one text for a model; nothing if there are none. */
export function problemList(look: Look | undefined): string[] {
  const { problems = [] } = look ?? {};
  if (problems.length === 0) return [];
  const head = 'What the browser found, the worst first. To have it repaired, change the project:';
  return [[head, ...problems.map(problemLine)].join('\n')];
}

export interface LookWait extends CallOptions {
  readonly token?: string | undefined;
  /** Default: the live version. */
  readonly version?: string | undefined;
  /** How long to wait for a look that goes on, in milliseconds. */
  readonly waitMs: number;
}

/** Returns what a browser saw of a version of a deployment: still `looking` if the time was over before it had looked. */
export async function waitForLook(
  { deployments }: Client,
  id: string,
  { token, version, waitMs, signal }: LookWait,
): Promise<Look | undefined> {
  const end = performance.now() + waitMs;
  for (;;) {
    const deployment = await deployments.get(id, { token, signal });
    const seen = deployment.versions.find((one) => one.version === (version ?? deployment.version));
    if (seen?.look.state !== 'looking' || performance.now() >= end) return seen?.look;
    await setTimeout(POLL_MS, undefined, signal && { signal });
  }
}
