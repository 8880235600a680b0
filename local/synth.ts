import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Assembly, readAssembly } from './cloud/template/template.ts';
import { linkCached } from './synthesis-cache.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The file of a cloud assembly with the hash of the inputs that it was made of. */
const INPUTS_FILE = 'inputs.sha256';

const UNCHANGED = 'Using the stack of an earlier start, since no source has changed';

/** The cloud assemblies that all services of this checkout share. */
const SHARED_CACHE = join(ROOT, 'node_modules/.cache/synthesis');

/** Variables for `bin/app.ts`, besides the environment of this process. */
const VARIABLES = {
  // Validation takes half of the synthesis. `npm run synth`, deployments and `test/scenarios/infra/validation.test.ts` do it.
  CDK_VALIDATION: 'false',
  // Functions run on this machine, with the native packages that npm has installed for it.
  CDK_PLATFORM: 'this',
  // The region of the local cloud by default, where the stack may have a web ACL.
  CDK_DEFAULT_REGION: 'us-east-1',
  // Lets esbuild collect garbage less often: a quarter less processor time, for 150 MB.
  GOGC: '400',
};

interface SynthesisOptions {
  /** Absolute path of the configuration file. */
  readonly configFile: string;
  /** Absolute path of the folder of earlier cloud assemblies; that of this checkout by default. */
  readonly cache?: string | undefined;
  /** Receives every log line. */
  readonly log: (line: string) => void;
}

/**
 * Returns the cloud assembly of this repository: the one in `outDir`, or a copy of an earlier one, if it was made of
 * the same inputs. `npm run synth` and `npm run deploy` use neither.
 * @param outDir absolute path of the cloud assembly
 * @throws Error with the output of the CDK app when it fails
 */
export async function synthesize(
  outDir: string,
  { configFile, cache = sharedCache() ?? `${outDir}.cache`, log }: SynthesisOptions,
): Promise<Assembly> {
  const env = { ...process.env, ...VARIABLES };
  const hashWith = (config: string) => hashOfInputs(ROOT, { config, env, nodeVersion: process.version });
  const currentInputs = () => hashWith(readConfigFiles(configFile));
  const inputs = currentInputs();
  const inputsFile = join(outDir, INPUTS_FILE);
  if (existsSync(inputsFile) && readFileSync(inputsFile, 'utf8') === inputs) {
    log(UNCHANGED);
    return readAssembly(outDir);
  }
  let isNew = false;
  await linkCached(inputs, outDir, {
    folder: cache,
    async make(folder) {
      isNew = true;
      log('Synthesizing the stack …');
      const bundles = bundlesOf(hashWith(''), cache);
      await runApp(folder, configFile, { ...env, CDK_BUNDLES: bundles });
      if (currentInputs() === inputs) return;
      // Otherwise later starts with the earlier sources would get this result.
      rmSync(bundles, { recursive: true, force: true });
      throw new Error('A source has changed while the stack was synthesized: start again');
    },
    onWait: () => log('Waiting for another process that synthesizes the stack …'),
  });
  // Last: without it, an interrupted start links the files again.
  writeFileSync(inputsFile, inputs);
  if (!isNew) log(UNCHANGED);
  return readAssembly(outDir);
}

/** Returns the folder of the bundles of these sources, and removes those of others. */
function bundlesOf(sources: string, cache: string): string {
  const folder = `${cache}.bundles`;
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder))
    if (name !== sources) rmSync(join(folder, name), { recursive: true, force: true });
  return join(folder, sources);
}

/** Returns the content of a configuration file, with that of the list that it names. */
function readConfigFiles(configFile: string): string {
  const config = readFileSync(configFile, 'utf8');
  const [, list] = /"badUrls"\s*:\s*("[^"]*")/.exec(config) ?? [];
  const path = list && resolve(ROOT, JSON.parse(list) as string);
  return path && existsSync(path) ? config + readFileSync(path, 'utf8') : config;
}

/** Returns the cache of this checkout, or undefined if this user cannot write there. */
function sharedCache(): string | undefined {
  try {
    mkdirSync(SHARED_CACHE, { recursive: true });
    accessSync(SHARED_CACHE, constants.W_OK);
    return SHARED_CACHE;
  } catch {
    return undefined;
  }
}

async function runApp(outDir: string, configFile: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, ['bin/app.ts'], {
    cwd: ROOT,
    env: {
      ...env,
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
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`Cannot synthesize the stack:\n${output.trim()}`);
}

/** Returns the feature flags, which the CDK's command line would pass. */
function context(): unknown {
  const path = `${ROOT}cdk.json`;
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')).context ?? {}) : {};
}

/**
 * The files and folders that synthesis reads, relative to the repository: what `bin/app.ts` imports and bundles, and
 * what the CDK, esbuild and Node read beside it. npm keeps the second lock file for the packages that are installed.
 */
export const SYNTHESIS_INPUTS = [
  'bin',
  'blueprints',
  'client',
  'dist/client.d.ts',
  'dist/openapi.json',
  'lambda',
  'lib',
  'local/synth.ts',
  'web',
  'cdk.json',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
] as const;

/** The inputs of synthesis that are not files of the repository. */
export interface SynthesisSettings {
  /** The content of the configuration file. */
  readonly config: string;
  readonly env: NodeJS.ProcessEnv;
  readonly nodeVersion: string;
}

/** Returns a hash of everything that the result of synthesis depends on. @param root absolute path of the repository */
export function hashOfInputs(root: string, { config, env, nodeVersion }: SynthesisSettings): string {
  const hash = createHash('sha256');
  // With its length, so that no content can look like the beginning of the next input.
  const add = (name: string, content: string | Buffer) =>
    hash.update(JSON.stringify([name, content.length])).update(content);
  add('Node', nodeVersion);
  add('configuration', config);
  const variables = Object.entries(env).filter(([name]) => name.startsWith('CDK_'));
  add('environment', JSON.stringify(variables.toSorted()));
  for (const input of SYNTHESIS_INPUTS) {
    for (const path of filesOf(root, input)) add(path, readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

/** Returns the paths of a file, or of all files of a folder, in a fixed order; none if it does not exist. */
function filesOf(root: string, input: string): string[] {
  const path = join(root, input);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [input];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(input, name))
    .filter((name) => statSync(join(root, name)).isFile())
    .toSorted();
}
