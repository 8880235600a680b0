import { spawn } from 'node:child_process';

/** The CDK's command line. */
export const CDK = 'node_modules/aws-cdk/bin/cdk';

/** Runs a program of the repository with Node, in this terminal. @throws Error if it fails */
export async function run(file: string, argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [file, ...argv], { env, stdio: 'inherit' });
  await succeed(child, `${file} ${argv[0] ?? ''} failed`);
}

/** Runs a program, and shows its output only if it fails. @throws Error if it fails */
export async function runQuietly(
  file: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const child = spawn(process.execPath, [file, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
  try {
    await succeed(child, `${file} ${argv[0] ?? ''} failed`);
  } catch (error) {
    process.stderr.write(output.join(''));
    throw error;
  }
}

async function succeed(child: ReturnType<typeof spawn>, failure: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  if ((await promise) !== 0) throw new Error(failure.trimEnd());
}
