import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Attempt, Job, Result } from './job.ts';

/** A job, its attempts and its result are gone a day after it was created. */
const KEPT_SECONDS = 24 * 60 * 60;

/** The table of jobs. A write of a run that was given up on changes nothing. */
export class JobStore {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#db = db;
    this.#table = table;
  }

  async create(job: Job): Promise<void> {
    const expiresAt = Math.ceil(job.createdAt / 1000) + KEPT_SECONDS;
    await this.#db.send(new PutCommand({ TableName: this.#table, Item: { ...job, expiresAt } }));
  }

  /** Consistent, so that a job is found as soon as its id is known. */
  async find(id: string): Promise<Job | undefined> {
    const { Item } = await this.#db.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return Item as Job | undefined;
  }

  /** Hands the job to the run `run`, whoever had it before; undefined when the job is over or unknown. */
  begin(id: string, run: string, now: number): Promise<Job | undefined> {
    return this.#update(id, {
      UpdateExpression: 'SET #status = :running, #run = :run, runStartedAt = :now',
      ConditionExpression: '#status IN (:queued, :running)',
      ExpressionAttributeNames: { '#status': 'status', '#run': 'run' },
      ExpressionAttributeValues: { ':queued': 'queued', ':running': 'running', ':run': run, ':now': now },
    });
  }

  /** The run's attempt succeeded; undefined when the job is not the run's any more. */
  succeed(id: string, run: string, attempt: Attempt, result: Result): Promise<Job | undefined> {
    return this.#update(id, {
      UpdateExpression:
        'SET #status = :succeeded, #result = :result, attempts = list_append(attempts, :attempt) REMOVE #run',
      ConditionExpression: '#status = :running AND #run = :run',
      ExpressionAttributeNames: { '#status': 'status', '#run': 'run', '#result': 'result' },
      ExpressionAttributeValues: {
        ':running': 'running',
        ':succeeded': 'succeeded',
        ':run': run,
        ':result': result,
        ':attempt': [attempt],
      },
    });
  }

  /**
   * Records an attempt that did not succeed and takes the job from its run. `status` is `running` while there is
   * another provider to try. Undefined when the job is over already.
   */
  fail(id: string, attempt: Attempt, status: 'running' | 'failed' | 'timed_out'): Promise<Job | undefined> {
    return this.#update(id, {
      UpdateExpression: 'SET #status = :status, attempts = list_append(attempts, :attempt) REMOVE #run',
      ConditionExpression: '#status IN (:queued, :running)',
      ExpressionAttributeNames: { '#status': 'status', '#run': 'run' },
      ExpressionAttributeValues: {
        ':queued': 'queued',
        ':running': 'running',
        ':status': status,
        ':attempt': [attempt],
      },
    });
  }

  async #update(
    id: string,
    update: Partial<ConstructorParameters<typeof UpdateCommand>[0]>,
  ): Promise<Job | undefined> {
    try {
      const { Attributes } = await this.#db.send(
        new UpdateCommand({ TableName: this.#table, Key: { id }, ReturnValues: 'ALL_NEW', ...update }),
      );
      return Attributes as Job;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  }
}
