import * as z from 'zod';
import { type ApiError, retryError } from '../contract/errors.ts';

/** The consumption of calls of models: millionths of a US dollar, and tokens as the vendors count them. */
export interface Amounts {
  readonly microUsd: number;
  readonly tokens: number;
}

const budget = z.object({ usd: z.number().optional(), tokens: z.number().optional() });

/** The budgets of a stage, in the environment of a function. */
export const budgets = z.object({
  /** The budget that all callers without a credential share. */
  anonymous: budget.optional(),
  /** The budget of each key or token, unless the key has its own. */
  key: budget.optional(),
  /** The budget of all callers together. */
  service: budget.optional(),
});

/** The most that generations may take in a UTC day. A unit without a number is not limited. */
export type Budget = Readonly<z.output<typeof budget>>;
export type Budgets = Readonly<z.output<typeof budgets>>;

/** One number that calls of models must not exceed. */
export interface Limit {
  /** `anonymous`, `service`, or the id of a caller with a key or token. */
  readonly scope: string;
  readonly unit: keyof Amounts;
  /** The most in a UTC day, in the unit. */
  readonly most: number;
}

/** Why a reservation was denied. */
export interface Denial {
  readonly limit: Limit;
  /** The rest of the limit, without what running calls reserve. */
  readonly left: number;
  /** Whether there would be no room even if the running calls took nothing. */
  readonly isSpent: boolean;
  /** When another attempt makes sense, in Unix milliseconds: midnight UTC, or when a running call may have ended. */
  readonly until: number;
}

/** Returns the scope that pays for a generation: all callers without a credential share one. */
export const payerOf = (owner: string | undefined): string => owner ?? 'anonymous';

/** Returns the limits that apply to a payer, its own ones first. @param own the budget of its key, if that has one */
export function limitsOf(payer: string, own: Budget | undefined, budgets: Budgets): Limit[] {
  const budget = payer === 'anonymous' ? budgets.anonymous : (own ?? budgets.key);
  return [...limitsIn(payer, budget), ...limitsIn('service', budgets.service)];
}

function limitsIn(scope: string, { usd, tokens }: Budget = {}): Limit[] {
  const limits: Limit[] = [];
  if (usd !== undefined) limits.push({ scope, unit: 'microUsd', most: Math.round(usd * 1e6) });
  if (tokens !== undefined) limits.push({ scope, unit: 'tokens', most: tokens });
  return limits;
}

/** Returns why a call was denied and what to do, for callers. */
export function denialText({ limit: { scope }, isSpent, until }: Denial): string {
  return isSpent ? spentText(scope, until) : `Running generations have reserved the rest of ${budgetOf(scope)}`;
}

/**
 * Returns that a budget is spent, and what to do.
 * @param scope `anonymous`, `service`, or the id of a caller with a key or token
 * @param until Unix milliseconds
 */
export function spentText(scope: string, until: number): string {
  const time = new Date(until).toISOString().replace('.000', '');
  return `${capitalized(budgetOf(scope))} is spent until ${time}: ${ADVICE[kindOf(scope)]}`;
}

/** Returns the error for a generation that no budget pays for. @param until when to try again, in Unix milliseconds */
export function budgetSpentError(text: string, until: number, now: number): ApiError {
  return retryError('budget_spent', text, Math.max(1, Math.ceil((until - now) / 1000)));
}

type Kind = 'anonymous' | 'service' | 'own';

const kindOf = (scope: string): Kind => (scope === 'anonymous' || scope === 'service' ? scope : 'own');

const HOLDERS: Readonly<Record<Kind, string>> = {
  anonymous: 'the budget of all callers without an API key',
  service: 'the budget of the service',
  own: 'the budget of this API key or access token',
};

const ADVICE: Readonly<Record<Kind, string>> = {
  anonymous: 'send an API key, which has a budget of its own, or wait',
  service: 'wait, or ask the operator',
  own: 'ask the operator for a higher budget, or wait',
};

const budgetOf = (scope: string) => HOLDERS[kindOf(scope)];

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
