import type { Main } from '../../terminal/program.ts';

/** Runs a command in this process. Returns its exit code and its output. */
export async function runMain(main: Main, args: readonly string[], variables: Record<string, string>) {
  const printed = { stdout: '', stderr: '' };
  const output = (name: keyof typeof printed) => ({
    write(text: string) {
      printed[name] += text;
    },
  });
  const env = { ...process.env, ...variables };
  const code = await main(args, { stdout: output('stdout'), stderr: output('stderr'), env });
  return { code, ...printed };
}
