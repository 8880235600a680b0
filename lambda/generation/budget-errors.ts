import type { Denial } from '../access/budgets.ts';
import { ApiError } from '../contract/errors.ts';

/** Returns why a call was denied and what to do, for callers. */
export function denialText({ limit: { scope }, isSpent, until }: Denial): string {
  return isSpent
    ? spentText(scope, until)
    : `Running generations have reserved the rest of ${budgetOf(scope)}`;
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
  const retryAfter = Math.max(1, Math.ceil((until - now) / 1000));
  return new ApiError('budget_spent', text, {
    headers: { 'Retry-After': String(retryAfter) },
    body: { retryAfter },
  });
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
