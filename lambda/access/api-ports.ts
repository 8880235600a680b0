import * as z from 'zod';
import type { ApiPorts } from '../http/pipeline.ts';
import { documentClient } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { Callers } from './callers.ts';
import { KeyStore } from './keys.ts';
import { RateLimiter } from './rate-limiter.ts';

const rateLimitConfig = z.object({ windowSeconds: z.number(), anonymous: z.number(), key: z.number() });

/** What the pipeline of every API handler is made of, from the function's environment. */
export function apiPorts(db = documentClient(), clock = Date.now) {
  const env = readEnv({
    [ENV.rateLimitsTable]: z.string(),
    [ENV.apiKeysTable]: z.string(),
    [ENV.originSecret]: z.string(),
    [ENV.rateLimit]: json(rateLimitConfig),
  });
  const keys = new KeyStore(db, env.API_KEYS_TABLE);
  const callers = new Callers({
    findKey: (id) => keys.find(id),
    clock,
    limits: env.RATE_LIMIT,
    originSecret: env.ORIGIN_SECRET,
  });
  const { windowSeconds } = env.RATE_LIMIT;
  const limiter = new RateLimiter({ db, table: env.RATE_LIMITS_TABLE, clock, windowSeconds });
  return { db, originSecret: env.ORIGIN_SECRET, callers, limiter, clock } satisfies ApiPorts &
    Record<string, unknown>;
}
