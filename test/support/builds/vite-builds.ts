import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { filesIn, type ProjectFiles } from './projects.ts';

/** Runs in a process of its own, with the packages of its folder. */
const SCRIPT = join(import.meta.dirname, '../../fixtures/packages/vite-builds.ts');

export interface ViteBuilds {
  /** Returns the files of `dist` once the project is built. @throws Error if Vite could not build it */
  filesOf(name: string): Promise<ProjectFiles>;
  close(): void;
}

/** Builds projects with Vite, one after the other. */
export function startViteBuilds(names: readonly string[]): ViteBuilds {
  const folder = mkdtempSync(join(tmpdir(), 'ptp-vite-'));
  const child = spawn(process.execPath, [SCRIPT, folder, ...names], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // That of Jest would make builds for development.
    env: { ...process.env, NODE_ENV: undefined },
  });
  const waiting = new Map(names.map((name) => [name, Promise.withResolvers<ProjectFiles>()]));
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  createInterface(child.stdout).on('line', (name) => waiting.get(name)?.resolve(filesIn(join(folder, name, 'dist'))));
  child.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error(`Vite ended: ${errors}`));
  });
  for (const { promise } of waiting.values()) promise.catch(() => undefined);
  return {
    filesOf: (name) => waiting.get(name)?.promise ?? Promise.reject(new Error(`${name} is not built`)),
    close: () => {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
