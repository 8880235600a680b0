import { characters } from '../contract/generate.ts';
import { LIMITS } from '../contract/limits.ts';
import { filesOf, type Job, type JobEvent } from './job.ts';
import type { JobStore } from './jobs.ts';
import { languageOf } from './language.ts';
import type { WrittenFile } from './output-parser.ts';
import type { ProjectFiles } from './project-files.ts';
import type { PlannedFile } from './providers/provider.ts';

/** A run gave up writing: S3 or DynamoDB stayed out of reach. */
export class StorageAway extends Error {
  override readonly name = 'StorageAway';

  constructor(cause: unknown) {
    super('The files could not be stored', { cause });
  }
}

export interface FileWriterPorts {
  readonly jobs: JobStore;
  readonly files: ProjectFiles;
  /** Repeats a storage call until storage can be reached, or the run gives up. */
  readonly retry: <T>(call: () => Promise<T>) => Promise<T>;
  /** Stops the provider: `undefined` when the job is no longer the run's. */
  readonly giveUp: (reason?: StorageAway) => void;
}

/**
 * Stores the files of one run while the provider writes on: the content to S3 first, then one entry in the job's
 * log, in the order in which they were completed. Files that come while a write is under way go with the next one.
 */
export class FileWriter {
  /** Files that were stored. */
  count = 0;
  readonly #job: Job;
  readonly #run: string;
  readonly #ports: FileWriterPorts;
  readonly #paths: Set<string>;
  #waiting: WrittenFile[] = [];
  #writes: Promise<void> = Promise.resolve();
  #index = 0;

  constructor(job: Job, run: string, ports: FileWriterPorts) {
    this.#job = job;
    this.#run = run;
    this.#ports = ports;
    this.#paths = new Set(filesOf(job).map(({ path }) => path));
  }

  /** Takes complete files; those that no deployment would take are left out. */
  add(files: readonly WrittenFile[]): void {
    for (const file of files) {
      this.#paths.add(file.path);
      const fits =
        this.#paths.size <= LIMITS.filesPerDeployment && Buffer.byteLength(file.content) <= LIMITS.fileBytes;
      if (fits) this.#waiting.push(file);
    }
    if (this.#waiting.length === 0) return;
    this.#writes = this.#writes.then(() => this.#flush());
    // `finish` throws it; until then it must not count as an unhandled rejection.
    this.#writes.catch(() => {});
  }

  /** Waits until everything is stored, and logs the plan when there is one. @throws StorageAway */
  async finish(plan: readonly PlannedFile[]): Promise<void> {
    await this.#writes;
    if (plan.length > 0) await this.#log([{ type: 'plan', files: plan }]);
  }

  /** Stores everything that waits: files that came during the write before go in one. */
  async #flush(): Promise<void> {
    const batch = this.#waiting.splice(0);
    if (batch.length === 0) return;
    await this.#log(await Promise.all(batch.map((file) => this.#store(file))));
    this.count += batch.length;
  }

  async #store({ path, content }: WrittenFile): Promise<JobEvent> {
    const { id, step: attempt } = this.#job;
    const index = this.#index++;
    const key = await this.#reach(() => this.#ports.files.put(id, this.#run, index, content));
    const size = { bytes: Buffer.byteLength(content), characters: characters(content) };
    return { type: 'file', path, language: languageOf(path), ...size, key, attempt };
  }

  async #log(events: readonly JobEvent[]): Promise<void> {
    const { id, step } = this.#job;
    const job = await this.#reach(() => this.#ports.jobs.append(id, step, this.#run, events));
    if (!job) this.#ports.giveUp();
  }

  /** A provider that writes what nobody can store costs money for nothing: it is stopped at once. */
  async #reach<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await this.#ports.retry(call);
    } catch (error) {
      const away = new StorageAway(error);
      this.#ports.giveUp(away);
      throw away;
    }
  }
}
