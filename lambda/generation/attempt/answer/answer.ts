import { LIMITS } from '../../../contract/limits.ts';
import type { Plan, ProjectChange, UnfinishedFile } from '../../../stored/projects/stored-project.ts';
import { lockedProblem, refusal } from '../../edits/accept-change.ts';
import { type AttemptRequest, ProviderFailure } from '../../providers/provider.ts';
import type { Refuse } from './answered-changes.ts';
import { OutputParser } from './output-parser.ts';

/** Gets the events of a call. */
export interface CallObserver {
  /** Complete files and deletions, as soon as they arrive; one that repeats a path replaces the earlier one. */
  readonly onChanges: (changes: readonly ProjectChange[]) => void;
  /** The plan with which an answer begins. */
  readonly onPlan: (plan: Plan) => void;
  /** Each piece of text, with the path of the file to which it belongs. */
  readonly onText: (path: string | undefined, characters: number) => void;
  /** Whether the rest of the answer, which begins with this file, was not asked for. */
  readonly isOver: (path: string) => boolean;
}

/** An answer larger than any deployment is not a project. */
const MAX_CHARACTERS = 2 * LIMITS.deploymentBytes;

/** An answer as it arrives. */
export class Answer {
  readonly parser: OutputParser;
  /** Number of changes. */
  changeCount = 0;
  characters = 0;
  /** Whether the rest of it was not asked for. */
  isOver = false;
  readonly #request: AttemptRequest;
  readonly #observer: CallObserver;
  readonly #news: (changes: readonly ProjectChange[]) => readonly ProjectChange[];
  readonly #pace = new Pace();
  #isPlanned = false;

  constructor(request: AttemptRequest, observer: CallObserver) {
    const { amends, files, locked, changed, unfinished } = request;
    const refuse: Refuse = amends
      ? (change, before, whole) => refusal(change, before, whole, locked)
      : ({ path }) => lockedProblem(path, locked);
    this.parser = new OutputParser(files, refuse, changed, unfinished);
    this.#request = request;
    this.#observer = observer;
    this.#news = changedSince(request);
  }

  /** @throws ProviderFailure if the answer is too long */
  add(text: string): void {
    this.characters += text.length;
    this.#pace.add(text.length);
    const completed = this.parser.feed(text);
    const { plan, path } = this.parser;
    if (!this.#isPlanned && plan.files.length > 0) {
      this.#isPlanned = true;
      this.#observer.onPlan(plan);
    }
    this.#take(completed);
    this.#observer.onText(path, text.length);
    this.isOver = path !== undefined && this.#observer.isOver(path);
    if (this.characters > MAX_CHARACTERS) throw new ProviderFailure('failed', 'The answer does not end');
  }

  /** @param cutOff whether more was to follow */
  end(cutOff: boolean): void {
    this.#take(this.parser.end(cutOff));
  }

  /** The file in which the answer ended; undefined if it has no more lines than before. */
  get unfinished(): UnfinishedFile | undefined {
    const { unfinished } = this.parser;
    const before = this.#request.unfinished;
    if (unfinished === undefined || this.isOver) return undefined;
    const isSame = before?.path === unfinished.path && before.edits === unfinished.edits;
    return isSame && before.lines.length >= unfinished.lines.length ? undefined : unfinished;
  }

  /** Whether anything of the answer is kept. */
  get isUseful(): boolean {
    return this.changeCount > 0 || this.unfinished !== undefined;
  }

  get pace(): number | undefined {
    return this.#pace.perSecond;
  }

  #take(completed: readonly ProjectChange[]): void {
    const changes = this.#news(completed);
    this.changeCount += changes.length;
    this.#observer.onChanges(changes);
  }
}

/** Fewer characters arrive too fast or too slowly by chance. */
const ENOUGH_CHARACTERS = 4_000;

/** Measures how fast text arrives. */
class Pace {
  #first = 0;
  #last = 0;
  #characters = 0;

  add(characters: number): void {
    this.#last = performance.now();
    // The first piece was written before the measurement began.
    if (this.#first === 0) this.#first = this.#last;
    else this.#characters += characters;
  }

  get perSecond(): number | undefined {
    const ms = this.#last - this.#first;
    return this.#characters < ENOUGH_CHARACTERS || ms < 1 ? undefined : (this.#characters / ms) * 1000;
  }
}

/** Returns a function that leaves out the changes that write a file as it was. */
function changedSince({ files }: AttemptRequest): (changes: readonly ProjectChange[]) => ProjectChange[] {
  const contents = new Map<string, string | null | undefined>(
    files.map(({ path, content }) => [path, content]),
  );
  return (changes) =>
    changes.filter(({ path, content }) => {
      const differs = contents.get(path) !== content;
      contents.set(path, content);
      return differs;
    });
}
