import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../lib/platform/bundle.ts';
import type { OperatorFile } from '../local/cloud/cloud.ts';
import { startService } from '../local/service.ts';
import type { Figure } from './figure.ts';

const run = promisify(execFile);

/**
 * Runs a script in a process of its own, outside the local cloud, like a function, and returns the JSON of the last line
 * that it prints.
 */
async function inProcess<Result>(script: string, env: Readonly<Record<string, string>>): Promise<Result> {
  const { stdout } = await run(process.execPath, [script], { env: { ...process.env, ...env } }).catch(
    ({ stderr }: { stderr: string }) => {
      // The rest is a bundle in one line, and the stack of it.
      const lines = stderr.split('\n').filter((line) => line.trim() !== '' && line.length < 500);
      throw new Error(`${script} failed: ${lines.slice(0, 6).join('\n')}`);
    },
  );
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Result;
}

/** Bundles a module like a function, and returns the absolute path of its file. */
export function bundleFile(entry: string): string {
  const outdir = resolve('node_modules/.cache/bench', entry);
  rmSync(outdir, { recursive: true, force: true });
  bundle(entry, {}, outdir);
  return join(outdir, 'index.mjs');
}

const MANY = 1_000_000;

/** Benches send in a minute what a person sends in a day. */
const NO_LIMITS = {
  rateLimit: { windowSeconds: 3_600, anonymous: MANY, key: MANY, reads: MANY, zips: MANY },
  bytesPerDay: { anonymous: MANY * MANY, anonymousTogether: MANY * MANY },
  data: { writesPerMinute: MANY, creationsPerDay: MANY, anonymousCreationsPerDay: MANY },
  tables: { maxReadRequestUnits: MANY, maxWriteRequestUnits: MANY },
  generation: { running: { anonymous: 1_000, service: 1_000 } },
  throttle: {
    rate: MANY,
    burst: 5_000,
    generateRate: MANY,
    generateBurst: 5_000,
    deployRate: MANY,
    deployBurst: 5_000,
  },
};

/** Starts the local service with a new state folder, which `close` deletes. @param config besides the defaults of benchmarks */
export async function startBenchService(config: object = {}, port = 3190) {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-bench-'));
  const cloud = await startService(
    // Schedules of the stack run when nothing is measured any more.
    { port, backendPort: port + 9, stateDir, configFile: '', scheduleSeconds: 86_400 },
    {
      log: () => {},
      config: {
        stage: 'test',
        look: { enabled: false },
        canary: { enabled: false },
        ...NO_LIMITS,
        ...config,
      },
    },
  );
  return {
    baseUrl: cloud.baseUrl,
    environmentOf: cloud.environmentOf,
    stateDir,
    close: async () => {
      await cloud.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

/** A local cloud for benchmarks. */
type BenchCloud = Awaited<ReturnType<typeof startBenchService>>;

/**
 * Returns the environment in which functions of a cloud run in a process outside of it, one or more of them in the same process: with
 * the operator's permissions, since each function has its own. `BUNDLE_OF_<name>` is the file of each.
 */
export function functionEnvironment(
  { stateDir, environmentOf }: BenchCloud,
  functionNames: readonly string[],
): Record<string, string> {
  const { accessKeyId, secretAccessKey } = JSON.parse(
    readFileSync(join(stateDir, 'operator.json'), 'utf8'),
  ) as OperatorFile;
  const environments = functionNames.map((name) => ({
    ...environmentOf(name),
    [`BUNDLE_OF_${name}`]: join(environmentOf(name).LAMBDA_TASK_ROOT ?? '', 'index.mjs'),
  }));
  return Object.assign({}, ...environments, {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  });
}

/** Measures a deploy of 10 MB against its floor. */
export const deployBench = () => onCloud('bench/deploy-measured.ts', ['DeploymentsApi']);

/** Measures visits of a page against their floors. */
export const pageBench = () => onCloud('bench/page-measured.ts', ['DeploymentsSite', 'DeploymentsApi']);

/** Measures the data of a site against the calls that it is made of. */
export const dataBench = () => onCloud('bench/data-measured.ts', ['DataApi', 'DeploymentsApi']);

/** Measures the cost of identifying and counting callers. */
export const limiterBench = () => onCloud('bench/limiter-measured.ts', ['UsageApi']);

/** Runs a script that calls functions of a local cloud, outside of it, but on its services. */
async function onCloud(script: string, functionNames: readonly string[]): Promise<Figure[]> {
  const cloud = await startBenchService();
  try {
    return await inProcess<Figure[]>(script, functionEnvironment(cloud, functionNames));
  } finally {
    await cloud.close();
  }
}
