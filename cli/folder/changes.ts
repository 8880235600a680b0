import { type FSWatcher, statSync, watch } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Tools write many files at once: changes count when none came for this long, or after `LONGEST_MS`. */
const QUIET_MS = 200;
const LONGEST_MS = 2_000;

/**
 * Waits for changes in folders, each without those in it: so only the folders of a site are watched, not its packages.
 * A recursive watcher of Node opens every file on Linux.
 */
export class Changes {
  /** By the folder and its identity: a folder that was deleted and made again has another one. */
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #signal: AbortSignal;
  #firstAt: number | undefined;
  #lastAt = 0;
  #wake = () => {};

  /** @param signal ends the wait for changes */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake());
  }

  /** Watches these folders instead of earlier ones. A new one counts as a change: it may have changed before. */
  follow(folders: readonly string[]): void {
    const wanted = new Map(folders.map((folder) => [identityOf(folder), folder]));
    for (const [id, watcher] of this.#watchers) if (!wanted.has(id)) this.#drop(id, watcher);
    for (const [id, folder] of wanted) {
      if (this.#watchers.has(id)) continue;
      const watcher = watch(folder, () => this.#touch());
      watcher.on('error', () => this.#drop(id, watcher));
      this.#watchers.set(id, watcher);
      this.#touch();
    }
  }

  /** Waits for a change, and for the end of the changes around it. @returns false once the signal is aborted */
  async next(): Promise<boolean> {
    while (!this.#signal.aborted) {
      const [first, now] = [this.#firstAt, performance.now()];
      if (first === undefined)
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      else if (now - this.#lastAt < QUIET_MS && now - first < LONGEST_MS) await setTimeout(QUIET_MS / 4);
      else {
        this.#firstAt = undefined;
        return true;
      }
    }
    return false;
  }

  #touch(): void {
    this.#lastAt = performance.now();
    this.#firstAt ??= this.#lastAt;
    this.#wake();
  }

  #drop(id: string, watcher: FSWatcher): void {
    watcher.close();
    this.#watchers.delete(id);
  }
}

function identityOf(folder: string): string {
  const { ino, birthtimeMs } = statSync(folder);
  return `${folder} ${ino} ${birthtimeMs}`;
}
