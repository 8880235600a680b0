import type { Main } from './program.ts';

/** Runs a command as this process. A reader that closes its end of a pipe ends the process quietly. */
export async function runProcess(command: Main): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (stream === process.stdout) process.exit();
    });
  process.exitCode = await command(process.argv.slice(2), process);
}
