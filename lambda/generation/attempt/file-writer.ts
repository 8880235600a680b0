import { characters } from '../../contract/generate.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import type { ProjectChange, UnfinishedFile } from '../../stored/projects/stored-project.ts';
import { tooLarge } from '../edits/accept-change.ts';
import type { Generation, GenerationEvent, StoredUnfinished } from '../generation.ts';
import { bytesOf, fileBytes, roomOf } from '../generation-log.ts';
import type { GenerationStore, Invocation } from '../generation-store.ts';
import { languageOf } from '../language.ts';

/** S3 or DynamoDB stayed unreachable while a file had to be stored. */
export class StorageUnreachable extends Error {
  override readonly name = 'StorageUnreachable';

  constructor(cause: unknown) {
    super('The files could not be stored', { cause });
  }
}

/** Where a writer stores files. */
interface FileWriterContext {
  readonly generations: GenerationStore;
  readonly files: ProjectFileStore;
  /** Retries a storage call for as long as the attempt can wait. */
  readonly retry: <T>(call: () => Promise<T>) => Promise<T>;
  /** Stops the providers; without a reason when another invocation owns the attempt now. */
  readonly abort: (reason?: StorageUnreachable) => void;
}

/** A change, and the attempt that made it. */
interface AttemptChange {
  readonly change: ProjectChange;
  readonly attempt: number;
}

/**
 * Stores what the attempts of one invocation write while their providers go on writing: contents to S3 first, then one
 * entry of the generation's log for each, in the order in which they were completed. What arrives during a write goes
 * with the next one.
 */
export class FileWriter {
  /** The generation as of the last write of the log. */
  generation: Generation;
  /** The changes that were not stored: the reason by path, as a predicate. */
  readonly rejected = new Map<string, string>();
  readonly #invocation: Invocation;
  readonly #context: FileWriterContext;
  readonly #paths: Set<string>;
  /** Number of changes stored, by attempt. */
  readonly #counts = new Map<number, number>();
  #waiting: (AttemptChange | GenerationEvent)[] = [];
  #writes: Promise<void> = Promise.resolve();
  #index = 0;
  /** How many bytes the log may still grow. */
  #room: number;

  /** @param existing the paths of the project so far */
  constructor(existing: Iterable<string>, generation: Generation, invocation: Invocation, context: FileWriterContext) {
    this.generation = generation;
    this.#invocation = invocation;
    this.#context = context;
    this.#paths = new Set(existing);
    this.#room = roomOf(generation);
  }

  /** Takes complete changes of an attempt; files beyond the limits of a deployment are rejected. */
  add(changes: readonly ProjectChange[], attempt: number): void {
    for (const change of changes) {
      const { path, content } = change;
      const reason = this.#tooMuch(change);
      if (reason !== undefined) {
        this.rejected.set(path, reason);
        continue;
      }
      this.rejected.delete(path);
      this.#room -= this.#bytesFor(path);
      if (content === null) this.#paths.delete(path);
      else this.#paths.add(path);
      this.#waiting.push({ change, attempt });
    }
    this.#write();
  }

  /** Takes other entries of the log. */
  log(events: readonly GenerationEvent[]): void {
    this.#waiting.push(...events);
    this.#room -= bytesOf(events);
    this.#write();
  }

  /** Whether the log of the generation may still grow. */
  get hasRoom(): boolean {
    return this.#room > 0;
  }

  /** Returns the number of changes that are stored of an attempt. */
  count(attempt: number): number {
    return this.#counts.get(attempt) ?? 0;
  }

  /** Waits until everything is stored. @throws StorageUnreachable */
  async settled(): Promise<void> {
    await this.#writes;
  }

  /** Stores an unfinished file. @throws StorageUnreachable */
  async storeUnfinished({ path, edits, lines }: UnfinishedFile, attempt: number): Promise<StoredUnfinished> {
    return { path, edits, key: await this.#put(lines.join('\n')), attempt };
  }

  /** Returns why a change would exceed a limit, as a predicate; undefined if it would not. */
  #tooMuch(change: ProjectChange): string | undefined {
    const { path, content } = change;
    const added = content !== null && !this.#paths.has(path);
    if (added && this.#paths.size >= LIMITS.filesPerDeployment)
      return `would give the project more than ${LIMITS.filesPerDeployment} files`;
    if (this.#room < this.#bytesFor(path)) return 'would make the record of the generation too large';
    return tooLarge(change);
  }

  /** Undoing a repair or a review takes as many entries as writing it. */
  #bytesFor(path: string): number {
    return (this.generation.kind === 'write' ? 1 : 2) * fileBytes(path);
  }

  #write(): void {
    if (this.#waiting.length === 0) return;
    this.#writes = this.#writes.then(() => this.#flush());
    // `settled` throws it; until then it must not count as an unhandled rejection.
    this.#writes.catch(() => {});
  }

  /** Stores everything that waits in one write of the log. */
  async #flush(): Promise<void> {
    const batch = this.#waiting.splice(0);
    if (batch.length === 0) return;
    await this.#append(await Promise.all(batch.map((one) => ('change' in one ? this.#store(one) : one))));
    for (const one of batch) {
      if ('change' in one) this.#counts.set(one.attempt, this.count(one.attempt) + 1);
    }
  }

  async #store({ change: { path, content }, attempt }: AttemptChange): Promise<GenerationEvent> {
    if (content === null) return { type: 'deleted', path, attempt };
    const key = await this.#put(content);
    const size = { bytes: Buffer.byteLength(content), characters: characters(content) };
    return { type: 'file', path, language: languageOf(path), ...size, key, attempt };
  }

  #put(content: string): Promise<string> {
    const index = this.#index++;
    return this.#retried(() => this.#context.files.put(this.#invocation, index, content));
  }

  async #append(events: readonly GenerationEvent[]): Promise<void> {
    const { generations, abort } = this.#context;
    const { length } = this.generation.log;
    const generation = await this.#retried(() => generations.append(this.#invocation, events, length));
    if (generation) this.generation = generation;
    else abort();
  }

  /** Stops the providers if storage stays unreachable: files that cannot be stored are not worth paying for. */
  async #retried<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await this.#context.retry(call);
    } catch (error) {
      const unreachable = new StorageUnreachable(error);
      this.#context.abort(unreachable);
      throw unreachable;
    }
  }
}
