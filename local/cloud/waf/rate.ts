import type { HttpRequest } from '../http.ts';
import { matches } from './condition.ts';
import type { RateBased } from './properties.ts';

/** A part of the window whose requests are counted together. */
const SLICE_MS = 10_000;

interface Slice {
  readonly beginsAt: number;
  count: number;
}

/**
 * Counts the requests of each address in the last seconds. AWS WAF checks its counts every few seconds, so that more requests pass
 * before it blocks; this one blocks the first request above the limit.
 * https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based.html
 */
export class Rate {
  private readonly statement: RateBased;
  private readonly slices = new Map<string, Slice[]>();

  constructor(statement: RateBased) {
    this.statement = statement;
  }

  /** Counts a request if the rule is about it, and returns whether its address is above the limit. */
  exceeds(request: HttpRequest, now = Date.now()): boolean {
    const { ScopeDownStatement, EvaluationWindowSec, Limit } = this.statement;
    if (ScopeDownStatement && !matches(ScopeDownStatement, request)) return false;
    const begin = now - EvaluationWindowSec * 1000;
    const slices = (this.slices.get(request.peerIp) ?? []).filter(({ beginsAt }) => beginsAt > begin);
    const last = slices.at(-1);
    if (last && now - last.beginsAt < SLICE_MS) last.count += 1;
    else slices.push({ beginsAt: now, count: 1 });
    this.slices.set(request.peerIp, slices);
    return slices.reduce((sum, { count }) => sum + count, 0) > Limit;
  }
}
