import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from '../../lib/platform/bundle.ts';
import { temporaryFolder } from '../support/at-end.ts';

const folder = temporaryFolder();
const entry = join(folder, 'entry.js');
const bundles = join(folder, 'bundles');
afterEach(() => delete process.env.CDK_BUNDLES);

/** Returns what a build of a source writes. */
function built(source: string, minify: boolean): string {
  writeFileSync(entry, source);
  const outdir = mkdtempSync(join(folder, 'out-'));
  buildOnce({ entryPoints: { index: entry }, minify }, outdir);
  return readFileSync(join(outdir, 'index.js'), 'utf8');
}

it('builds once with the same options, in the folder of bundles', () => {
  process.env.CDK_BUNDLES = bundles;
  expect(built('one()', true)).toBe('one();\n');
  expect(built('two()', true)).toBe('one();\n');
  expect(built('two()', false)).toBe('two();\n');
  expect(readdirSync(bundles)).toHaveLength(2);
});

it('builds each time without a folder of bundles', () => {
  expect([built('one()', true), built('two()', true)]).toEqual(['one();\n', 'two();\n']);
});
