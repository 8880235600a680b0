/** What a caller has left of its rate limit in the window that is open. */
export interface Quota {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Whether the request that was counted is within the limit. */
  readonly allowed: boolean;
  readonly remaining: number;
  /** Unix milliseconds when the window ends. */
  readonly resetAt: number;
  /** Whole seconds until then, at least 1: who waits that long is let in. */
  readonly secondsLeft: number;
}

/** A fixed window: opened by a caller's first request (Unix milliseconds), with the requests counted in it. */
export interface Window {
  readonly start: number;
  readonly count: number;
}

/** The arithmetic of a window: what `count` requests since `start` leave of `limit` at the time `now`. */
export function quotaOf({ start, count }: Window, limit: number, windowSeconds: number, now: number): Quota {
  const resetAt = start + windowSeconds * 1000;
  return {
    limit,
    windowSeconds,
    allowed: count <= limit,
    remaining: Math.max(0, limit - count),
    resetAt,
    secondsLeft: Math.max(1, Math.ceil((resetAt - now) / 1000)),
  };
}
