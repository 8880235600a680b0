import { setTimeout as sleep } from 'node:timers/promises';
import { main as keysCommand } from '../../cli/keys.ts';
import type { Budgets } from '../../lambda/access/budgets.ts';
import { costOf, type Price, type TokenUsage } from '../../lambda/contract/prices.ts';
import { newCaller, type TestResponse } from './cloud/client.ts';
import { operate } from './cloud/keys.ts';
import { noteIssued } from './cloud/tokens.ts';
import { NO_RATE_LIMIT, startVariant } from './cloud/variant.ts';
import { withinOneDay } from './one-day.ts';
import { startVendor } from './vendors/index.ts';

/** A tenth of a dollar for the longest answer. */
const PRICE: Price = { input: 1, output: 100 };
const MAX_OUTPUT_TOKENS = 1_000;
const ANSWER = '<file path="index.html">\n<!doctype html><title>Paid</title>\n</file>\n<done/>\n';

/** What each call takes, as the vendor counts it. */
const USED: TokenUsage = { input: 4_000, cachedInput: 0, cacheWrite: 0, output: 900, reasoning: 0 };

/** What a call costs, in US dollars. */
export const CALL_USD = costOf(USED, PRICE) / 1e6;

/**
 * Starts a stage whose `provider-a` costs money, on a vendor's server that answers every call after a moment.
 * @param free whether `provider-b` is free
 */
export async function startPaidStage(budgets: Budgets, { free = false } = {}) {
  await withinOneDay();
  const vendor = await startVendor('openai-compatible', [
    { wait: 300 },
    { text: ANSWER },
    { finish: 'complete', usage: USED },
  ]);
  const paid = {
    kind: 'openai-compatible',
    baseUrl: vendor.baseUrl,
    model: 'a-model',
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  };
  const providers = { 'provider-a': paid, ...(free && { 'provider-b': { kind: 'blueprint' } }) };
  const variant = await startVariant({
    ...NO_RATE_LIMIT,
    PROVIDERS: providers,
    RUNNING: { anonymous: 1_000, key: 1_000, service: 1_000 },
    PRICES: { 'a-model': PRICE },
    BUDGETS: budgets,
  });
  /** Asks for a generation, from an address of its own. */
  const generate = (key?: string): Promise<TestResponse> => {
    const headers = key === undefined ? undefined : { authorization: `Bearer ${key}` };
    return newCaller(variant.baseUrl).post('/api/v1/generate', { prompt: 'a page' }, headers);
  };
  return {
    ...variant,
    newKey: (...args: string[]) => issueKey(variant.stateDir, ...args),
    rotate: async (key: string) => print(variant.stateDir, 'rotate', key),
    generate,
    /** What the vendor has been paid, in US dollars. */
    spent: () => vendor.requests.length * CALL_USD,
    /** Generates until the API knows that the budget is spent, which takes up to ten seconds from the first denial. */
    spend: async (key?: string) => {
      while (isStarted(await generate(key))) await sleep(1_000);
    },
    close: () => Promise.all([variant.close(), vendor.close()]),
  };
}

/** Creates a key of a stage. */
export const issueKey = (stateDir: string, ...args: string[]) => print(stateDir, 'create', '--name', 'paid', ...args);

/** Runs a command that prints a key. */
async function print(stateDir: string, ...args: string[]): Promise<string> {
  return noteIssued((await operate(keysCommand, args, stateDir)).trimEnd());
}

/** Whether a generation was started, which may have been denied every call of a model. */
const isStarted = ({ headers }: TestResponse) => headers['x-generation-id'] !== undefined;

export type PaidStage = Awaited<ReturnType<typeof startPaidStage>>;
