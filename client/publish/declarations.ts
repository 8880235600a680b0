import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declaredTypes } from './declared-types.ts';

const OPTIONS = '--declaration --emitDeclarationOnly --stripInternal --strict --allowImportingTsExtensions'
  .concat(' --target es2024 --module nodenext --types node')
  .split(' ');

/** The declarations of the client, and of what reads a folder in Node, which imports the former as `./client.js`. */
export interface Declarations {
  readonly client: string;
  readonly folder: string;
}

/**
 * Returns the declarations of `client/client.ts` as one file without imports, and those of `client/folder.ts`. The types of the
 * contract have the descriptions of their schemas. What is marked as internal is left out.
 * @throws Error if the client does not compile
 */
export function clientDeclarations(root: string): Declarations {
  const directory = mkdtempSync(join(tmpdir(), 'ptp-declarations-'));
  try {
    const source = join(root, 'client');
    const modules = readdirSync(source).filter((name) => name.endsWith('.ts') && name !== 'types.ts');
    for (const name of modules) copyFileSync(join(source, name), join(directory, name));
    writeFileSync(join(directory, 'types.ts'), declaredTypes());
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const typeRoots = join(root, 'node_modules/@types');
    const args = [tsc, 'client.ts', 'folder.ts', '--typeRoots', typeRoots, ...OPTIONS];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8' });
    if (status !== 0) throw new Error(stdout);
    const read = (name: string) => readFileSync(join(directory, name), 'utf8');
    const names = readdirSync(directory).filter((name) => name.endsWith('.d.ts') && name !== 'folder.d.ts');
    const imports = /^(import|export)\b[^;]*? from '[^']+';\n|^export {};\n/gm;
    return {
      // Without an export of its own, a declaration file exports everything.
      client: `${names.map(read).join('').replace(imports, '')}export {};\n`,
      folder: read('folder.d.ts').replace('./files.ts', './client.js'),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
