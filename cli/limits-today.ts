import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { StageState } from '../lambda/access/stage-state.ts';
import type { Table } from '../terminal/table.ts';
import { timestamp } from '../terminal/time.ts';
import { type Limits, limitAt } from './limits-table.ts';
import type { Stage } from './stage.ts';

const DAY_SECONDS = 86_400;
const MICRO = 1_000_000;
const CLOSED = 'closed#';

/** Closed until somebody opens it. */
export const UNTIL_OPENED = Number.MAX_SAFE_INTEGER;

/** Returns the table of what is closed, and of what has been taken of the limits of the UTC day. */
export async function todayTable(limits: Limits, stage: Stage, now: number): Promise<Table> {
  const rows = [...(await closures(stage, now)), ...(await bytes(limits, stage, now))];
  return { header: ['TODAY', 'TAKEN', 'OF'], rows: [...rows, ...(await budgets(limits, stage, now))] };
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

async function budgets(limits: Limits, { db, output }: Stage, now: number): Promise<string[][]> {
  const day = new Date(now).toISOString().slice(0, 10);
  const get = new GetCommand({ TableName: output('GenerationsTable'), Key: { id: `#budget-${day}` } });
  const counters = Object.entries((await db.send(get)).Item ?? {});
  return counters.flatMap(([name, taken]) => {
    const [, scope, unit] = /^(.+)\/(microUsd|tokens)$/.exec(name) ?? [];
    if (scope === undefined || typeof taken !== 'number') return [];
    const payer = scope === 'anonymous' || scope === 'service' ? scope : 'key';
    const limit = limitAt(limits, `budgets.${payer}.${unit === 'tokens' ? 'tokens' : 'usd'}`);
    const amount = unit === 'tokens' ? number(taken) : `$${(taken / MICRO).toFixed(2)}`;
    return [[`budget/${scope}`, amount, typeof limit === 'number' ? number(limit) : 'none']];
  });
}

const number = (value: unknown) => Number(value).toLocaleString('en');
