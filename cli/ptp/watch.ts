import { type FSWatcher, statSync, watch } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Context } from './context.ts';
import { folderName, type Manifest, manifestOf } from './manifest.ts';
import type { Publisher } from './publish.ts';
import { count } from './text.ts';

/** Tools write many files at once: changes are deployed when none came for this long, or after `LONGEST_MS`. */
const QUIET_MS = 200;
const LONGEST_MS = 2_000;

/**
 * Deploys a site whenever its files change, until Ctrl-C. A failure is one line, and the next change tries again.
 * @param manifest as it was deployed
 */
export async function watchSite(
  manifest: Manifest,
  publisher: Publisher,
  options: { sourceMaps?: boolean | undefined },
  context: Context,
): Promise<void> {
  const { site } = manifest;
  using folders = new FolderWatcher(context.signal);
  // The project's folder shows that a build deletes and creates the output folder.
  folders.follow([site.project, ...manifest.folders]);
  // Files may have changed while they were deployed.
  folders.touch();
  context.say(`Watching ${folderName(manifest, context.cwd)}; Ctrl-C ends`);
  const hasIndex = (files: Manifest['files']) => files.some(({ path }) => path === 'index.html');
  while (await folders.changed()) {
    const begin = performance.now();
    try {
      const now = manifestOf(site, options);
      // Files can be added to a new folder before it is watched.
      if (folders.follow([site.project, ...now.folders])) folders.touch();
      // In the middle of a build there is no page yet.
      if (hasIndex(manifest.files) && !hasIndex(now.files)) continue;
      if (await publisher.isUnchanged(now)) continue;
      const { changed } = await publisher.publish(now);
      context.say(
        `${time()} Deployed ${listOf(changed)} (${((performance.now() - begin) / 1_000).toFixed(1)} s)`,
      );
    } catch (error) {
      if (context.signal.aborted) return;
      // A file that vanished: its deletion is a change of its own.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      context.stderr.write(`${time()} ${(error as Error).message}\n`);
    }
  }
}

const time = () => new Date().toLocaleTimeString('sv');

function listOf(paths: readonly string[]): string {
  if (paths.length === 0) return 'without the deleted files';
  return paths.length > 3 ? count(paths.length, 'file') : paths.join(', ');
}

/**
 * Watches folders, each without those in it: only the folders of a site are watched, not its packages, and on Linux a
 * recursive watcher of Node opens every file.
 */
class FolderWatcher {
  /** By the folder and its identity: one that was deleted and made again has another one. */
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

  /** Watches these folders instead of earlier ones. @returns whether one of them is new */
  follow(folders: readonly string[]): boolean {
    const wanted = new Map(folders.map((folder) => [identityOf(folder), folder]));
    for (const [id, watcher] of this.#watchers) if (!wanted.has(id)) this.#drop(id, watcher);
    const added = [...wanted].filter(([id]) => !this.#watchers.has(id));
    for (const [id, folder] of added) {
      const watcher = watch(folder, () => this.touch());
      watcher.on('error', () => this.#drop(id, watcher));
      this.#watchers.set(id, watcher);
    }
    return added.length > 0;
  }

  touch(): void {
    this.#lastAt = performance.now();
    this.#firstAt ??= this.#lastAt;
    this.#wake();
  }

  /** Waits for a change, and for the end of the changes around it. @returns false once the signal is aborted */
  async changed(): Promise<boolean> {
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

  [Symbol.dispose](): void {
    for (const [id, watcher] of this.#watchers) this.#drop(id, watcher);
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
