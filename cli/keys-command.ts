import { command, refuseArguments, UsageError } from './command.ts';
import { create, list, revoke, rotate, usage } from './key-actions.ts';
import { KEY_OPTIONS, type KeyAction, SCOPES } from './key-arguments.ts';

const USAGE = `npm run --silent keys -- create --name NAME [--scopes ${SCOPES}] [--limit REQUESTS] [--expires 90d|2027-01-31]
npm run keys -- list
npm run keys -- revoke ID
npm run --silent keys -- rotate ID [--grace 24h]
npm run keys -- usage ID [--from 2026-11-01] [--to 2026-11-21]

create and rotate print the new key, and nothing else, on stdout; without --silent, npm adds lines of its own.
rotate creates a key with the same owner, name, scopes, limit and lifetime; the old key keeps working for the grace time.
A revoked key cannot be restored. usage counts the calls of all keys of a rotation, in the last 30 days (UTC) by default.
ID can also be the key itself.

The commands use the local service, or with --stack NAME a stack in your AWS account.`;

interface Subcommand {
  /** The options that it supports, beside those of every subcommand. */
  readonly options: readonly string[];
  /** How many keys it takes as arguments. */
  readonly keys: 0 | 1;
  readonly perform: KeyAction;
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  create: { options: ['name', 'scopes', 'limit', 'expires'], keys: 0, perform: create },
  list: { options: [], keys: 0, perform: list },
  revoke: { options: [], keys: 1, perform: revoke },
  rotate: { options: ['grace'], keys: 1, perform: rotate },
  usage: { options: ['from', 'to'], keys: 1, perform: usage },
};

/** `npm run keys` */
export const main = command(USAGE, KEY_OPTIONS, async ({ values, positionals: [name, ...args] }, io) => {
  const names = Object.keys(SUBCOMMANDS).join(', ');
  if (name === undefined) throw new UsageError(`Missing command: one of ${names}`);
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (!subcommand) throw new UsageError(`Unknown command ${name}: the commands are ${names}`);
  const { stack, ...options } = values;
  const unsupported = Object.keys(options).find((option) => !subcommand.options.includes(option));
  if (unsupported !== undefined) throw new UsageError(`${name} does not support --${unsupported}`);
  refuseArguments(args.slice(subcommand.keys));
  await subcommand.perform(values, args[0], io);
});
