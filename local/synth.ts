import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Assembly, readAssembly } from './cloud/template/template.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs the CDK app of this repository.
 * @param outDir absolute path of the cloud assembly
 * @throws Error with the output of the app when it fails
 */
export async function synthesize(outDir: string, configFile: string): Promise<Assembly> {
  // Otherwise old assets would accumulate.
  rmSync(outDir, { recursive: true, force: true });
  const child = spawn(process.execPath, ['bin/app.ts'], {
    cwd: ROOT,
    env: {
      ...process.env,
      CDK_OUTDIR: outDir,
      CONFIG_FILE: configFile,
      CDK_CONTEXT_JSON: JSON.stringify(context()),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  );
  if (code !== 0) throw new Error(`Cannot synthesize the stack:\n${output.trim()}`);
  return readAssembly(outDir);
}

/** Returns the feature flags, which the CDK's command line would pass. */
function context(): unknown {
  const path = `${ROOT}cdk.json`;
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')).context ?? {}) : {};
}
