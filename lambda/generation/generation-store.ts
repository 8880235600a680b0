import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { boundedProblems } from '../platform/bounded.ts';
import { type ItemPage, OwnedItems, type PageRequest, Table, unlessConditionFails } from '../platform/dynamodb.ts';
import { type DeployOutcome, readGeneration } from '../stored/generations.ts';
import type { FileInProgress, Generation, GenerationEvent, NextAttempt } from './generation.ts';
import { boundedEvent } from './generation-log.ts';

/** A generation, its log and its files expire a day after it was created. */
const KEPT_SECONDS = 24 * 60 * 60;

/** The condition of a write, which DynamoDB checks atomically with it. */
const WHEN = {
  new: 'attribute_not_exists(id)',
  open: '#status IN (:queued, :running)',
  atAttempt: '#status IN (:queued, :running) AND #attempt = :attempt',
  ownedAttempt: '#status = :running AND #attempt = :attempt AND #invocationId = :invocationId',
  atFreeAttempt: '#status IN (:queued, :running) AND #attempt = :attempt AND attribute_not_exists(#invocationId)',
  unchangedAttempt:
    '#status = :running AND #attempt = :attempt AND #invocationId = :invocationId AND size(#log) = :length',
  unchangedExecution:
    '#status IN (:queued, :running) AND #attempt = :attempt AND #execution = :execution AND size(#log) = :length',
  notStarted: '#status = :queued AND #attempt = :attempt',
  unchanged: '#status = :status AND #attempt = :attempt',
  deploying: '#status = :deploying',
} as const;

/** The attributes that the end of a generation sets. */
interface End {
  readonly finishedAt: number;
  readonly problems: readonly string[];
}

function boundEnd({ finishedAt, problems }: End): End {
  return { finishedAt, problems: boundedProblems(problems) };
}

/** The Lambda invocation that owns an attempt. */
export interface Invocation {
  readonly id: string;
  readonly attempt: number;
  readonly invocationId: string;
}

/**
 * The table of generations. Every write is conditional on the number of the attempt, so a write from an attempt that
 * was given up on has no effect.
 */
export class GenerationStore {
  readonly #table: Table;
  readonly #items: OwnedItems;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#table = new Table(db, table);
    this.#items = new OwnedItems(db, table, { id: 'id', owner: 'owner' });
  }

  /** @returns false when a generation with this id exists */
  create(generation: Generation): Promise<boolean> {
    return this.#put(generation, { ConditionExpression: WHEN.new });
  }

  /**
   * Replaces a generation that is over by one with the same id.
   * @returns false when another request replaced it first
   */
  replace({ status, attempt }: Generation, replacement: Generation): Promise<boolean> {
    return this.#put(replacement, {
      ConditionExpression: WHEN.unchanged,
      ExpressionAttributeNames: { '#status': 'status', '#attempt': 'attempt' },
      ExpressionAttributeValues: { ':status': status, ':attempt': attempt },
    });
  }

  find(id: string): Promise<Generation | undefined> {
    return readGeneration(this.#table.db, this.#table.name, id);
  }

  /** @throws Error when there is no such generation */
  async get(id: string): Promise<Generation> {
    const generation = await this.find(id);
    if (!generation) throw new Error(`There is no generation ${id}`);
    return generation;
  }

  /** Returns a page of an owner's generations, newest first, without expired ones. */
  async list(request: PageRequest, now: number): Promise<ItemPage<Generation>> {
    // DynamoDB deletes expired items within days, not at once.
    const page = await this.#items.page(request, now - KEPT_SECONDS * 1000);
    return page as unknown as ItemPage<Generation>;
  }

  /** Makes an invocation the owner of an attempt; undefined when another one owns it, or the attempt is over. */
  async begin({ id, attempt, invocationId }: Invocation, event: GenerationEvent): Promise<Generation | undefined> {
    const set = { status: 'running', invocationId };
    const begun = await this.#update(id, WHEN.atFreeAttempt, set, [event], { attempt });
    if (begun) return begun;
    // The SDK repeats a write whose response was lost, and then finds its own invocation id.
    const generation = await this.get(id);
    return generation.attempt === attempt && generation.invocationId === invocationId ? generation : undefined;
  }

  /**
   * Adds to the log, which has `length` events; undefined when the invocation no longer owns the attempt. A write that
   * is repeated because its response was lost adds nothing.
   */
  async append(
    { id, attempt, invocationId }: Invocation,
    events: readonly GenerationEvent[],
    length: number,
  ): Promise<Generation | undefined> {
    const appended = await this.#update(id, WHEN.unchangedAttempt, {}, events, {
      attempt,
      invocationId,
      length,
    });
    if (appended) return appended;
    const now = await this.get(id);
    const owned = now.status === 'running' && now.attempt === attempt && now.invocationId === invocationId;
    return owned && now.log.length === length + events.length ? now : undefined;
  }

  /** Notes the files that are being written; undefined when the invocation no longer owns the attempt. */
  report(
    { id, attempt, invocationId }: Invocation,
    writing: readonly FileInProgress[],
  ): Promise<Generation | undefined> {
    return this.#update(id, WHEN.ownedAttempt, { writing }, [], { attempt, invocationId });
  }

  /**
   * Ends the running attempts and sets the next one, or ends the generation. The invocation that made them and the
   * function that settles it may both try: the first one succeeds, the other gets undefined.
   * @param number the number of the next attempt
   */
  advance(
    { id, attempt }: Pick<Generation, 'id' | 'attempt'>,
    events: readonly GenerationEvent[],
    next: NextAttempt,
    number: number,
    end: End,
  ): Promise<Generation | undefined> {
    const set = next.status === 'running' ? next : { ...next, ...boundEnd(end) };
    const removed = ['invocationId', 'writing'];
    return this.#update(id, WHEN.atAttempt, { ...set, attempt: number }, events, { attempt }, removed);
  }

  /** Ends the deploy of a generation; undefined when it has ended. */
  deployed(id: string, outcome: DeployOutcome, problems: readonly string[]): Promise<Generation | undefined> {
    const set = { status: 'succeeded', deployed: outcome, problems: boundedProblems(problems) };
    return this.#update(id, WHEN.deploying, set, []);
  }

  /** Ends a generation whose execution ended before it; undefined when it has changed since it was read. */
  interrupt(
    { id, attempt, execution, log }: Generation,
    events: readonly GenerationEvent[],
    status: Generation['status'],
    end: End,
  ): Promise<Generation | undefined> {
    const set = { status, ...boundEnd(end) };
    const given = { attempt, execution, length: log.length };
    return this.#update(id, WHEN.unchangedExecution, set, events, given, ['invocationId', 'writing']);
  }

  /** Ends a generation whose execution could not be started; undefined when it is running or over. */
  abandon(id: string, attempt: number, now: number): Promise<Generation | undefined> {
    const end: End = { finishedAt: now, problems: ['The generation could not be started'] };
    return this.#update(id, WHEN.notStarted, { status: 'failed', ...end }, [], { attempt });
  }

  /** Cancels a generation; undefined when it is over. */
  cancel(id: string, now: number): Promise<Generation | undefined> {
    return this.#update(id, WHEN.open, { status: 'canceled', finishedAt: now }, [], {}, ['invocationId', 'writing']);
  }

  async #put(generation: Generation, condition: Parameters<Table['put']>[1]): Promise<boolean> {
    const expiresAt = Math.ceil(generation.createdAt / 1000) + KEPT_SECONDS;
    return (await unlessConditionFails(this.#table.put({ ...generation, expiresAt }, condition))) !== undefined;
  }

  /**
   * One conditional write: `set` and `remove` name attributes, `given` holds the values that the condition compares.
   */
  async #update(
    id: string,
    condition: string,
    set: Readonly<Record<string, unknown>>,
    events: readonly GenerationEvent[],
    given: Readonly<Record<string, unknown>> = {},
    remove: readonly string[] = [],
  ): Promise<Generation | undefined> {
    const sets = Object.keys(set).map((name) => `#${name} = :new_${name}`);
    if (events.length > 0) sets.push('#log = list_append(#log, :events)');
    const expression = [
      `SET ${sets.join(', ')}`,
      ...(remove.length > 0 ? [`REMOVE ${remove.map((name) => `#${name}`).join(', ')}`] : []),
    ].join(' ');
    const values = {
      ':queued': 'queued',
      ':running': 'running',
      ':deploying': 'deploying',
      ':events': events.map(boundedEvent),
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:new_${name}`, value])),
      ...Object.fromEntries(Object.entries(given).map(([name, value]) => [`:${name}`, value])),
    };
    // DynamoDB refuses names and values that no expression uses.
    const used = (text: string) => new RegExp(`${text}\\b`).test(`${expression} ${condition}`);
    const names = ['log', 'status', 'attempt', 'invocationId', 'execution', ...Object.keys(set), ...remove];
    const output = await unlessConditionFails(
      this.#table.update(
        { id },
        {
          UpdateExpression: expression,
          ConditionExpression: condition,
          ExpressionAttributeNames: Object.fromEntries(
            names.filter((name) => used(`#${name}`)).map((name) => [`#${name}`, name]),
          ),
          ExpressionAttributeValues: Object.fromEntries(Object.entries(values).filter(([name]) => used(name))),
          ReturnValues: 'ALL_NEW',
        },
      ),
    );
    return output as Generation | undefined;
  }
}
