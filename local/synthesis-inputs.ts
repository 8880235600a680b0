import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The files and folders that synthesis reads, relative to the repository: what `bin/app.ts` imports and bundles, and what
 * the CDK, esbuild and Node read beside it. npm keeps the second lock file for the packages that are installed.
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

/** What else the result depends on. */
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
