import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Files } from '../../lambda/builds/files.ts';

const SCRIPT = /<script type="module" crossorigin src="\/assets\/([^"]+)"/g;

/**
 * Runs the scripts that a built page loads, without a document. It waits for dynamic imports that a script awaits.
 * @returns what they passed to the global function `log`, each with its arguments
 */
export async function runScripts(files: Files, page = 'index.html'): Promise<unknown[][]> {
  const html = Buffer.from(files.get(page) ?? '').toString();
  const folder = mkdtempSync(join(tmpdir(), 'scripts-'));
  const logged: unknown[][] = [];
  Object.assign(globalThis, { log: (...values: unknown[]) => logged.push(values) });
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    for (const [path, content] of files) if (path.endsWith('.js')) writeFileSync(join(folder, basename(path)), content);
    for (const [, name = ''] of html.matchAll(SCRIPT)) await import(join(folder, name));
    return logged;
  } finally {
    Reflect.deleteProperty(globalThis, 'log');
    rmSync(folder, { recursive: true });
  }
}
