import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../terminal/settings.ts';
import { BackendProcess } from './backend-process.ts';
import { lookVariables, thisMachine } from './chromium.ts';
import type { Cloud, CloudSettings } from './cloud/cloud.ts';
import { bindConfigured } from './cloud/listen.ts';
import type { Assembly } from './cloud/template/template.ts';
import { emptyState, lockState } from './lock.ts';
import { proxyVariables } from './proxy.ts';
import { synthesize } from './synth.ts';

/** The folder of results that depend on the sources of this checkout only. */
const CACHE = fileURLToPath(new URL('../node_modules/.cache/local-cloud', import.meta.url));

/** Settings of the cloud that only tests and benchmarks change. */
export type TestSettings = Pick<
  CloudSettings,
  | 'invalidationSeconds'
  | 'updateSeconds'
  | 'eventDeliveries'
  | 'eventRetrySeconds'
  | 'scheduleSeconds'
  | 'alarmSeconds'
  | 'concurrentExecutions'
>;

export type ServiceSettings = Settings & TestSettings;

export interface ServiceOptions {
  /** Empties the state folder first. */
  readonly fresh?: boolean;
  /** Keys of the stage's configuration, in place of those in the configuration file. */
  readonly config?: object | undefined;
  /** Where a browser is being installed, which looks use as soon as it is there. */
  readonly installing?: string | undefined;
  /** Receives every log line; `console.log` by default. */
  readonly log?: (line: string) => void;
}

/**
 * Synthesizes the stack of this repository and runs it locally. The state folder is locked until the service is closed.
 * @throws Error that explains what to do
 */
export async function startService(
  settings: ServiceSettings,
  { fresh, config, installing, log = console.log }: ServiceOptions = {},
): Promise<Cloud> {
  // First, because another service may be using the folder.
  const unlock = lockState(settings.stateDir);
  try {
    await refuseTakenPort('PORT', settings.port);
    await refuseTakenPort('BACKEND_PORT', settings.backendPort);
    if (fresh) emptyState(settings.stateDir);
    const configFile = config ? storeConfig(settings.stateDir, config) : settings.configFile;
    // Native code of all functions runs in this process, and reads its environment only. See `lib/builds.ts`.
    process.env.RUST_MIN_STACK ??= String(256 * 1_048_576);
    // Loads while another process synthesizes.
    const loading = import('./cloud/cloud.ts');
    const assembly = await synthesize(join(settings.stateDir, 'cdk.out'), { configFile, log });
    await loading;
    const cloud = await runAssembly(assembly, settings, log, installing);
    return { ...cloud, close: () => cloud.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Runs a cloud assembly. */
export async function runAssembly(
  assembly: Assembly,
  settings: ServiceSettings,
  log: (line: string) => void,
  installing?: string,
): Promise<Cloud> {
  const { runCloud } = await import('./cloud/cloud.ts');
  const startBackend: CloudSettings['startBackend'] = (region, putMetric) =>
    BackendProcess.start(settings, region, log, putMetric);
  return runCloud(assembly, {
    ...settings,
    cacheDir: CACHE,
    machineVariables: machineVariables(installing),
    startBackend,
    log,
  });
}

/**
 * Returns the browser and the proxy of this machine, and npm's registry, which npm passes to its scripts: builds fetch packages from
 * there. Tests, whose registry makes its own archives, also set the other variable.
 */
function machineVariables(installing: string | undefined): Record<string, string> {
  const { npm_config_registry, PTP_UNPINNED_PACKAGES } = process.env;
  return {
    ...lookVariables(thisMachine(), installing),
    ...proxyVariables(process.env),
    ...(npm_config_registry !== undefined && { npm_config_registry }),
    ...(PTP_UNPINNED_PACKAGES !== undefined && { PTP_UNPINNED_PACKAGES }),
  };
}

/** Returns the path of a file for the CDK app, which runs in a process of its own. */
function storeConfig(stateDir: string, config: object): string {
  const path = join(stateDir, 'config.json');
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`);
  return path;
}

async function refuseTakenPort(variable: string, port: number): Promise<void> {
  const probe = createServer();
  await bindConfigured(probe, variable, port);
  await new Promise((resolve) => probe.close(resolve));
}
