import type { ProviderName } from '../../contract/generate.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Plan, ProjectChange } from '../../stored/projects/stored-project.ts';
import type { Deadlines } from '../durations.ts';
import { LEAST_PART, MOST_ATTEMPTS } from '../durations.ts';
import type { Attempt, FileInProgress, Generation, GenerationEvent, Measured } from '../generation.ts';
import { attemptsOf } from '../generation-log.ts';
import type { AttemptRequest, Provider } from '../providers/provider.ts';
import type { CallObserver } from './answer/answer.ts';
import { endOf, reservedBy, type Spend } from './attempt-end.ts';
import { followUp, type QueuedTask } from './decide.ts';
import { attemptRequest, type Draft, groupTasks, type StaticRequest, slotsOf, type Task } from './draft.ts';
import type { FileWriter, StorageUnreachable } from './file-writer.ts';
import { callProvider, type ProviderResult } from './provider-call.ts';

/** The dependencies of a round. */
interface RoundContext {
  readonly writer: FileWriter;
  readonly provider: (name: ProviderName) => Provider;
  readonly request: (task: Task) => StaticRequest;
  /** Makes the calls within the budgets. */
  readonly spend: Spend;
  /** Called when an attempt has ended. */
  readonly onEnd: (ended: Attempt) => Promise<void>;
  readonly clock: Clock;
  /** `totalMs` is that of the round, counted from its start. */
  readonly deadlines: Deadlines;
}

/** A running attempt. */
interface Lane {
  queued: QueuedTask;
  readonly started: Attempt;
  readonly request: AttemptRequest;
  /** The changes of a review, which count together or not at all. */
  readonly held: ProjectChange[];
  /** The paths that it wrote or deleted. */
  readonly writtenPaths: Set<string>;
  readonly abort: AbortController;
  writing?: FileInProgress | undefined;
  /** When its provider was called. */
  calledAt: number;
  measured: Measured;
  /** Whether the plan that it follows was a part of a thought. */
  isDropped?: boolean;
}

/** Returns an attempt that begins, with what it reserves. */
export function startedAttempt(
  attempt: number,
  name: ProviderName,
  provider: Provider,
  { kind, group }: Task,
  request: AttemptRequest,
  startedAt: number,
): Attempt {
  const model = `${name}/${provider.model}`;
  return { attempt, provider: name, model, kind, group, startedAt, ...reservedBy(provider, request) };
}

/** Why an attempt was stopped whose plan is not that of the project. */
const DROPPED = 'Its plan was a part of a thought';

/** An attempt that begins later than after this part of a round has less time than a provider is promised. */
const LATE = 0.1;

/**
 * The attempts that one invocation makes: one, or several at the same time once there is a plan with groups. Each group
 * is written by an attempt of its own. One that is cut off is continued, and one that fails is begun again, by the next
 * provider if there is one, as long as the time of the round allows it; otherwise what is left is for the next round.
 */
export class Round {
  /** The attempts that have ended, in the order of their ends. */
  readonly ended: Attempt[] = [];
  readonly draft: Draft;
  /** Entries of the log that are to be written with the end of the round. */
  pending: GenerationEvent[] = [];
  readonly #context: RoundContext;
  readonly #generation: Generation;
  readonly #startedAt: number;
  /** The running attempts. One that has ended still decides what follows, so there are more promises than these. */
  readonly #lanes = new Set<Lane>();
  readonly #promises = new Set<Promise<void>>();
  #queue: QueuedTask[];
  /** How many attempts may run at the same time. */
  #slots: number;
  #nextNumber: number;
  /** How many attempts the generation may still begin. */
  #attemptsLeft: number;
  #isStopped = false;
  /** The attempt whose answer has the plan of the round, and the paths that others have written or begun. */
  #planner: Lane | undefined;
  readonly #writtenForPlan = new Set<string>();
  /** The first error that an attempt threw. */
  #thrown: { readonly error: unknown } | undefined;

  /**
   * @param first the attempt that the round begins with, which is logged already
   * @param request what that attempt asks for
   * @param tasks the first one is for that attempt
   * @param draft the project before the round
   */
  constructor(
    generation: Generation,
    first: Attempt,
    request: AttemptRequest,
    [task, ...others]: readonly [Task, ...Task[]],
    draft: Draft,
    context: RoundContext,
  ) {
    this.draft = draft;
    this.#context = context;
    this.#generation = generation;
    this.#startedAt = first.startedAt;
    this.#nextNumber = first.attempt + 1;
    this.#attemptsLeft = MOST_ATTEMPTS - attemptsOf(generation).length;
    this.#slots = slotsOf(generation, context.provider(first.provider).parallel);
    const providers: QueuedTask['providers'] = [generation.provider, ...generation.remaining];
    this.#queue = others.map((other) => ({ task: other, providers, failures: 0 }));
    this.#begin({ task, providers, failures: 0 }, first, request);
  }

  /** The number that the next attempt of the generation has. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  /** Whether another invocation owns the generation now, or it was canceled. */
  get isTakenOver(): boolean {
    return this.ended.some(({ outcome }) => outcome === undefined);
  }

  /** The files that are being written. */
  get writing(): FileInProgress[] {
    return Array.from(this.#lanes).flatMap(({ writing }) => (writing ? [writing] : []));
  }

  /** Runs all attempts. Those that still run when one throws are stopped. */
  async run(): Promise<void> {
    try {
      this.#fill();
      this.#logPending();
      while (this.#promises.size > 0) await Promise.all(this.#promises);
    } finally {
      this.stop();
    }
    if (this.#thrown) throw this.#thrown.error;
  }

  /**
   * Stops all attempts. @param reason why files cannot be stored; without one, the round no longer owns the generation
   */
  stop(reason?: StorageUnreachable): void {
    this.#isStopped = true;
    for (const { abort } of this.#lanes) abort.abort(reason);
  }

  #timeLeft(): number {
    return this.#startedAt + this.#context.deadlines.totalMs - this.#context.clock();
  }

  /** Begins the attempts for which there is a slot and time. */
  #fill(): void {
    const least = this.#context.deadlines.totalMs * LEAST_PART;
    while (!this.#isStopped && this.#lanes.size < this.#slots && this.#timeLeft() >= least) {
      const mayBegin = this.#attemptsLeft > 0 && this.#context.writer.hasRoom;
      const next = mayBegin ? this.#queue.find(({ task }) => !this.#waitsForMarkup(task)) : undefined;
      if (next === undefined) return;
      this.#queue = this.#queue.filter((queued) => queued !== next);
      this.#beginNext(next);
    }
  }

  /**
   * Reports if a task waits for the page whose markup it needs to see. It does not wait for a page whose task has failed
   * before.
   */
  #waitsForMarkup(task: Task): boolean {
    const group = this.draft.markupFor(task);
    if (group === undefined) return false;
    const others = [...this.#queue, ...Array.from(this.#lanes, ({ queued }) => queued)];
    return others.some((other) => other.task.group === group && other.failures === 0);
  }

  #beginNext(queued: QueuedTask): void {
    this.#attemptsLeft--;
    const [name] = queued.providers;
    const request = this.#requestOf(queued);
    const attempt = this.#nextNumber++;
    const provider = this.#context.provider(name);
    const started = startedAttempt(attempt, name, provider, queued.task, request, this.#context.clock());
    this.pending.push({ type: 'attempt', ...started });
    this.#begin(queued, started, request);
  }

  #requestOf({ task, providers: [name], reminder }: QueuedTask): AttemptRequest {
    const pace = this.#generation.lately?.[name]?.pace;
    const fixed = { ...this.#context.request(task), reminder };
    return attemptRequest(task, fixed, this.draft, this.#slots, pace);
  }

  #begin(queued: QueuedTask, started: Attempt, request: AttemptRequest): void {
    const lane: Lane = {
      queued,
      started,
      request,
      held: [],
      writtenPaths: new Set(),
      abort: new AbortController(),
      calledAt: started.startedAt,
      measured: {},
    };
    this.#lanes.add(lane);
    const promise = this.#perform(lane)
      .catch((error: unknown) => {
        this.#thrown ??= { error };
        this.stop();
      })
      .finally(() => this.#promises.delete(promise));
    this.#promises.add(promise);
  }

  /** Writes with the next file what waits for it. */
  #logPending(): void {
    this.#context.writer.log(this.pending);
    this.pending = [];
  }

  /** Makes an attempt, and begins what follows from its end. */
  async #perform(lane: Lane): Promise<void> {
    const result = await this.#call(lane);
    if (result.outcome === 'succeeded') this.#take(lane, lane.held);
    const ended = await this.#endOf(lane, result);
    this.#lanes.delete(lane);
    this.ended.push(ended);
    if (ended.unfinished && lane !== this.#planner) this.#writtenForPlan.add(ended.unfinished.path);
    if (result.outcome === undefined) return this.stop();
    this.pending.push({ type: 'attempt', ...ended });
    await this.#context.onEnd(ended);
    this.#follow(lane, ended);
    const before = this.#nextNumber;
    this.#fill();
    // Otherwise it is written with the next file, or with the end of the round, which saves a write.
    const isUrgent = this.#nextNumber > before || ended.unfinished !== undefined;
    if (isUrgent && this.#lanes.size > 0) this.#logPending();
  }

  async #endOf(lane: Lane, result: ProviderResult): Promise<Attempt> {
    const { writer, clock } = this.#context;
    const measured = { ...lane.measured, pace: result.pace };
    // A plan in the answer gave the attempt its group.
    const started = { ...lane.started, group: lane.queued.task.group, measured };
    const provider = this.#context.provider(started.provider);
    const { id } = this.#generation;
    const ended = await endOf(started, lane.request, result, {
      id,
      draft: this.draft,
      writer,
      clock,
      provider,
    });
    return lane.isDropped ? { ...ended, dropped: true } : ended;
  }

  async #call(lane: Lane): Promise<ProviderResult> {
    const { deadlines, spend } = this.#context;
    const { started, request, abort } = lane;
    const provider = this.#context.provider(started.provider);
    const call = () => {
      lane.calledAt = this.#context.clock();
      const totalMs = Math.max(0, this.#timeLeft());
      const limits = { ...deadlines, totalMs, firstMs: provider.quiet ? totalMs : deadlines.firstMs };
      return callProvider(provider, request, limits, abort, this.#observer(lane));
    };
    const result = await spend({ provider, request, most: started.usage, signal: abort.signal, call });
    if (lane.isDropped) return { ...result, outcome: 'cut_off', reason: DROPPED, unfinished: undefined };
    const isLate = lane.started.startedAt - this.#startedAt > deadlines.totalMs * LATE;
    if (lane.started.kind === 'review') return { ...result, unfinished: undefined };
    return result.outcome === 'timed_out' && isLate ? { ...result, outcome: 'cut_off' } : result;
  }

  #observer(lane: Lane): CallObserver {
    const { attempt } = lane.started;
    return {
      onChanges: (changes) => {
        if (lane.started.kind === 'review') lane.held.push(...changes);
        else this.#take(lane, changes);
      },
      onPlan: (plan) => this.#adopt(plan, lane),
      onText: (path, characters) => {
        lane.measured = { firstTokenMs: this.#context.clock() - lane.calledAt, ...lane.measured };
        const before = lane.writing?.path === path ? lane.writing?.characters : 0;
        lane.writing = path === undefined ? undefined : { path, characters: (before ?? 0) + characters, attempt };
      },
      isOver: (path) => {
        const { files, group } = lane.queued.task;
        return this.draft.isForeign(path, group) && files.some((file) => lane.writtenPaths.has(file.path));
      },
    };
  }

  /** Keeps the changes of an attempt. */
  #take(lane: Lane, changes: readonly ProjectChange[]): void {
    if (changes.length === 0 || lane.isDropped) return;
    const kept = this.draft.take(changes, lane.queued.task.group);
    const firstFileMs = this.#context.clock() - lane.calledAt;
    if (kept.length > 0) lane.measured = { firstFileMs, ...lane.measured };
    for (const { path } of kept) lane.writtenPaths.add(path);
    if (lane !== this.#planner) for (const { path } of kept) this.#writtenForPlan.add(path);
    // A task may have waited for one of the files.
    this.#fill();
    if (kept.length > 0) this.#logPending();
    this.#context.writer.add(kept, lane.started.attempt);
  }

  /** Begins to write the other groups of a plan while the answer that has the plan goes on with the first one. */
  #adopt(plan: Plan, lane: Lane): void {
    if (lane === this.#planner) this.#dropPlan(lane);
    if (lane.isDropped || !this.draft.adopt(plan)) return;
    this.#planner = lane;
    const [first, ...others] = groupTasks(plan.files);
    const isSplit = this.#slots > 1 && first !== undefined && others.length > 0;
    const own: Task = isSplit ? first : { kind: 'write', group: undefined, files: plan.files };
    lane.queued = { ...lane.queued, task: own };
    const { providers } = lane.queued;
    if (isSplit) this.#queue = others.map((task) => ({ task, providers, failures: 0 }));
    const event = { type: 'plan', files: plan.files, ...(plan.shared && { shared: plan.shared }) } as const;
    this.#fill();
    this.pending.unshift(event);
    this.#logPending();
  }

  /** Stops the attempts for a plan that was a part of a thought, and takes their files back. */
  #dropPlan(lane: Lane): void {
    this.draft.plan = undefined;
    this.#queue = [];
    for (const other of this.#lanes) {
      if (other === lane) continue;
      other.isDropped = true;
      other.abort.abort();
    }
    for (const [i, one] of this.ended.entries()) {
      const dropped: Attempt = { ...one, reason: DROPPED, dropped: true };
      this.ended[i] = dropped;
      this.pending.push({ type: 'attempt', ...dropped });
    }
    const paths = [...this.#writtenForPlan];
    this.#writtenForPlan.clear();
    lane.queued = { ...lane.queued, task: { ...lane.queued.task, group: undefined } };
    this.#take(
      lane,
      paths.map((path) => ({ path, content: null })),
    );
  }

  /** Queues what is left of the task of an attempt. */
  #follow({ queued, isDropped }: Lane, ended: Attempt): void {
    if (isDropped) return;
    const rest = this.draft.restOf(queued.task);
    const next = rest && followUp({ ...queued, task: rest }, ended);
    if (next === undefined) return;
    if (next.when === 'next') this.#queue.unshift(next.queued);
    else this.#queue.push(next.queued);
    if (next.when !== 'after another') return;
    // Leaves no slot free until another attempt has ended, or has taken the place of this one.
    const others = this.#queue.length - 1;
    this.#slots = Math.max(this.#lanes.size, Math.min(others, 1));
  }
}
