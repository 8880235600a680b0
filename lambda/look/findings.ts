import { LOOK_KINDS, LOOK_LIMITS, type LookKind, type LookProblem, type LookWidth } from '../contract/looks.ts';
import type { Places } from './places.ts';

/**
 * Findings of each kind: a page can log and throw as fast as it runs, and the worst must not be lost among the others.
 */
const MAX_OF_KIND = 100;

/** The findings of all widths, without repetitions. */
export class Findings {
  /** The entry shows nothing, so there is nothing to use. */
  isBlank = false;
  readonly #counts = new Map<LookKind, number>();
  readonly #found = new Map<string, { problem: LookProblem; widths: Set<LookWidth> }>();

  /**
   * @param width where it was found; undefined if it does not depend on the width
   * @param action what came before, such as `after a press of "Save"`; undefined while the page loads
   * @param page if it is not the entry
   */
  add(problem: LookProblem, width?: LookWidth, action?: string, page?: OtherPage): void {
    const message = oneLine(problem.message);
    const { kind, path, line, column, blocking } = problem;
    // What several pages share is one finding.
    const shown = kind === 'blank' ? [page?.path, page?.view] : [];
    const key = JSON.stringify([kind, path, line, column, message, ...shown]);
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
    const { where, ...named } = placed(problem, page);
    this.#found.set(key, { problem: { ...named, message: bounded(message, action ?? where) }, widths });
    if (kind === 'blank' && page === undefined) this.isBlank = true;
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

/** Returns a problem of a page, and where it was found unless its path says so. */
function placed(problem: LookProblem, page: OtherPage | undefined): LookProblem & { readonly where?: string } {
  if (page === undefined) return problem;
  if (page.view !== undefined) return { ...problem, where: `at ${page.view.slice(0, 60)}` };
  if (problem.path === undefined) return { ...problem, path: page.path };
  return problem.path === page.path ? problem : { ...problem, where: `on ${page.path}` };
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

interface Pending {
  readonly make: () => LookProblem | undefined;
  readonly action: string | undefined;
  readonly page: OtherPage | undefined;
}

/** A page of the site besides its entry, or a view of the entry. */
export interface OtherPage {
  readonly path: string;
  /** The fragment of its URL, such as `#/new`. */
  readonly view?: string;
  /** It is opened as visitors open it. Otherwise, it may lack what it shows, such as the id in its URL. */
  readonly isWhole: boolean;
}

/** The kinds that are certain of a page that may lack what it shows. */
const ALWAYS_CERTAIN: readonly LookKind[] = ['wide', 'layout', 'hung', 'accessibility'];

/** A page can throw, and ask for what is missing, as fast as it runs. */
const MAX_PENDING = 500;
const MAX_REFUSED = 20;

/** The events of a page at one width. */
export class PageRecord {
  /** The last action, such as `after a press of "Save"`; undefined while the page loads. */
  action: string | undefined;
  /** The page that is open; undefined for the entry. */
  page: OtherPage | undefined;
  #hasFailed = false;
  /** Scripts and data elsewhere that were asked for, and are not there in a look. */
  readonly refused = new Set<string>();
  /** The page left for another site while it loaded. */
  left = false;
  /** The data of the site has entries, which the page lacked when it was opened first. */
  hasEntries = false;
  /** The page is opened as the owner of the site. */
  asOwner = false;
  readonly width: LookWidth;
  readonly places: Places;
  readonly #findings: Findings;
  readonly #pending = new Map<number | string, Pending>();

  constructor(width: LookWidth, places: Places, findings: Findings) {
    this.width = width;
    this.places = places;
    this.#findings = findings;
  }

  /** Records a problem of the page as it is now. */
  add(problem: LookProblem): void {
    this.#add(problem, this);
  }

  /** Records a problem once it is known what else happened, unless `never` is called with its id. */
  later(id: number | string, make: () => LookProblem | undefined): void {
    if (this.#pending.size < MAX_PENDING && !this.#pending.has(id))
      this.#pending.set(id, { make, action: this.action, page: this.page });
  }

  /** Records what a look does not have. */
  refuse(url: string): void {
    if (this.refused.size < MAX_REFUSED) this.refused.add(url.slice(0, 200));
  }

  never(id: number): void {
    this.#pending.delete(id);
  }

  /** Something went wrong on the entry so far. */
  get hasFailed(): boolean {
    return this.#hasFailed || [...this.#pending.values()].some(({ page }) => page === undefined);
  }

  /** Begins another page, or the entry again: what went wrong before does not depend on what it lacks. */
  begin(page: OtherPage | undefined): void {
    this.#hasFailed = this.hasFailed;
    this.flush();
    this.refused.clear();
    this.page = page;
    this.action = page === undefined && this.hasEntries ? 'with entries of visitors' : undefined;
    if (this.asOwner) this.action = 'as the owner of the site';
  }

  flush(): void {
    for (const pending of this.#pending.values()) {
      const problem = pending.make();
      if (problem) this.#add(problem, pending);
    }
    this.#pending.clear();
  }

  /** Returns a text with paths instead of URLs of the site. */
  named(text: string): string {
    const { home } = this.places;
    return text.replaceAll(home, '').replaceAll(new URL(home).origin, '');
  }

  /** An error is blocking only while the entry loads. */
  #add({ blocking, ...problem }: LookProblem, { action, page }: Pick<Pending, 'action' | 'page'>): void {
    if (page?.isWhole === false && !ALWAYS_CERTAIN.includes(problem.kind)) return;
    const isLoading = action === undefined && page === undefined;
    const isBlocking = blocking && (isLoading || problem.kind === 'hung');
    const named = { ...problem, message: this.named(problem.message), ...(isBlocking && { blocking }) };
    this.#findings.add(named, this.width, action, page);
  }
}
