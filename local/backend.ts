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
  const starting = readAccount(settings.stateDir).then((account) => startBackend(account, settings));
  const stop = async () => {
    await (await starting).close();
    process.exit(0);
  };
  // `npm start` holds an IPC channel: when it dies, however it dies, so does its backend.
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, stop);
  console.log(`backend ${(await starting).url}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
