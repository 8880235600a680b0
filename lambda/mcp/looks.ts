import { setTimeout } from 'node:timers/promises';
import type { CallOptions, Client, Look, LookProblem } from '../../client/client.ts';
import { placedLine } from '../contract/messages.ts';

export type Width = keyof NonNullable<Look['screenshots']>;

/** Bytes of the pictures in one result. Base64 adds a third, and clients limit results to about 1 MB. */
const MOST_BYTES = 720_000;

/**
 * Returns the pictures of a page for the result of a tool: that of a desktop and, if there is room for both, that of a phone. A
 * picture that cannot be read is left out.
 */
export async function picturesOf(
  look: Look | undefined,
  read: (width: Width) => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const widths = ([1280, 390] as const).filter((width) => look?.screenshots?.[width] !== undefined);
  const pictures = await Promise.all(widths.map((width) => read(width).catch(() => undefined)));
  signal.throwIfAborted();
  const fitting: Uint8Array[] = [];
  let room = MOST_BYTES;
  for (const picture of pictures) {
    if (picture === undefined || picture.length > room) continue;
    room -= picture.length;
    fitting.push(picture);
  }
  return fitting;
}

const POLL_MS = 1_000;

/** Returns a problem in one line, with the width if it was found at one of them only. */
export function problemLine(problem: LookProblem): string {
  return problem.width === undefined ? placedLine(problem) : `${placedLine(problem)} (at ${problem.width} px)`;
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
  const seen = (look?.problems ?? []).map(placedLine);
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
