import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { UsageStore } from '../access/usage.ts';
import { isOver, type Job, type JobEvent } from './job.ts';
import type { Next } from './steps.ts';
import { recordGeneration } from './usage.ts';

/** A job, its log and its files are gone a day after it was created. */
const KEPT_SECONDS = 24 * 60 * 60;

/** What a write presupposes; DynamoDB checks it in the same step. */
const WHEN = {
  new: 'attribute_not_exists(id)',
  open: '#status IN (:queued, :running)',
  atStep: '#status IN (:queued, :running) AND #step = :step',
  atFreeStep: '#status IN (:queued, :running) AND #step = :step AND attribute_not_exists(#run)',
  inRun: '#status = :running AND #step = :step AND #run = :run',
  notStarted: '#status = :queued AND #step = :step',
  unchanged: '#status = :status AND #step = :step',
} as const;

/** The end of a job, as it is written with its last step. */
export interface End {
  readonly finishedAt: number;
  readonly problems: readonly string[];
}

/**
 * The table of jobs. Every write names the step it belongs to, so that one of a run that was given up on is void. The
 * one write that ends a job also records what the job amounts to.
 */
export class JobStore {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #usage: Pick<UsageStore, 'recordAmounts'>;

  constructor(db: DynamoDBDocumentClient, table: string, usage: Pick<UsageStore, 'recordAmounts'>) {
    this.#db = db;
    this.#table = table;
    this.#usage = usage;
  }

  /** @returns false when there is a job with this id already */
  async create(job: Job): Promise<boolean> {
    const put = new PutCommand({
      TableName: this.#table,
      Item: withExpiry(job),
      ConditionExpression: WHEN.new,
    });
    return (await unlessVoid(this.#db.send(put))) !== undefined;
  }

  /**
   * Puts a job in the place of one with the same id that is over.
   * @returns false when `over` is no longer what is stored: somebody else replaced it
   */
  async replace(over: Job, job: Job): Promise<boolean> {
    const put = new PutCommand({
      TableName: this.#table,
      Item: withExpiry(job),
      ConditionExpression: WHEN.unchanged,
      ExpressionAttributeNames: { '#status': 'status', '#step': 'step' },
      ExpressionAttributeValues: { ':status': over.status, ':step': over.step },
    });
    return (await unlessVoid(this.#db.send(put))) !== undefined;
  }

  /** Consistent, so that a job is found as soon as its id is known. */
  async find(id: string): Promise<Job | undefined> {
    const { Item } = await this.#db.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return Item as Job | undefined;
  }

  /** A job that must be there. */
  async existing(id: string): Promise<Job> {
    const job = await this.find(id);
    if (!job) throw new Error(`There is no job ${id}`);
    return job;
  }

  /** Hands a step to the run `run`; undefined when another one has it, or the job is past it. */
  async begin(id: string, step: number, run: string, event: JobEvent): Promise<Job | undefined> {
    const begun = await this.#update(id, WHEN.atFreeStep, { status: 'running', run }, [event], { step });
    if (begun) return begun;
    // The response to a first write may have been lost, and the SDK has repeated it.
    const job = await this.existing(id);
    return job.step === step && job.run === run ? job : undefined;
  }

  /** Adds to the log of a step that runs; undefined when it is not the run's any more. */
  append(id: string, step: number, run: string, events: readonly JobEvent[]): Promise<Job | undefined> {
    return this.#update(id, WHEN.inRun, {}, events, { step, run });
  }

  /**
   * Ends a step and sets the next one, or the job's end. Whoever is first does it, the run itself or whoever
   * settles for it; for the other it is void.
   */
  advance(
    id: string,
    step: number,
    events: readonly JobEvent[],
    next: Next,
    end: End,
  ): Promise<Job | undefined> {
    const set = next.status === 'running' ? next : { ...next, ...end };
    return this.#update(id, WHEN.atStep, { ...set, step: step + 1 }, events, { step }, ['run']);
  }

  /** Ends a job whose execution could not be started; undefined when it runs, or is over. */
  abandon(id: string, step: number, now: number): Promise<Job | undefined> {
    const problems = ['The generation could not be started'];
    return this.#update(id, WHEN.notStarted, { status: 'failed', finishedAt: now, problems }, [], { step });
  }

  /** Ends a job that is not over; undefined when it is. */
  cancel(id: string, now: number): Promise<Job | undefined> {
    return this.#update(id, WHEN.open, { status: 'canceled', finishedAt: now }, [], {}, ['run']);
  }

  /** One conditional write: `set` and `remove` name attributes, `given` the values that the condition compares. */
  async #update(
    id: string,
    condition: string,
    set: Readonly<Record<string, unknown>>,
    events: readonly JobEvent[],
    given: Readonly<Record<string, unknown>>,
    remove: readonly string[] = [],
  ): Promise<Job | undefined> {
    const sets = Object.keys(set).map((name) => `#${name} = :new_${name}`);
    if (events.length > 0) sets.push('#log = list_append(#log, :events)');
    const expression = [
      `SET ${sets.join(', ')}`,
      ...(remove.length > 0 ? [`REMOVE ${remove.map((name) => `#${name}`).join(', ')}`] : []),
    ].join(' ');
    const values = {
      ':queued': 'queued',
      ':running': 'running',
      ':events': events,
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:new_${name}`, value])),
      ...Object.fromEntries(Object.entries(given).map(([name, value]) => [`:${name}`, value])),
    };
    const used = (text: string) => new RegExp(`${text}\\b`).test(`${expression} ${condition}`);
    const names = ['log', 'status', 'step', 'run', ...Object.keys(set)];
    const output = await unlessVoid(
      this.#db.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { id },
          UpdateExpression: expression,
          ConditionExpression: condition,
          ExpressionAttributeNames: Object.fromEntries(
            names.filter((name) => used(`#${name}`)).map((name) => [`#${name}`, name]),
          ),
          ExpressionAttributeValues: Object.fromEntries(
            Object.entries(values).filter(([name]) => used(name)),
          ),
          ReturnValues: 'ALL_NEW',
        }),
      ),
    );
    const job = output?.Attributes as Job | undefined;
    if (job && isOver(job)) await recordGeneration(job, this.#usage);
    return job;
  }
}

function withExpiry(job: Job) {
  return { ...job, expiresAt: Math.ceil(job.createdAt / 1000) + KEPT_SECONDS };
}

/** The expected failure of a conditional write as undefined; any other is a failure. */
async function unlessVoid<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
