import { globSync } from 'node:fs';
import { build } from 'esbuild';

it('keeps the schemas of responses out of the bundles, except that of the tools for agents', async () => {
  const { metafile } = await build({
    entryPoints: globSync('lambda/**/*.handler.ts', { exclude: ['lambda/mcp/**'] }),
    outdir: 'unused',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs).toContain('lambda/contract/generate.ts');
  expect(inputs.filter((path) => path.startsWith('lambda/contract/responses/'))).toEqual([]);
});
