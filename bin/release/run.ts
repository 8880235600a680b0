import { spawn } from 'node:child_process';

/** Runs a program of the repository with Node, as a part of this terminal. @throws Error if it fails */
export async function run(file: string, argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [file, ...argv], { env, stdio: 'inherit' });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  const code = await promise;
  if (code !== 0) throw new Error(`${file} ${argv[0] ?? ''} failed`.trimEnd());
}

/** The CDK's command line. */
export const CDK = 'node_modules/aws-cdk/bin/cdk';
