import {
  LOOK_KINDS,
  LOOK_LIMITS,
  type LookKind,
  type LookProblem,
  type LookWidth,
} from '../contract/looks.ts';

/** Of each kind: a page can log and throw as fast as it runs, and the worst must not be lost among the others. */
const MAX_OF_KIND = 100;

/** The findings of all widths, without repetitions. */
export class Findings {
  readonly #counts = new Map<LookKind, number>();
  readonly #found = new Map<string, { problem: LookProblem; widths: Set<LookWidth> }>();

  /**
   * @param width where it was found; undefined if it does not depend on the width
   * @param action what came before, such as `after a press of "Save"`; undefined while the page loads
   */
  add(problem: LookProblem, width?: LookWidth, action?: string): void {
    const message = oneLine(problem.message);
    const { kind, path, line, column, blocking } = problem;
    const key = JSON.stringify([kind, path, line, column, message]);
    const known = this.#found.get(key);
    if (known) {
      if (width === undefined || action !== undefined) known.widths.clear();
      else if (known.widths.size > 0) known.widths.add(width);
      if (blocking) known.problem = { ...known.problem, blocking };
      return;
    }
    const count = (this.#counts.get(kind) ?? 0) + 1;
    if (count > MAX_OF_KIND) return;
    this.#counts.set(kind, count);
    const widths = new Set(width === undefined || action !== undefined ? [] : [width]);
    this.#found.set(key, { problem: { ...problem, message: bounded(message, action) }, widths });
  }

  /** Whether nothing is shown: then there is nothing to use. */
  get isBlank(): boolean {
    return [...this.#found.values()].some(({ problem }) => problem.kind === 'blank');
  }

  /** Returns them sorted, what must not be published first. Equal findings at both widths are one. */
  list(): LookProblem[] {
    const problems = [...this.#found.values()].map(({ problem, widths }): LookProblem => {
      const [width] = widths;
      return widths.size === 1 && width !== undefined ? { ...problem, width } : problem;
    });
    return problems.sort(byWeight).slice(0, LOOK_LIMITS.problems);
  }
}

function byWeight(a: LookProblem, b: LookProblem): number {
  return (
    Number(b.blocking ?? false) - Number(a.blocking ?? false) ||
    LOOK_KINDS.indexOf(a.kind) - LOOK_KINDS.indexOf(b.kind) ||
    compare(a.path ?? '', b.path ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    compare(a.message, b.message)
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function oneLine(text: string): string {
  return text
    .slice(0, 4 * LOOK_LIMITS.characters)
    .replace(/\s{1,2000}/g, ' ')
    .trim();
}

/** Returns a sentence with the action that led to it, which is not cut off. */
function bounded(message: string, action: string | undefined): string {
  const end = action === undefined ? '' : `, ${action}`;
  const most = LOOK_LIMITS.characters - end.length;
  return (message.length > most ? `${message.slice(0, most - 1)}…` : message) + end;
}
