import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Assembly, readAssembly } from './cloud/template/template.ts';
import { hashOfInputs } from './synthesis-inputs.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The file of a cloud assembly with the hash of the inputs that it was made of. */
const INPUTS_FILE = 'inputs.sha256';

/**
 * Returns the cloud assembly of this repository: the one in `outDir` if it was made of the same inputs.
 * @param outDir absolute path of the cloud assembly
 * @throws Error with the output of the CDK app when it fails
 */
export async function synthesize(
  outDir: string,
  configFile: string,
  log: (line: string) => void,
): Promise<Assembly> {
  const config = readFileSync(configFile, 'utf8');
  const inputs = hashOfInputs(ROOT, { config, env: process.env, nodeVersion: process.version });
  const inputsFile = join(outDir, INPUTS_FILE);
  if (existsSync(inputsFile) && readFileSync(inputsFile, 'utf8') === inputs) {
    log('Using the stack of the last start, since no source has changed');
  } else {
    log('Synthesizing the stack …');
    await runApp(outDir, configFile);
    // Last: without it, an interrupted synthesis is repeated.
    writeFileSync(inputsFile, inputs);
  }
  return readAssembly(outDir);
}

async function runApp(outDir: string, configFile: string): Promise<void> {
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
}

/** Returns the feature flags, which the CDK's command line would pass. */
function context(): unknown {
  const path = `${ROOT}cdk.json`;
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')).context ?? {}) : {};
}
