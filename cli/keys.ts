import { KeyStore, keyHash, newKey } from '../lambda/access/keys.ts';
import { runCommand, UsageError } from './command.ts';
import { openStage } from './stage.ts';

const USAGE = `npm run keys -- create --name NAME [--scopes assets:write] [--limit REQUESTS]
npm run keys -- list
npm run keys -- revoke ID

Works on the local service; --stack NAME works on a stack in your AWS account.`;

/** The key itself is all that `create` prints on stdout, so that a script can take it. */
await runCommand(
  USAGE,
  { name: { type: 'string' }, scopes: { type: 'string' }, limit: { type: 'string' } },
  async ({ values, positionals: [command, id] }) => {
    switch (command) {
      case 'create':
        return create(await store(values.stack), values);
      case 'list':
        return list(await store(values.stack));
      case 'revoke':
        if (!id) throw new UsageError('revoke needs the ID of a key, as list shows it');
        return revoke(await store(values.stack), id);
      default:
        throw new UsageError(command ? `There is no command ${command}` : 'What should be done?');
    }
  },
);

async function store(stack: string | undefined): Promise<KeyStore> {
  const { db, output } = await openStage(stack);
  return new KeyStore(db, output('ApiKeysTable'));
}

async function create(
  keys: KeyStore,
  { name, scopes = '', limit }: { name?: string; scopes?: string; limit?: string },
) {
  if (!name) throw new UsageError('create needs --name, to know the key again');
  const requests = limit === undefined ? undefined : Number(limit);
  if (requests !== undefined && !(Number.isInteger(requests) && requests > 0)) {
    throw new UsageError('--limit is a number of requests, 1 or more');
  }
  const { id, key } = newKey();
  await keys.add({
    id,
    name,
    scopes: scopes.split(/[\s,]+/).filter((scope) => scope !== ''),
    ...(requests === undefined ? {} : { limit: requests }),
    hash: keyHash(key),
    createdAt: Date.now(),
  });
  console.error(`Key ${id} for ${name}. It is shown this once:`);
  console.log(key);
}

async function list(keys: KeyStore): Promise<void> {
  const rows = (await keys.list()).toSorted((a, b) => a.createdAt - b.createdAt);
  if (rows.length === 0) console.error('No keys yet');
  for (const { id, name, scopes, limit, createdAt, revokedAt } of rows) {
    const state = revokedAt ? `revoked ${new Date(revokedAt).toISOString()}` : 'valid';
    const created = new Date(createdAt).toISOString();
    console.log([id, name, scopes.join(',') || '-', limit ?? 'default', created, state].join('\t'));
  }
}

async function revoke(keys: KeyStore, id: string): Promise<void> {
  await keys.revoke(id, Date.now()).catch((error: Error) => {
    throw error.name === 'ConditionalCheckFailedException' ? new UsageError(`There is no key ${id}`) : error;
  });
  console.error(`Key ${id} is revoked; it stops working everywhere within 60 seconds`);
}
