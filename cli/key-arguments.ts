import { OPERATIONS, type Operation } from '../lambda/contract/operations.ts';
import { UsageError } from './command.ts';

/** Every scope that a key may have. */
export const SCOPES = [...new Set(Object.values<Operation>(OPERATIONS).flatMap(({ scope }) => scope ?? []))];

const KEY_OR_ID = /^(?:ptp_)?([0-9A-Za-z]{12})(?:_\w*)?$/;

/**
 * The id in what was typed: an id, or a key, whole or cut off.
 * @throws UsageError that shows nothing of anything else: it may be a secret
 */
export function idOfKey(text: string | undefined, command: string): string {
  const id = KEY_OR_ID.exec(text ?? '')?.[1];
  if (id !== undefined) return id;
  throw new UsageError(`${command} needs the ID of a key, as list shows it, or the key itself`);
}

/** The scopes in `--scopes a,b`; none for an empty text. @throws UsageError for one that does not exist */
export function knownScopes(text = ''): string[] {
  const scopes = [...new Set(text.split(/[\s,]+/))].filter((scope) => scope !== '');
  const unknown = scopes.find((scope) => !SCOPES.includes(scope));
  if (unknown === undefined) return scopes;
  throw new UsageError(`There is no scope ${unknown}, only ${SCOPES.join(', ')}`);
}

/** The requests per window in `--limit 500`. @throws UsageError for anything but a decimal number from 1 up */
export function requests(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count > 0 && Number.isSafeInteger(count)) return count;
  throw new UsageError('--limit is a number of requests, 1 or more');
}
