import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Assembly, readAssembly } from '../../local/cloud/template/template.ts';
import { startService } from '../../local/service.ts';
import { SYNTHESIS_INPUTS, synthesize } from '../../local/synth.ts';
import { temporaryFolder } from '../support/at-end.ts';
import { freePort } from '../support/free-port.ts';

const folder = temporaryFolder();
const outDir = join(folder, 'cdk.out');
const configFile = join(folder, 'config.json');
const lines: string[] = [];
const cache = join(folder, 'cache');
const synthesized = (to = outDir) => synthesize(to, { configFile, cache, log: (line) => lines.push(line) });

writeFileSync(configFile, '{"stage": "test"}');
const assembly = await synthesized();

/** Bundles differ in the order of modules, which esbuild sorts by path. The ids of versions contain a hash of the bundle. */
const withoutHashes = ({ template }: Assembly) =>
  JSON.stringify(template)
    .replaceAll(/\b[0-9a-f]{64}\b/g, '')
    .replaceAll(/(?<=CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, '');

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
      CDK_PLATFORM: 'this',
      CDK_DEFAULT_REGION: 'us-east-1',
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
    'Using the stack of an earlier start, since no source has changed',
  ]);
});

it('is not repeated for another folder, whose assembly is complete', async () => {
  lines.length = 0;
  const other = join(folder, 'other');
  expect(await synthesized(other)).toEqual({ ...assembly, directory: other });
  expect(readdirSync(other).toSorted()).toEqual(
    readdirSync(outDir)
      .toSorted()
      .filter((name) => name !== 'kept'),
  );
  expect(lines).toEqual(['Using the stack of an earlier start, since no source has changed']);
});

it('is done once for two services that start at the same time', async () => {
  const own = join(folder, 'own.json');
  // Not the configuration of any other start, so that no earlier assembly fits.
  writeFileSync(own, JSON.stringify({ stage: `t${process.hrtime.bigint()}`.slice(0, 16) }));
  const printed: string[] = [];
  const clouds = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const ports = { port: await freePort(), backendPort: await freePort() };
      const settings = { ...ports, stateDir: join(folder, name), configFile: own };
      return startService(settings, { log: (line) => printed.push(line) });
    }),
  );
  for (const { baseUrl } of clouds) expect((await fetch(`${baseUrl}/docs`)).status).toBe(200);
  await Promise.all(clouds.map((cloud) => cloud.close()));
  expect(printed.filter((line) => line.startsWith('Synthesizing'))).toHaveLength(1);
});

it('is repeated after a change, and after a failure', async () => {
  writeFileSync(configFile, '{"stage": 1}');
  for (let time = 0; time < 2; time++) await expect(synthesized()).rejects.toThrow('stage');
  expect(lines.slice(-2)).toEqual(['Synthesizing the stack …', 'Synthesizing the stack …']);
});
