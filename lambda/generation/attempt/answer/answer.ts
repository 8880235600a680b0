import { LIMITS } from '../../../contract/limits.ts';
import type { Plan, ProjectChange, UnfinishedFile, WrittenFile } from '../../../stored/projects/stored-project.ts';
import { refusal } from '../../edits/accept-change.ts';
import type { AttemptRequest } from '../../providers/provider.ts';
import type { Refuse } from './answered-changes.ts';
import { filesWithoutMarkers, formatProblem } from './other-formats.ts';
import { OutputParser } from './output-parser.ts';
import { withoutThoughts } from './thoughts.ts';

/** Gets the events of a call. */
export interface CallObserver {
  /** Complete files and deletions, as soon as they arrive; one that repeats a path replaces the earlier one. */
  readonly onChanges: (changes: readonly ProjectChange[]) => void;
  /** The plan with which an answer begins; again, maybe without files, if the first one was a part of a thought. */
  readonly onPlan: (plan: Plan) => void;
  /** Each piece of text, with the path of the file to which it belongs. */
  readonly onText: (path: string | undefined, characters: number) => void;
  /** Whether the rest of the answer, which begins with this file, was not asked for. */
  readonly isOver: (path: string) => boolean;
}

/** An answer larger than any deployment is not a project. */
const MAX_CHARACTERS = 2 * LIMITS.deploymentBytes;
/** Longer than the answers of the small models that do not keep the format. */
const MAX_UNMARKED = 500_000;
/** After so many characters behind its end, an answer is not expected to turn out to be a thought. */
const MAX_AFTER_END = 16_000;
/** How often an answer may write a file again as it wrote it before. */
const MAX_REPETITIONS = 3;

/** An answer that does not get further, so that the rest of it is not worth its price. */
export class EndlessAnswer extends Error {
  override readonly name = 'EndlessAnswer';
}

/** An answer as it arrives. */
export class Answer {
  readonly parser: OutputParser;
  /** Number of changes, without those that repeat an earlier version of a file. */
  changeCount = 0;
  characters = 0;
  /** Whether the rest of it was not asked for. */
  isOver = false;
  readonly #request: AttemptRequest;
  readonly #observer: CallObserver;
  readonly #news: News;
  readonly #pace = new Pace();
  /** Whether the observer has a plan, and how many drafts the answer had taken back by then. */
  #hasPlan = false;
  #planDrafts = 0;
  #drafts = 0;
  /** The text of an answer without a marker. */
  #unmarked = '';
  #afterEnd = 0;

  constructor(request: AttemptRequest, observer: CallObserver) {
    const { amends, files, locked, changed, unfinished } = request;
    // A new project may be written again in smaller files.
    const refuse: Refuse = (change, before, whole) => refusal(change, before, whole && amends, locked);
    this.parser = new OutputParser(files, refuse, changed, unfinished);
    this.#request = request;
    this.#observer = observer;
    this.#news = new News(request);
  }

  /** @throws EndlessAnswer */
  add(text: string): void {
    this.characters += text.length;
    this.#pace.add(text.length);
    const { parser } = this;
    if (!parser.hasMarkers && this.#unmarked.length < MAX_UNMARKED) this.#unmarked += text;
    const completed = parser.feed(text);
    const { path } = parser;
    // A plan counts once more follows it: it could be part of a thought.
    if (path !== undefined || parser.done || completed.length > 0) this.#adoptPlan();
    this.#take(completed);
    this.#observer.onText(path, text.length);
    this.#follow(text, path);
    if (this.characters > MAX_CHARACTERS) throw new EndlessAnswer('The answer does not end');
    if (parser.size > LIMITS.fileBytes)
      throw new EndlessAnswer(`${path} exceeds the limit of ${LIMITS.fileBytes.toLocaleString('en')} bytes`);
    if (this.#news.repetitions >= MAX_REPETITIONS)
      throw new EndlessAnswer('The answer writes the same files again and again');
  }

  /** Finds out if the answer is over with this text. A draft of a thought that is taken back was not the answer. */
  #follow(text: string, path: string | undefined): void {
    const { done, drafts } = this.parser;
    if (drafts > this.#drafts) this.isOver = false;
    this.#drafts = drafts;
    if (path !== undefined && this.#observer.isOver(path)) this.isOver = true;
    this.#afterEnd = done || this.isOver ? this.#afterEnd + text.length : 0;
  }

  /** @param cutOff whether more was to follow */
  end(cutOff: boolean): void {
    this.#take(this.parser.end(cutOff));
    this.#adoptPlan();
    const unmarked = cutOff ? [] : this.#unmarkedFiles();
    if (unmarked.length > 0) this.#take(this.parser.takeFiles(unmarked));
  }

  /** Whether nothing is expected any more: after the end marker, or once the rest was not asked for. */
  get isComplete(): boolean {
    if (this.isOver && !this.parser.mayBeThought) return true;
    return (this.parser.done || this.isOver) && this.#afterEnd > MAX_AFTER_END;
  }

  /** Returns how the format of the answer is wrong, as a clause. */
  get formatProblem(): string {
    return formatProblem(this.#unmarked);
  }

  /** Returns the files of an answer that may write files and has no marker, or that of the end alone in a new project. */
  #unmarkedFiles(): readonly WrittenFile[] {
    const { kind, edits, unfinished, files, images } = this.#request;
    const { hasMarkers, rejected, done, isThinking } = this.parser;
    const isNew = files.length <= images.length;
    if (kind !== 'write' || edits || unfinished || (done && !isNew)) return [];
    if (hasMarkers || rejected.size > 0 || isThinking) return [];
    return filesWithoutMarkers(withoutThoughts(this.#unmarked), isNew);
  }

  #adoptPlan(): void {
    const { plan, drafts, isPlanning } = this.parser;
    const isTakenBack = this.#hasPlan && drafts > this.#planDrafts;
    if (isTakenBack ? isPlanning : this.#hasPlan || plan.files.length === 0) return;
    this.#hasPlan = plan.files.length > 0;
    this.#planDrafts = drafts;
    this.#observer.onPlan(plan);
  }

  /** The file in which the answer ended; undefined if it has no more lines than before. */
  get unfinished(): UnfinishedFile | undefined {
    const { unfinished } = this.parser;
    const before = this.#request.unfinished;
    if (unfinished === undefined || this.isOver) return undefined;
    const isSame = before?.path === unfinished.path && before.edits === unfinished.edits;
    return isSame && addsNothing(before.lines, unfinished.lines) ? undefined : unfinished;
  }

  /** Whether anything of the answer is kept. */
  get isUseful(): boolean {
    return this.changeCount > 0 || this.unfinished !== undefined;
  }

  get pace(): number | undefined {
    return this.#pace.perSecond;
  }

  #take(completed: readonly ProjectChange[]): void {
    const changes = this.#news.of(completed);
    this.changeCount += changes.filter(({ isNew }) => isNew).length;
    this.#observer.onChanges(changes.map(({ change }) => change));
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

/** Tells the changes of an answer apart: those that write a file as it was, as it was earlier, or as never before. */
class News {
  /** How often the answer wrote one file as it had written it before. */
  repetitions = 0;
  readonly #contents: Map<string, string | null | undefined>;
  readonly #written = new Map<string, { readonly versions: Set<string | null>; repeated: number }>();

  constructor({ files }: AttemptRequest) {
    this.#contents = new Map(files.map(({ path, content }) => [path, content]));
  }

  /** Returns the changes that make a difference. */
  of(changes: readonly ProjectChange[]): { readonly change: ProjectChange; readonly isNew: boolean }[] {
    return changes.flatMap((change) => {
      const { path, content } = change;
      const written = this.#written.get(path) ?? { versions: new Set(), repeated: 0 };
      const isNew = !written.versions.has(content);
      written.versions.add(content);
      if (!isNew) this.repetitions = Math.max(this.repetitions, ++written.repeated);
      this.#written.set(path, written);
      const differs = this.#contents.get(path) !== content;
      this.#contents.set(path, content);
      return differs ? [{ change, isNew }] : [];
    });
  }
}

/** The longest part that a loop of a model repeats, and how many lines of it are one. */
const LONGEST_PERIOD = 50;
const LOOP_LINES = 200;

/** Reports if an answer got no further with a file: it has no more lines, or only repeats the last ones. */
function addsNothing(before: readonly string[], lines: readonly string[]): boolean {
  const added = lines.length - before.length;
  if (added <= 0) return true;
  if (added < LOOP_LINES) return false;
  for (let period = 1; period <= Math.min(LONGEST_PERIOD, before.length); period++) {
    if (lines.slice(before.length).every((line, i) => line === lines[before.length + i - period])) return true;
  }
  return false;
}
