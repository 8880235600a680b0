import type { Command } from 'commander';
import { askSecret, readAll } from '../../../terminal/ask.ts';
import { UsageError } from '../../../terminal/program.ts';
import type { Context } from '../context.ts';
import { credentialsPath, readCredentials, writeCredentials } from '../credentials.ts';

const KEY = /^ptp_([0-9A-Za-z]{12})_[0-9a-f]{48}_[0-9a-f]{8}$/;

/** `ptp login` and `ptp logout` */
export function register(program: Command, context: Context): void {
  program
    .command('login')
    .description('save an API key, for this base URL')
    .option('--key <->', 'read the key from stdin')
    .action(({ key }: { key?: string }) => login(key, context));
  program
    .command('logout')
    .description('delete the API key of this base URL')
    .action(() => logout(context));
}

async function login(option: string | undefined, context: Context): Promise<void> {
  if (option !== undefined && option !== '-')
    throw new UsageError(
      '--key takes only "-": a key in the command line is visible to others on this machine',
    );
  const url = context.baseUrl(null);
  const asks = option === undefined && context.isTerminal;
  const key = (asks ? await askSecret(`API key for ${url}`, context) : await readAll(context.stdin)).trim();
  const [, keyId] = KEY.exec(key) ?? [];
  if (keyId === undefined)
    throw new UsageError(key ? 'This is not an API key: expected ptp_…' : 'No key was given');
  const client = await context.client({ folder: null, key });
  await client.usage({ signal: context.signal });
  const { keys } = readCredentials(context.env);
  writeCredentials({ url, keys: { ...keys, [url]: key } }, context.env);
  context.say(`Logged in to ${url}. The key ${keyId} is saved in ${credentialsPath(context.env)}`);
  if (context.json) context.result({ url, keyId }, () => {});
}

function logout(context: Context): void {
  const url = context.baseUrl(null);
  const { [url]: key, ...keys } = readCredentials(context.env).keys;
  const others = Object.keys(keys);
  if (key !== undefined) writeCredentials({ keys, ...(others[0] && { url: others[0] }) }, context.env);
  context.say(key === undefined ? `There is no key for ${url}` : `The key for ${url} is deleted`);
  if (context.json) context.result({ url, deleted: key !== undefined }, () => {});
}
