import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type ApiKey, keyCaller } from '../../lambda/access/api-key.ts';
import type { Budget } from '../../lambda/access/budgets.ts';
import { StageState } from '../../lambda/access/stage-state.ts';
import type { Table } from '../../terminal/table.ts';
import { timestamp } from '../../terminal/time.ts';
import type { Stage } from '../stage.ts';
import { type Limits, limitAt } from './table.ts';

const DAY_SECONDS = 86_400;
const MICRO = 1_000_000;
const CLOSED = 'closed#';

/** The end of what is closed until the operator opens it. */
export const UNTIL_OPENED = Number.MAX_SAFE_INTEGER;

/** Returns the table of closures, and of how much of the daily limits (UTC) is used. */
export async function todayTable(
  limits: Limits,
  keys: readonly ApiKey[],
  stage: Stage,
  now: number,
): Promise<Table> {
  const rows = [...(await closures(stage, now)), ...(await bytes(limits, stage, now))];
  return { header: ['TODAY', 'TAKEN', 'OF'], rows: [...rows, ...(await budgets(limits, keys, stage, now))] };
}

async function closures({ db, output }: Stage, now: number): Promise<string[][]> {
  const state = await new StageState(db, output('RateLimitsTable'), () => now).read();
  return Object.entries(state).flatMap(([name, until]) => {
    if (!name.startsWith(CLOSED) || typeof until !== 'number' || until <= now) return [];
    const end = until === UNTIL_OPENED ? 'until it is opened' : `until ${timestamp(until)}`;
    return [[name.slice(CLOSED.length), 'closed', end]];
  });
}

/** Instances share what they count in batches, so the number may be a little low. */
async function bytes(limits: Limits, { db, output }: Stage, now: number): Promise<string[][]> {
  const get = new GetCommand({ TableName: output('RateLimitsTable'), Key: { caller: '#anonymous' } });
  const { Item: item } = await db.send(get);
  const isToday = item?.bytesWindow === Math.floor(now / 1000 / DAY_SECONDS);
  const limit = limitAt(limits, 'bytesPerDay.anonymousTogether');
  return [['bytes/anonymous', number(isToday ? item.bytes : 0), number(limit)]];
}

async function budgets(
  limits: Limits,
  keys: readonly ApiKey[],
  { db, output }: Stage,
  now: number,
): Promise<string[][]> {
  const day = new Date(now).toISOString().slice(0, 10);
  const get = new GetCommand({ TableName: output('GenerationsTable'), Key: { id: `#budget-${day}` } });
  const counters = Object.entries((await db.send(get)).Item ?? {});
  return counters.flatMap(([name, taken]) => {
    const [, scope, unit] = /^(.+)\/(microUsd|tokens)$/.exec(name) ?? [];
    if (scope === undefined || typeof taken !== 'number') return [];
    const { usd, tokens } = budgetOf(scope, limits, keys);
    const row =
      unit === 'tokens'
        ? [number(taken), tokens === undefined ? 'none' : number(tokens)]
        : [dollars(taken / MICRO), usd === undefined ? 'none' : dollars(usd)];
    return [[`budget/${scope}`, ...row]];
  });
}

/** Returns the budget of a scope; that of a key is its own, if it has one. */
function budgetOf(scope: string, limits: Limits, keys: readonly ApiKey[]): Budget {
  const isShared = scope === 'anonymous' || scope === 'service';
  const own = isShared ? undefined : keys.find((key) => keyCaller(key) === scope && key.budget)?.budget;
  return own ?? ((limitAt(limits, `budgets.${isShared ? scope : 'key'}`) ?? {}) as Budget);
}

const dollars = (usd: number) => `$${usd.toFixed(2)}`;

const number = (value: unknown) => Number(value).toLocaleString('en');
