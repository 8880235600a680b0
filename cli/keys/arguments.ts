import type { Budget } from '../../lambda/access/budgets.ts';
import type { Period } from '../../lambda/contract/days.ts';
import { ApiError } from '../../lambda/contract/errors.ts';
import { OPERATIONS, type Operation } from '../../lambda/contract/operations.ts';
import { usageQuery } from '../../lambda/contract/usage.ts';
import { checkedQuery } from '../../lambda/http/input.ts';
import { usagePeriod } from '../../lambda/usage/usage-report.ts';
import { type CommandIo, UsageError } from '../../terminal/program.ts';

/** The options of all `npm run keys` commands. */
export interface KeyOptions {
  readonly name?: string;
  readonly scopes?: string;
  readonly limit?: string;
  readonly budget?: string;
  readonly expires?: string;
  readonly grace?: string;
  readonly rotate?: boolean;
  readonly from?: string;
  readonly to?: string;
  readonly stack?: string;
}

/** A subcommand, with the key that is its argument. */
export type KeyAction = (options: KeyOptions, key: string | undefined, io: CommandIo) => Promise<void>;

/** Every scope that a key can have. */
export const SCOPES = [...new Set(Object.values<Operation>(OPERATIONS).flatMap(({ scope }) => scope ?? []))];

const KEY_OR_ID = /^(?:ptp_)?([0-9A-Za-z]{12})(?:_\w*)?$/;

/**
 * Returns the id in an argument: an id, a key, or the beginning of one.
 * @throws UsageError without the argument, which may contain a secret
 */
export function idOfKey(text: string | undefined, command: string): string {
  const id = KEY_OR_ID.exec(text ?? '')?.[1];
  if (id !== undefined) return id;
  throw new UsageError(`${command} needs the ID of a key, as list shows it, or the key itself`);
}

/** Returns the scopes in `--scopes a,b`. @throws UsageError for an unknown scope */
export function knownScopes(text = ''): string[] {
  const scopes = [...new Set(text.split(/[\s,]+/))].filter((scope) => scope !== '');
  const unknown = scopes.find((scope) => !SCOPES.includes(scope));
  if (unknown === undefined) return scopes;
  throw new UsageError(`Unknown scope ${unknown}: the scopes are ${SCOPES.join(', ')}`);
}

/** Returns the requests per window in `--limit 500`. @throws UsageError unless it is a decimal number from 1 */
export function requests(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count > 0 && Number.isSafeInteger(count)) return count;
  throw new UsageError(`Invalid --limit "${text}": expected a number of requests, 1 or more`);
}

const BUDGET = /^(?:(?<tokens>\d{1,15}) ?tokens|\$?(?<usd>\d{1,9}(?:\.\d{1,6})?))$/;

/** Returns the budget in `--budget 5`, US dollars a day, or `--budget 2000000tokens`. @throws UsageError for anything else */
export function dailyBudget(text: string): Budget {
  const { tokens, usd } = BUDGET.exec(text.trim())?.groups ?? {};
  if (tokens !== undefined) return { tokens: Number(tokens) };
  if (usd !== undefined) return { usd: Number(usd) };
  throw new UsageError(
    `Invalid --budget "${text}": expected US dollars a day such as 5 or 0.50, or tokens a day such as 2000000tokens`,
  );
}

/** Returns a budget as `list` shows it, such as `$5.00`. */
export function budgetText({ usd, tokens }: Budget = {}): string {
  if (usd !== undefined) return `$${usd.toFixed(2)}`;
  return tokens === undefined ? 'default' : `${tokens} tokens`;
}

/** Returns the period of `--from` and `--to`. @throws UsageError for an invalid day or period */
export function period({ from, to }: KeyOptions, now: number): Period {
  const query = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  try {
    return usagePeriod(checkedQuery({ query }, usageQuery), now);
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(error.message) : error;
  }
}
