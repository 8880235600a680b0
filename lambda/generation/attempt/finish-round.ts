import type { ProviderName } from '../../contract/generate.ts';
import type { AttemptOutcome } from '../../contract/responses/generate.ts';
import type { DataFeatures } from '../../contract/site-features.ts';
import type { Retry } from '../../platform/unreachable.ts';
import { type ProjectContents, withChanges } from '../../stored/projects/project-contents.ts';
import type { ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import { filesOf } from '../../stored/projects/stored-project.ts';
import { afterEnd, type EndStores } from '../after-end.ts';
import { leftOut, missingFrom, unwrittenFiles } from '../completeness.ts';
import type { Deadlines } from '../durations.ts';
import {
  type Attempt,
  type Generation,
  type GenerationEvent,
  type NextAttempt,
  WORKFLOW_ERRORS,
  type WorkflowState,
  workflowState,
} from '../generation.ts';
import { imagesOf, lastAmendment, lastLook, seenProblems } from '../generation-log.ts';
import type { GenerationStore, Invocation } from '../generation-store.ts';
import { notesOf } from '../problems.ts';
import type { Provider } from '../providers/provider.ts';
import type { Spend } from './attempt-end.ts';
import { type Checkers, checkBuild, hasPage, lookAtSite } from './check.ts';
import { type Check, decide, judgedKind, type Situation } from './decide.ts';
import { qualityOf, undoAmendment } from './quality.ts';
import type { Round } from './round.ts';

/** The stage that attempts run on: its stores, its providers, and what checks projects. */
export interface Stage extends EndStores, Checkers {
  readonly generations: GenerationStore;
  readonly files: ProjectFileStore;
  readonly provider: (name: ProviderName) => Provider;
  /** Returns how the calls of a generation are paid. */
  readonly spendingOf: (generation: Generation, retry: Retry) => Spend;
  readonly deadlines: Deadlines;
  /** The abilities of a site's data; undefined if sites of the stage have none. */
  readonly data?: DataFeatures | undefined;
}

/** The project before the generation, and before the round. */
interface States {
  readonly base: ProjectContents;
  readonly project: ProjectContents;
}

/** An attempt that ends without a file. The state machine catches it by its name. */
class AttemptError extends Error {
  constructor({ outcome = 'failed', reason = outcome }: Pick<Attempt, 'outcome' | 'reason'>) {
    super(reason);
    const timeouts: readonly AttemptOutcome[] = ['timed_out', 'silent'];
    this.name = timeouts.includes(outcome) ? WORKFLOW_ERRORS.providerTimedOut : WORKFLOW_ERRORS.providerFailed;
  }
}

/** Does what follows a round, as `decide` says, and writes it with the ends of the attempts. */
export class RoundEnd {
  readonly #invocation: Invocation;
  readonly #last: Attempt;
  readonly #states: States;
  readonly #nextNumber: number;
  readonly #stage: Stage;
  /** The generation as it is stored. */
  #stored: Generation;
  /** The entries of its log that are still to be written. */
  #pending: readonly GenerationEvent[];
  #project: ProjectContents;

  constructor(
    invocation: Invocation,
    { ended, pending, draft, nextNumber }: Round,
    states: States,
    stored: Generation,
    stage: Stage,
  ) {
    this.#invocation = invocation;
    const last = ended.at(-1);
    if (last === undefined) throw new Error('The round has no attempt');
    this.#last = last;
    this.#states = states;
    this.#nextNumber = nextNumber;
    this.#stage = stage;
    this.#stored = stored;
    this.#pending = pending;
    this.#project = storedProject(draft.files, states.project, stored);
  }

  /** @throws AttemptError if nothing of any answer can be kept */
  async run(): Promise<WorkflowState> {
    const { generations, clock, deadlines } = this.#stage;
    let situation: Situation = { state: 'ended' };
    for (;;) {
      const decision = decide(this.#generation, situation, clock(), deadlines.totalMs);
      switch (decision.do) {
        case 'fail':
          await generations.append(this.#invocation, this.#pending, this.#stored.log.length);
          throw new AttemptError(this.#last);
        case 'check': {
          // Another invocation owns the generation now, or it was canceled.
          if (decision.whole && !(await this.#buildAndLook())) return this.#current();
          situation = { state: 'checked', check: await this.#check() };
          break;
        }
        case 'drop': {
          this.#project = await this.#earlierProject();
          await this.#drop(decision.reason);
          situation = { state: 'checked', check: await this.#check() };
          break;
        }
        case 'advance':
          return this.#advance(decision.next, situation.state === 'checked' ? situation.check : undefined);
      }
    }
  }

  /** The generation with the entries that are still to be written. */
  get #generation(): Generation {
    return { ...this.#stored, log: [...this.#stored.log, ...this.#pending] };
  }

  async #current(): Promise<WorkflowState> {
    return workflowState(await this.#stage.generations.get(this.#stored.id));
  }

  /**
   * Builds the project if it is source, and opens it in a browser. What is pending is written before the browser
   * starts, so that people see that it does.
   * @returns false if another invocation owns the generation
   */
  async #buildAndLook(): Promise<boolean> {
    const { builder, looker, unlooked, generations } = this.#stage;
    const { attempt, provider } = this.#last;
    const { unbuilt, site } = await checkBuild(this.#stored, this.#project, builder);
    if (unbuilt !== undefined) this.#pending = withEnds(this.#pending, [{ type: 'attempt', ...this.#last, unbuilt }]);
    if (site === undefined || !hasPage(site)) return true;
    const reason = looker.skipped ?? unlooked(provider);
    if (reason !== undefined) {
      const isKnown = lastLook(this.#generation)?.state === 'skipped';
      if (!isKnown) this.#pending = [...this.#pending, { type: 'look', attempt, state: 'skipped', reason }];
      return true;
    }
    const events: GenerationEvent[] = [...this.#pending, { type: 'look', attempt, state: 'looking' }];
    const begun = await generations.append(this.#invocation, events, this.#stored.log.length);
    if (begun === undefined) return false;
    const look = await lookAtSite(site, attempt, begun, this.#states.base, this.#stage);
    this.#stored = begun;
    this.#pending = [{ type: 'look', ...look }];
    return true;
  }

  async #check(): Promise<Check> {
    const generation = this.#generation;
    const { base } = this.#states;
    const amendment = lastAmendment(generation);
    const look = lastLook(generation);
    const isOwnLook = amendment?.attempts.some(({ attempt }) => attempt === look?.attempt) ?? true;
    const is = qualityOf(generation, this.#project, base, isOwnLook ? look : undefined, this.#stage.data);
    const { kind, provider } = this.#last;
    const sentBack = kind === 'write' ? leftOut(generation).length : 0;
    const wrong = [...is.flaws, ...is.unbuilt, ...seenProblems(generation)];
    const isRepairable = this.#stage.provider(provider).repairs !== false;
    const hasPictures = (look?.widths ?? []).length > 0;
    return {
      is,
      was: await this.#qualityBefore(),
      problems: isRepairable ? unwrittenFiles(generation).length + wrong.length + sentBack : 0,
      canReview: (name: ProviderName) => hasPictures && this.#stage.provider(name).images === true,
    };
  }

  /** Returns the quality before the last repair or review; undefined if nothing is to be dropped. */
  async #qualityBefore(): Promise<Check['was']> {
    const generation = this.#generation;
    const amendment = lastAmendment(generation);
    if (amendment === undefined || judgedKind(generation) === undefined) return undefined;
    const log = amendment.before;
    const look = lastLook({ status: 'running', log });
    return qualityOf({ log }, await this.#earlierProject(), this.#states.base, look, this.#stage.data);
  }

  /** Returns the project before the last repair or review, which may have begun in an earlier round. */
  async #earlierProject(): Promise<ProjectContents> {
    const { base, project } = this.#states;
    const amendment = lastAmendment(this.#generation);
    const isOfRound = amendment === undefined || amendment.attempts[0].attempt >= this.#stored.attempt;
    return isOfRound ? project : withChanges(base, { log: amendment.before }, this.#stage.files);
  }

  async #drop(reason: string): Promise<void> {
    const base = async () => this.#states.base;
    const undone = await undoAmendment(this.#generation, reason, this.#stage.files, base);
    this.#pending = withEnds(this.#pending, undone);
  }

  async #advance(next: NextAttempt, check: Check | undefined): Promise<WorkflowState> {
    const { generations, clock, data } = this.#stage;
    const generation = this.#generation;
    const wrong = check ? [...check.is.flaws, ...check.is.unbuilt, ...seenProblems(generation)] : [];
    const unused = this.#last.matched === undefined ? [] : unusedImages(this.#stored, this.#project);
    const problems = [...missingFrom(generation, this.#last), ...wrong, ...unused, ...notesOf(this.#project, data)];
    const end = { finishedAt: clock(), problems };
    const advanced = await generations.advance(this.#stored, this.#pending, next, this.#nextNumber, end);
    await afterEnd(advanced, this.#stage);
    return advanced ? workflowState(advanced) : this.#current();
  }
}

/** Returns entries of the log with others, which replace the ends of the same attempts. */
function withEnds(events: readonly GenerationEvent[], added: readonly GenerationEvent[]): GenerationEvent[] {
  const numbers = new Set(added.flatMap((event) => (event.type === 'attempt' ? [event.attempt] : [])));
  const others = events.filter(
    (event) => event.type !== 'attempt' || event.outcome === undefined || !numbers.has(event.attempt),
  );
  return [...others, ...added];
}

/** Returns the project after a round without changes that are not in the log. */
function storedProject(after: ProjectContents, before: ProjectContents, generation: Generation): ProjectContents {
  const stored = new Set(filesOf(generation).map(({ path }) => path));
  const project = new Map<string, string | Uint8Array>();
  for (const [path, content] of after) {
    const kept = stored.has(path) ? content : before.get(path);
    if (kept !== undefined) project.set(path, kept);
  }
  return project;
}

/** Returns a sentence for each image that a starter does not show. A model may have a reason not to use one. */
function unusedImages(generation: Generation, project: ProjectContents): string[] {
  const texts = [...project.values()].filter((content) => typeof content === 'string');
  return imagesOf(generation)
    .filter(({ path }) => !texts.some((text) => text.includes(path)))
    .map(({ path }) => `${path}: is in the project, but the starter does not show it`);
}
