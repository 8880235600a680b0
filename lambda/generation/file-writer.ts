import { characters } from '../contract/generate.ts';
import { LIMITS } from '../contract/limits.ts';
import { filesOf, type Job, type JobEvent } from './job.ts';
import type { JobStore } from './jobs.ts';
import { languageOf } from './language.ts';
import type { WrittenFile } from './output-parser.ts';
import type { ProjectFiles } from './project-files.ts';
import type { PlannedFile } from './providers/provider.ts';

/**
 * Stores the files of one run while the provider writes on: the content to S3 first, then one entry in the job's
 * log, in the order in which they were completed. Files that come while a write is under way go with the next one.
 */
export class FileWriter {
  /** Files that were stored. */
  count = 0;
  readonly #job: Job;
  readonly #run: string;
  readonly #ports: { readonly jobs: JobStore; readonly files: ProjectFiles };
  readonly #onSuperseded: () => void;
  readonly #paths: Set<string>;
  #waiting: WrittenFile[] = [];
  #writes: Promise<void> = Promise.resolve();
  #index = 0;

  /** @param onSuperseded called when the job turns out not to be the run's any more */
  constructor(
    job: Job,
    run: string,
    ports: { readonly jobs: JobStore; readonly files: ProjectFiles },
    onSuperseded: () => void,
  ) {
    this.#job = job;
    this.#run = run;
    this.#ports = ports;
    this.#onSuperseded = onSuperseded;
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
    // Told by finish; until then it must not pass for an error that nobody handles.
    this.#writes.catch(() => {});
  }

  /** Waits until all is stored, and logs the plan when there is one. @throws what a write threw */
  async finish(plan: readonly PlannedFile[]): Promise<void> {
    await this.#writes;
    if (plan.length > 0) await this.#log([{ type: 'plan', files: plan }]);
  }

  /** Takes all that waits: files that came during the write before go in one. */
  async #flush(): Promise<void> {
    const batch = this.#waiting.splice(0);
    if (batch.length === 0) return;
    await this.#log(await Promise.all(batch.map((file) => this.#store(file))));
    this.count += batch.length;
  }

  async #store({ path, content }: WrittenFile): Promise<JobEvent> {
    const { id, step: attempt } = this.#job;
    const key = await this.#ports.files.put(id, this.#run, this.#index++, content);
    const size = { bytes: Buffer.byteLength(content), characters: characters(content) };
    return { type: 'file', path, language: languageOf(path), ...size, key, attempt };
  }

  async #log(events: readonly JobEvent[]): Promise<void> {
    const { id, step } = this.#job;
    if (!(await this.#ports.jobs.append(id, step, this.#run, events))) this.#onSuperseded();
  }
}
