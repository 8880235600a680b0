import { characters } from '../contract/generate.ts';
import { LIMITS } from '../contract/limits.ts';
import type { ProjectFileStore } from '../projects/project-file-store.ts';
import { tooLarge } from './edits/accept-change.ts';
import type { GenerationEvent } from './generation.ts';
import type { GenerationStore, Invocation } from './generation-store.ts';
import { languageOf } from './language.ts';
import type { Change, PlannedFile } from './project.ts';

/** S3 or DynamoDB stayed unreachable while a file had to be stored. */
export class StorageUnreachable extends Error {
  override readonly name = 'StorageUnreachable';

  constructor(cause: unknown) {
    super('The files could not be stored', { cause });
  }
}

export interface FileWriterPorts {
  readonly generations: GenerationStore;
  readonly files: ProjectFileStore;
  /** Retries a storage call for as long as the attempt can wait. */
  readonly retry: <T>(call: () => Promise<T>) => Promise<T>;
  /** Stops the provider; without a reason when another invocation owns the attempt now. */
  readonly abort: (reason?: StorageUnreachable) => void;
}

/**
 * Stores the files of one attempt while the provider goes on writing: the content to S3 first, then one entry in the
 * generation's log, in the order in which the files were completed. Files that arrive during a write go with the next one.
 */
export class FileWriter {
  /** Number of changes stored. */
  count = 0;
  /** The changes that were not stored: the reason by path, as a predicate. */
  readonly rejected = new Map<string, string>();
  readonly #invocation: Invocation;
  readonly #ports: FileWriterPorts;
  readonly #paths: Set<string>;
  #waiting: Change[] = [];
  #writes: Promise<void> = Promise.resolve();
  #index = 0;
  /** Number of events in the log. */
  #length: number;

  /**
   * @param existing the paths of the project so far
   * @param length number of events in the log
   */
  constructor(existing: Iterable<string>, length: number, invocation: Invocation, ports: FileWriterPorts) {
    this.#length = length;
    this.#invocation = invocation;
    this.#ports = ports;
    this.#paths = new Set(existing);
  }

  /** Takes complete changes; files beyond the limits of a deployment are rejected. */
  add(changes: readonly Change[]): void {
    for (const change of changes) {
      const { path, content } = change;
      const reason = this.#tooMuch(change);
      if (reason !== undefined) {
        this.rejected.set(path, reason);
        continue;
      }
      this.rejected.delete(path);
      if (content === null) this.#paths.delete(path);
      else this.#paths.add(path);
      this.#waiting.push(change);
    }
    if (this.#waiting.length === 0) return;
    this.#writes = this.#writes.then(() => this.#flush());
    // `finish` throws it; until then it must not count as an unhandled rejection.
    this.#writes.catch(() => {});
  }

  /** Returns why a change would exceed a limit, as a predicate; undefined if it would not. */
  #tooMuch(change: Change): string | undefined {
    const { path, content } = change;
    const added = content !== null && !this.#paths.has(path);
    if (added && this.#paths.size >= LIMITS.filesPerDeployment)
      return `would give the project more than ${LIMITS.filesPerDeployment} files`;
    return tooLarge(change);
  }

  /** Waits until everything is stored, and logs the plan when there is one. @throws StorageUnreachable */
  async finish(plan: readonly PlannedFile[], matched?: string | null): Promise<void> {
    await this.#writes;
    if (plan.length > 0) await this.#log([{ type: 'plan', files: plan, matched }]);
  }

  /** Stores all waiting changes in one write of the log. */
  async #flush(): Promise<void> {
    const batch = this.#waiting.splice(0);
    if (batch.length === 0) return;
    await this.#log(await Promise.all(batch.map((file) => this.#store(file))));
    this.count += batch.length;
  }

  async #store({ path, content }: Change): Promise<GenerationEvent> {
    const { attempt } = this.#invocation;
    if (content === null) return { type: 'deleted', path, attempt };
    const index = this.#index++;
    const key = await this.#retried(() => this.#ports.files.put(this.#invocation, index, content));
    const size = { bytes: Buffer.byteLength(content), characters: characters(content) };
    return { type: 'file', path, language: languageOf(path), ...size, key, attempt };
  }

  async #log(events: readonly GenerationEvent[]): Promise<void> {
    const { generations, abort } = this.#ports;
    const generation = await this.#retried(() => generations.append(this.#invocation, events, this.#length));
    if (!generation) return abort();
    this.#length = generation.log.length;
  }

  /** Stops the provider if storage stays unreachable: files that cannot be stored are not worth paying for. */
  async #retried<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await this.#ports.retry(call);
    } catch (error) {
      const unreachable = new StorageUnreachable(error);
      this.#ports.abort(unreachable);
      throw unreachable;
    }
  }
}
