import { EXIT, runProcess } from '../../terminal/program.ts';
import { ptp } from './program.ts';

/** The time that a command has after Ctrl-C, such as to cancel a generation. */
const GRACE_MS = 1_000;

const controller = new AbortController();
process.on('SIGINT', () => {
  if (controller.signal.aborted) process.exit(EXIT.interrupted);
  controller.abort();
  setTimeout(() => process.exit(EXIT.interrupted), GRACE_MS).unref();
});
await runProcess(ptp(controller.signal));
