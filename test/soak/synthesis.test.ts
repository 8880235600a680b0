import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Assembly, readAssembly } from '../../local/cloud/template/template.ts';
import { synthesize } from '../../local/synth.ts';
import { SYNTHESIS_INPUTS } from '../../local/synthesis-inputs.ts';

const folder = mkdtempSync(join(tmpdir(), 'ptp-synthesis-'));
const outDir = join(folder, 'cdk.out');
const configFile = join(folder, 'config.json');
const lines: string[] = [];
const synthesized = () => synthesize(outDir, configFile, (line) => lines.push(line));

let assembly: Assembly;
beforeAll(async () => {
  writeFileSync(configFile, '{"stage": "test"}');
  assembly = await synthesized();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bundles differ in the order of modules, which esbuild sorts by their paths. */
const withoutHashes = ({ template }: Assembly) =>
  JSON.stringify(template).replaceAll(/\b[0-9a-f]{64}\b/g, '');

it('reads nothing but its inputs, and leaves no temporary files', () => {
  const root = join(folder, 'inputs');
  for (const input of SYNTHESIS_INPUTS) {
    if (!input.startsWith('node_modules/')) cpSync(input, join(root, input), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  const alone = join(folder, 'alone');
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object };
  execFileSync(process.execPath, ['bin/app.ts'], {
    cwd: root,
    env: {
      ...process.env,
      TMPDIR: temporary,
      CDK_OUTDIR: alone,
      CONFIG_FILE: configFile,
      CDK_CONTEXT_JSON: JSON.stringify(context),
    },
    stdio: 'pipe',
  });
  expect(withoutHashes(readAssembly(alone))).toBe(withoutHashes(assembly));
  expect(readdirSync(temporary)).toEqual([]);
});

it('is not repeated while its inputs are the same', async () => {
  const kept = join(outDir, 'kept');
  writeFileSync(kept, '');
  expect(await synthesized()).toEqual(assembly);
  expect(existsSync(kept)).toBe(true);
  expect(lines).toEqual([
    'Synthesizing the stack …',
    'Using the stack of the last start, since no source has changed',
  ]);
});

it('is repeated after a change, and after a failure', async () => {
  writeFileSync(configFile, '{"stage": 1}');
  for (let time = 0; time < 2; time++) await expect(synthesized()).rejects.toThrow('stage');
  expect(lines.slice(-2)).toEqual(['Synthesizing the stack …', 'Synthesizing the stack …']);
});
