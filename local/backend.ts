import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseArguments, runCommand } from '../cli/command.ts';
import type { Account } from './cloud/account.ts';
import { startBackend } from './cloud/backend-server.ts';
import { readSettings } from './settings.ts';

const USAGE = `npm run backend

Starts the deployment backend (S3 and DynamoDB) of a local service again, after it was stopped or killed.

Environment variables, with the values that npm start was given:
  BACKEND_PORT  port of S3 and DynamoDB, 3009 by default
  STATE_DIR     folder of the state, .local by default`;

async function readAccount(stateDir: string): Promise<Account> {
  const path = join(stateDir, 'account.json');
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new Error(`${path} cannot be read: run npm start first, it writes the file`, { cause: error });
  });
  return JSON.parse(text);
}

await runCommand(USAGE, {}, async ({ positionals }) => {
  refuseArguments(positionals);
  const settings = readSettings();
  const starting = readAccount(settings.stateDir).then((account) => startBackend(account, settings));
  const stop = async () => {
    await (await starting).close();
    process.exit(0);
  };
  // `npm start` holds an IPC channel: when it dies, however it dies, so does its backend.
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, stop);
  console.log(`backend ${(await starting).url}`);
});
if (process.exitCode) process.exit();
