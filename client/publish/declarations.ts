import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OPTIONS = [
  '--ignoreConfig',
  '--declaration',
  '--emitDeclarationOnly',
  '--stripInternal',
  '--strict',
  '--target',
  'es2024',
  '--module',
  'nodenext',
  '--allowImportingTsExtensions',
  '--types',
  'node',
];

const HEAD =
  '// biome-ignore-all lint: generated\n// Generated from client/ by npm run client: do not edit.\n\n';

/**
 * Returns the declarations of `client/client.ts` and what it imports as one file without imports, and those of
 * `client/folder.ts`, which imports that file. What is marked as internal is left out.
 * @throws Error if the client does not compile
 */
export function bundleDeclarations(root: string): { readonly client: string; readonly folder: string } {
  const directory = mkdtempSync(join(tmpdir(), 'ptp-declarations-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const args = [tsc, 'client/client.ts', 'client/folder.ts', '--outDir', directory, ...OPTIONS];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(stdout);
    const read = (name: string) => readFileSync(join(directory, name), 'utf8');
    const texts = readdirSync(directory).filter((name) => name !== 'folder.d.ts');
    const own = texts
      .map(read)
      .join('')
      .replace(/^(import|export)\b[^;]*? from '[^']+';\n|^export {};\n/gm, '');
    return {
      // Without an export of its own, a declaration file exports everything.
      client: `${HEAD}${own}\nexport {};\n`,
      folder: HEAD + read('folder.d.ts').replace('./files.ts', './client.js'),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
