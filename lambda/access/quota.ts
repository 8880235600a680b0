/** A caller's remaining rate limit in the current window. */
export interface Quota {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Whether the counted request is within the limit. */
  readonly allowed: boolean;
  readonly remaining: number;
  /** Unix milliseconds when the window ends. */
  readonly resetAt: number;
  /** Whole seconds until then, rounded up, at least 1. */
  readonly secondsLeft: number;
}

/** A fixed window: the time of its first request (Unix milliseconds), and the number of its requests. */
export interface Window {
  readonly start: number;
  readonly count: number;
}

/** Computes the quota that a window leaves of `limit` at the time `now`. */
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
