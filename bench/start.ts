import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Figure, ratio } from './figure.ts';
import { bundleFile, functionEnvironment, startBenchService } from './on-cloud.ts';

/** Measures how long functions take to load, and the local service to start. */
export async function startBench(): Promise<Figure[]> {
  return [...(await initOfFunctions()), ...(await startsOfService())];
}

/** The Lambda global that a streaming function uses when it loads. */
const LAMBDA = 'data:text/javascript,globalThis.awslambda={streamifyResponse:(f)=>f}';

/**
 * Measures the load time of the generate function, less that of a bare Node, against the floor of any function that calls
 * AWS: client-dynamodb alone. Also that of the function for agents, against the generate function.
 */
async function initOfFunctions(): Promise<Figure[]> {
  const floor = bundleFile('bench/floor.ts');
  const cloud = await startBenchService();
  const overBare = (functionName: string, file?: string) => {
    const env = functionEnvironment(cloud, [functionName]);
    return () => {
      const bare = load(['-e', '0'], env);
      return load([file ?? env[`BUNDLE_OF_${functionName}`] ?? ''], env) - bare;
    };
  };
  const generate = overBare('GenerationApi');
  const effort = { rounds: 11 };
  try {
    return [
      await ratio(
        'init of generate / client-dynamodb',
        { atMost: 2 },
        generate,
        overBare('GenerationApi', floor),
        effort,
      ),
      await ratio('init of mcp / generate', { atMost: 1.3 }, overBare('McpServer'), generate, effort),
    ];
  } finally {
    await cloud.close();
  }
}

/** Returns the milliseconds that a Node process takes. */
function load(args: readonly string[], env: Readonly<Record<string, string>>): number {
  const before = process.hrtime.bigint();
  execFileSync(process.execPath, ['--import', LAMBDA, ...args], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  return Number(process.hrtime.bigint() - before) / 1e6;
}

/**
 * Measures `npm start` until it is ready: again, and with a new state folder. Both use the stack of an earlier start, and the
 * baseline synthesizes one.
 */
async function startsOfService(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ptp-bench-'));
  const config = 'config/local.json';
  const stateDir = join(folder, 'state');
  let starts = 0;
  const newState = () => start({ stateDir: join(folder, `state-${starts++}`), config });
  const firstStart = () => {
    const own = join(folder, 'config.json');
    // Not the configuration of any other start.
    writeFileSync(own, JSON.stringify({ stage: `b${Date.now().toString(36)}` }));
    return start({ stateDir: join(folder, `state-${starts++}`), config: own });
  };
  try {
    await start({ stateDir, config });
    const again = () => start({ stateDir, config });
    return [
      await ratio('second start / first start', { atMost: 0.5 }, again, firstStart, { rounds: 3 }),
      await ratio('start with new state / first start', { atMost: 0.5 }, newState, firstStart, { rounds: 3 }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Start {
  readonly stateDir: string;
  readonly config: string;
}

/** Returns the milliseconds until the service is ready, and ends it. */
async function start({ stateDir, config }: Start): Promise<number> {
  const before = performance.now();
  const service = spawn(process.execPath, ['local/start.ts'], {
    env: {
      ...process.env,
      PORT: '3190',
      BACKEND_PORT: '3199',
      STATE_DIR: stateDir,
      CONFIG_FILE: config,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(service, 'exit');
  let ready = Number.NaN;
  for await (const line of createInterface({ input: service.stdout })) {
    if (!line.startsWith('ready ')) continue;
    ready = performance.now() - before;
    service.kill('SIGTERM');
  }
  await exit;
  if (Number.isNaN(ready)) throw new Error('the service ended before it was ready');
  return ready;
}
