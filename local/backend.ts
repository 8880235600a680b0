import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CommandIo, main as command } from '../terminal/program.ts';
import { readSettings } from '../terminal/settings.ts';
import type { BackendMessage } from './backend-process.ts';
import type { Account } from './cloud/account.ts';
import { startBackend } from './cloud/backend-server.ts';
import type { MetricName } from './cloud/cloudwatch/metrics.ts';

const NOTES = `
Environment variables, with the same values as for npm start:
  BACKEND_PORT  port of S3 and DynamoDB, 3009 by default
  STATE_DIR     folder of the state, .local by default`;

async function readAccount(stateDir: string): Promise<Account> {
  const path = join(stateDir, 'account.json');
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new Error(`Cannot read ${path}: run npm start first, which writes it`, { cause: error });
  });
  return JSON.parse(text);
}

/** Sends a message to `npm start`, if it started this process. */
function send(message: BackendMessage): void {
  // A callback receives the error of a parent that has ended, and this process ends then.
  process.send?.(message, undefined, undefined, () => {});
}

async function restart({ stdout, env }: CommandIo): Promise<void> {
  const settings = readSettings(env);
  // Set by tests; by default as on AWS.
  const restoreLagMs = env.RESTORE_LAG_MS === undefined ? undefined : Number(env.RESTORE_LAG_MS);
  const putMetric = (metric: MetricName, value: number) => send({ metric, value });
  const starting = readAccount(settings.stateDir).then((account) =>
    startBackend(account, { ...settings, restoreLagMs, putMetric }),
  );
  const stop = async () => {
    await (await starting).close();
    process.exit(0);
  };
  // `npm start` holds an IPC channel, which disconnects even if npm start is killed.
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, stop);
  stdout.write(`backend ${(await starting).url}\n`);
}

const main = command('npm run backend --', (program, io) => {
  program
    .description('Restarts the deployment backend (S3 and DynamoDB) of a local service after it was stopped or killed')
    .addHelpText('after', NOTES)
    .action(() => restart(io));
});
const exitCode = await main(process.argv.slice(2), process);
if (exitCode !== 0) process.exit(exitCode);
