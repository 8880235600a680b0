import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../lib/platform/bundle.ts';
import { filesIn } from '../test/support/builds/projects.ts';
import { FIXTURES } from '../test/support/registry/installed.ts';
import { startRegistry, type TestRegistry } from '../test/support/registry.ts';
import type { BuildTimes } from './build-process.ts';
import { atMost, type Figure, measureMs, median, ratio, share } from './figure.ts';

const run = promisify(execFile);

/** Packages that `npm run fixtures` installs. Vite finds them from a folder in it. */
const INSTALLED = `${FIXTURES}/node_modules`;
const CACHE = `${INSTALLED}/.cache`;
const VITE = `${INSTALLED}/vite/bin/vite.js`;
const MEMORY_MB = 700;

interface Project {
  readonly name: string;
  readonly folder: string;
  /** The file that is edited. */
  readonly edited: string;
}

const PROJECTS: readonly Project[] = [
  { name: 'react-ts', folder: `${INSTALLED}/create-vite/template-react-ts`, edited: 'src/App.tsx' },
  { name: 'dashboard', folder: 'test/support/projects/dashboard', edited: 'src/pages/Overview.tsx' },
];

/** Measures builds against the first `vite build` after an install, each in a new process, with installed or stored packages. */
export async function buildBench(): Promise<Figure[]> {
  if (!existsSync(VITE)) throw new Error('Vite is not installed: run npm run fixtures');
  const registry = await startRegistry();
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'bench-builds-'));
  try {
    // As the function is bundled.
    const native = { names: ['rolldown', 'lightningcss'], platform: 'this' } as const;
    const folders = ['lambda/builds/packages/listed'];
    bundle('bench/build-process.ts', { native, folders }, join(folder, 'bundle'));
    const script = join(folder, 'bundle/index.mjs');
    const figures: Figure[] = [];
    for (const project of PROJECTS) figures.push(...(await figuresOf(project, folder, script, registry)));
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await registry.close();
  }
}

async function figuresOf(
  { name, folder, edited }: Project,
  parent: string,
  script: string,
  registry: TestRegistry,
): Promise<Figure[]> {
  const copy = join(parent, name);
  cpSync(folder, copy, { recursive: true });
  const times: BuildTimes[] = [];
  // As after an install: neither has compiled modules, which the command line of Vite keeps from its last run.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const own = async (...edit: string[]) => {
    const args = [script, join(parent, `${name}-source`), registry.url, join(parent, 'packages'), ...edit];
    const { stdout } = await run(process.execPath, args, { env });
    return JSON.parse(stdout) as BuildTimes;
  };
  cpSync(folder, join(parent, `${name}-source`), { recursive: true });
  writeFileSync(join(parent, `${name}-source`, 'package-lock.json'), await lockFile(copy, registry));
  const vite = () => run(process.execPath, [VITE, 'build', copy, '--logLevel', 'error'], { env });

  const time = await ratio(
    `${name}, new process: build / vite build after an install`,
    { atMost: 0.9 },
    () => measureMs(() => own()),
    () => measureMs(vite),
    { rounds: 7, seconds: 40 },
  );
  const viteBytes = [...filesIn(join(copy, 'dist')).values()].reduce((sum, { length }) => sum + length, 0);
  for (let round = 0; round < 5; round++) times.push(await own(edited));
  const { bytes } = await own();
  const first = median(times.map((each) => each.first));
  const rebuild = median(times.map((each) => each.rebuild));
  const figures = [time, share(`${name}: output / Vite's`, { atMost: 1.05 }, bytes, viteBytes, 'bytes')];
  if (name !== 'dashboard') return figures;
  const memory = Math.max(...times.map((each) => each.memory)) / 1_048_576;
  return [
    ...figures,
    share(`${name}: rebuild after an edit / first build`, { atMost: 0.3 }, rebuild, first, 'ms'),
    atMost(`${name}: memory of a build and a rebuild, MB`, memory, MEMORY_MB),
  ];
}

/** Returns a lock file with the installed versions of the packages that a project depends on. */
async function lockFile(folder: string, registry: TestRegistry): Promise<string> {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return registry.lockFile(Object.fromEntries(Object.keys(dependencies).map((name) => [name, name])));
}
