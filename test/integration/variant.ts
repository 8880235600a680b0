import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAssembly } from '../../local/cloud.ts';
import { type Assembly, readAssembly } from '../../local/template/template.ts';
import { cloud } from './cloud.ts';
import { freePort } from './free-port.ts';

/** A cloud of its own for a test that needs another configuration, or breaks something. */
export interface Variant {
  readonly baseUrl: string;
  readonly backendPort: number;
  readonly stateDir: string;
  close(): Promise<void>;
}

/**
 * Runs the suite's own template with a state of its own.
 * @param variables environment variables of functions, as another configuration would have set them
 */
export async function startVariant(variables: Readonly<Record<string, unknown>> = {}): Promise<Variant> {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-variant-'));
  const backendPort = await freePort();
  const settings = { port: await freePort(), backendPort, stateDir, configFile: '' };
  const running = await runAssembly(withVariables(variables), settings, () => {});
  const close = async () => {
    await running.close();
    rmSync(stateDir, { recursive: true, force: true });
  };
  return { baseUrl: running.baseUrl, backendPort, stateDir, close };
}

function withVariables(variables: Readonly<Record<string, unknown>>): Assembly {
  const assembly = structuredClone(readAssembly(join(cloud().stateDir, 'cdk.out')));
  for (const { Properties = {} } of Object.values(assembly.template.Resources)) {
    const { Variables } = (Properties.Environment ?? {}) as { Variables?: Record<string, string> };
    for (const [name, value] of Object.entries(variables)) {
      if (Variables && name in Variables) Variables[name] = JSON.stringify(value);
    }
  }
  return assembly;
}
