import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { startBackend } from './backend-server.ts';
import { readSettings } from './settings.ts';

async function readAccount(stateDir: string): Promise<Account> {
  const path = join(stateDir, 'account.json');
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new Error(`${path} cannot be read: run npm start first, it writes the file`, { cause: error });
  });
  return JSON.parse(text);
}

try {
  const settings = readSettings();
  const backend = await startBackend(await readAccount(settings.stateDir), settings);
  console.log(`backend ${backend.url}`);

  const stop = async () => {
    await backend.close();
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // `npm start` holds an IPC channel: when it dies, however it dies, so does its backend.
  process.once('disconnect', stop);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
