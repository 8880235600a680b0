import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { filesIn, type ProjectFiles } from './projects.ts';

/** Runs in a process of its own, with the packages of its folder. */
const SCRIPT = join(import.meta.dirname, '../../fixtures/packages/vite-build.ts');

/** Builds a project with Vite, and returns the files of `dist`. */
export async function viteBuild(name: string): Promise<ProjectFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'ptp-vite-'));
  try {
    await promisify(execFile)(process.execPath, [SCRIPT, name, folder]);
    return filesIn(join(folder, 'dist'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
