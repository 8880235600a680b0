import { globSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { clientDeclarations } from '../client/publish/declarations.ts';
import { openApiDocument } from '../web/reference/openapi/document.ts';
import { textOf } from '../web/reference/openapi/files.ts';

// Makes dist/: `ptp`, the client with its declarations, and the OpenAPI document. npm ci runs it, with the Node that it installed.

const ROOT = resolve(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const MODULES = {
  absWorkingDir: ROOT,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  // The oldest Node that ptp and programs with the client run on.
  target: 'node20',
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Parts of packages that nothing here reads, 100 MB: headers for native modules, other languages' and old compilers' interfaces. */
const UNUSED = [
  'node_modules/node-{linux,darwin,win,bin}-*/{include,share}',
  'node_modules/aws-cdk-lib/.jsii*.gz',
  'node_modules/@{aws-sdk,smithy}/*/dist-types/ts3.4',
];
for (const path of globSync(UNUSED, { cwd: ROOT })) rmSync(join(ROOT, path), { recursive: true });

const { metafile } = await build({
  ...MODULES,
  entryPoints: ['cli/ptp/ptp.ts'],
  // What a command does not use is not loaded.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  mainFields: ['module', 'main'],
  minify: true,
  // commander is CommonJS, whose calls of require have no other meaning in an ES module.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  metafile: true,
});
// Afterwards, so that a ptp that runs meanwhile finds its chunks unless they have changed.
for (const file of readdirSync(join(DIST, 'chunks')))
  if (!(`dist/chunks/${file}` in metafile.outputs)) rmSync(join(DIST, 'chunks', file));

await build({ ...MODULES, entryPoints: ['client/client.ts', 'client/folder.ts'] });
const { client, folder } = clientDeclarations(ROOT);
writeFileSync(join(DIST, 'client.d.ts'), client);
writeFileSync(join(DIST, 'folder.d.ts'), folder);
writeFileSync(join(DIST, 'openapi.json'), textOf(await openApiDocument()));
