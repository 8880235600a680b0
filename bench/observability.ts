import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { BUNDLING } from '../lib/platform/bundle.ts';
import { accessEnvironment, withAccessTables } from './access.ts';
import type { Figure } from './figure.ts';
import { bundleFile, inProcess } from './in-process.ts';
import { ratio } from './ratio.ts';

const HANDLER = 'lambda/usage/api.handler.ts';

/** Replacements for these modules that do nothing. */
const SILENT: Readonly<Record<string, string>> = {
  log: `
    export const LOGGED_ID_CHARACTERS = 12;
    export const logAbout = () => {}, addToLog = () => {}, writeLine = () => {}, writeLogTo = () => {};
    export const loggedIds = () => ({}), invocationCost = () => ({}), loggedId = (id) => id;
    export const log = { info() {}, error() {} };`,
  metrics: 'export const emitMetrics = () => {};',
};

const silence: Plugin = {
  name: 'silence',
  setup: ({ onLoad }) =>
    onLoad({ filter: /lambda[\\/]platform[\\/](log|metrics)\.ts$/ }, ({ path }) => ({
      contents: SILENT[/(\w+)\.ts$/.exec(path)?.[1] ?? ''] ?? '',
    })),
};

/** Measures what logs and metrics add to a function that runs only the pipeline of the API. */
export async function observabilityBench(): Promise<Figure[]> {
  const own = bundleFile(HANDLER);
  const silent = await silentBundle();
  const effort = { rounds: 41, seconds: 30 };
  return withAccessTables(async () => {
    const env = { ...accessEnvironment, METRICS_NAMESPACE: 'bench' };
    const start = (file: string) => () => load(file, env);
    return [
      await ratio(
        'start of a function / without logs and metrics',
        { atMost: 1.05 },
        start(own),
        start(silent),
        effort,
      ),
      ...(await inProcess<Figure[]>('bench/observability-measured.ts', {
        ...env,
        BUNDLE: own,
        SILENT: silent,
      })),
    ];
  });
}

async function silentBundle(): Promise<string> {
  const outdir = resolve('node_modules/.cache/bench/silent');
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  await build({
    entryPoints: { index: HANDLER },
    outdir,
    ...BUNDLING,
    plugins: [silence],
  });
  return join(outdir, 'index.mjs');
}

/** Returns the milliseconds that a Node process takes to load a function. */
function load(file: string, env: Readonly<Record<string, string>>): number {
  const before = performance.now();
  execFileSync(process.execPath, [file], { env: { ...process.env, ...env }, stdio: 'ignore' });
  return performance.now() - before;
}
