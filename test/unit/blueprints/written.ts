import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProjectFile } from '../../../blueprints/engine/compose.ts';

/** A folder that is removed when it is disposed of. */
export async function emptyFolder() {
  const path = await mkdtemp(join(tmpdir(), 'blueprint-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

export async function write(folder: string, files: readonly ProjectFile[]): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** Runs Node.js with some arguments in a folder; resolves to the exit status and to what it printed. */
export async function runNode(folder: string, ...words: string[]) {
  const child = spawn(process.execPath, words, { cwd: folder });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [status] = await once(child, 'close');
  return { status, output };
}
