import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { CODES } from '../../../client/error.ts';
import { clientDeclarations } from '../../../client/publish/declarations.ts';
import { clientScript } from '../../../client/publish/script.ts';
import { ERRORS } from '../../../lambda/contract/errors.ts';
import { temporaryFolder } from '../../support/at-end.ts';

const declarations = clientDeclarations(process.cwd());

const folder = temporaryFolder();
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
writeFileSync(join(folder, 'client.js'), clientScript());
writeFileSync(join(folder, 'client.d.ts'), declarations.client);
writeFileSync(join(folder, 'folder.d.ts'), declarations.folder);

describe('/client.js', () => {
  it('has at most 8 KB with gzip', () => {
    expect(gzipSync(clientScript(), { level: 9 }).length).toBeLessThanOrEqual(8 * 1_024);
  });

  it('imports nothing, and exports the client', async () => {
    // Node would fail to resolve an import in the empty folder.
    const script = `console.log(Object.keys(await import(${JSON.stringify(pathToFileURL(join(folder, 'client.js')))})).join())`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect([stdout.trim(), stderr]).toEqual(['ApiError,Client,hashes', '']);
    expect(clientScript()).not.toMatch(/\bimport\b|\brequire\b|\bBuffer\b|\bprocess\b/);
  });
});

describe('/client.d.ts', () => {
  it.each([
    ['in a browser', ['--lib', 'es2022,dom,dom.asynciterable', '--types', '']],
    ['in Node', ['--lib', 'es2022', '--types', 'node', '--typeRoots', join(process.cwd(), 'node_modules/@types')]],
  ])('types a program %s, without any other package', (_, environment) => {
    const program = readFileSync(join(import.meta.dirname, 'consumer.ts'), 'utf8');
    writeFileSync(join(folder, 'consumer.ts'), program.replaceAll(/'..\/..\/..\/client\/(\w+).ts'/g, "'./$1.js'"));
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const options = [...strict, '--skipDefaultLibCheck', '--noEmit'];
    const target = ['--target', 'es2022', '--module', 'nodenext', ...environment];
    const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
    const args = [tsc, 'consumer.ts', ...options, ...target];
    expect(spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout).toBe('');
  });

  it('does not show what is internal', () => {
    expect(declarations.client).not.toMatch(/\bHttp\b|@internal|\bimport\b(?!\.meta)|zod/);
  });
});

it('has the declarations in dist/: if this fails, run npm run prepare', () => {
  for (const [name, text] of Object.entries(declarations))
    expect(readFileSync(`dist/${name}.d.ts`, 'utf8') === text).toBe(true);
});

it('knows the most general code of each status', () => {
  const codes = Object.entries(ERRORS).map(([code, { status }]) => [status, code]);
  // Of two codes with the same status, the last one is the more general.
  expect(CODES).toEqual(Object.fromEntries(codes));
});
