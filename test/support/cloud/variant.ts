import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackendProcess } from '../../../local/backend-process.ts';
import type { CloudWatch } from '../../../local/cloud/cloudwatch/cloudwatch.ts';
import { type Assembly, readAssembly } from '../../../local/cloud/template/template.ts';
import { runAssembly, type TestSettings } from '../../../local/service.ts';
import { freePort } from '../free-port.ts';
import { cloud } from './cloud.ts';

/** A separate cloud for a test that needs another configuration or injects faults. */
export interface Variant {
  readonly baseUrl: string;
  readonly cloudWatch: CloudWatch;
  readonly backendPort: number;
  readonly stateDir: string;
  /** Kills every environment of the function whose name contains `functionName`. @returns how many there were */
  crash(functionName: string): Promise<number>;
  /** Refuses every invocation of that function until the returned function is called. */
  throttle(functionName: string): () => void;
  /** Kills the deployment backend; resolves once it has exited. */
  killBackend(): Promise<void>;
  /** Restarts it like `npm run backend`; resolves once it listens. */
  startBackend(): Promise<void>;
  close(): Promise<void>;
}

/** Changes the properties of a resource in the template. */
export type Edit = (properties: Record<string, unknown>, type: string, logicalId: string) => void;

/** A limit that no test reaches. */
export const NO_RATE_LIMIT = {
  RATE_LIMIT: {
    windowSeconds: 60,
    anonymous: 1_000_000,
    key: 1_000_000,
    reads: 1_000_000,
    zips: 1_000_000,
  },
  BYTES_PER_DAY: { anonymous: 1e15, anonymousTogether: 1e15, key: 1e15 },
};

/**
 * Runs the suite's template with separate state.
 * @param variables environment variables of functions, to replace the configured ones
 * @param options of the cloud
 * @param edit changes other properties of the template
 */
export async function startVariant(
  variables: Readonly<Record<string, unknown>> = {},
  options: TestSettings = {},
  edit: Edit = () => {},
): Promise<Variant> {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-variant-'));
  const backendPort = await freePort();
  const settings = { port: await freePort(), backendPort, stateDir, configFile: '', ...options };
  const assembly = withVariables(variables);
  for (const [id, { Type, Properties = {} }] of Object.entries(assembly.template.Resources)) edit(Properties, Type, id);
  const running = await runAssembly(assembly, settings, () => {});
  let restarted: BackendProcess | undefined;
  const killBackend = () => (restarted ?? { kill: running.killBackend }).kill();
  const startBackend = async () => {
    const region = process.env.AWS_REGION ?? 'us-east-1';
    const { metrics } = running.cloudWatch;
    restarted = await BackendProcess.start(
      settings,
      region,
      () => {},
      (metric, value) => metrics.put(metric, value),
    );
  };
  const close = async () => {
    await restarted?.stop();
    await running.close();
    rmSync(stateDir, { recursive: true, force: true });
  };
  return { ...running, backendPort, stateDir, killBackend, startBackend, close };
}

/** Returns the suite's assembly with other environment variables of its functions. */
export function withVariables(variables: Readonly<Record<string, unknown>>): Assembly {
  const assembly = structuredClone(readAssembly(join(cloud().stateDir, 'cdk.out')));
  for (const { Properties = {} } of Object.values(assembly.template.Resources)) {
    const { Variables } = (Properties.Environment ?? {}) as { Variables?: Record<string, string> };
    for (const [name, value] of Object.entries(variables)) {
      if (Variables && name in Variables) Variables[name] = textOf(value);
    }
  }
  const { DEADLINES } = variables as {
    DEADLINES?: { readonly providerTimeoutSeconds: number; readonly taskTimeoutSeconds?: number };
  };
  if (DEADLINES === undefined) return assembly;
  return withTimeout(assembly, DEADLINES.taskTimeoutSeconds ?? DEADLINES.providerTimeoutSeconds);
}

/** Sets the timeout of the state machine, which is separate from the deadlines of its function. */
function withTimeout(assembly: Assembly, seconds: number): Assembly {
  const text = JSON.stringify(assembly).replace(/(?<=\\"TimeoutSeconds\\":)\d+/g, String(seconds));
  return JSON.parse(text) as Assembly;
}

/** Variables contain numbers and objects as JSON. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
