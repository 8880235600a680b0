import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OPTIONS = [
  ...['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--stripInternal', '--strict'],
  ...['--target', 'es2024', '--module', 'nodenext', '--allowImportingTsExtensions', '--types', 'node'],
];

/**
 * Returns the declarations of `client/client.ts` and what it imports as one file without imports. What is marked as internal
 * is left out.
 * @throws Error if the client does not compile
 */
export function bundleDeclarations(root: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'ptp-declarations-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const args = [tsc, 'client/client.ts', '--outDir', folder, ...OPTIONS];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(stdout);
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const own = texts.join('').replace(/^(import|export)\b[^;]*? from '[^']+';\n|^export {};\n/gm, '');
    // Without it, a declaration file exports everything.
    return `// biome-ignore-all lint: generated\n// Generated from client/ by npm run client: do not edit.\n\n${own}\nexport {};\n`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
