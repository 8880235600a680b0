import * as z from 'zod';
import { Callers, tokenVerifier } from '../access/callers.ts';
import { KeyStore } from '../access/key-store.ts';
import { OriginSecrets } from '../access/origin-secrets.ts';
import { RateLimiter } from '../access/rate-limiter.ts';
import { StageState } from '../access/stage-state.ts';
import { UsageStore } from '../access/usage-store.ts';
import { RATE_LIMIT } from '../contract/limits.ts';
import { oauthConfig } from '../contract/oauth.ts';
import { documentClient, QUICK } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { apiUrls } from './request.ts';

const rateLimitConfig = z.object({
  windowSeconds: z.number(),
  anonymous: z.number(),
  key: z.number(),
  reads: z.number().default(RATE_LIMIT.reads),
});

const bytesPerDay = z.object({ anonymous: z.number(), anonymousTogether: z.number(), key: z.number() });

/** Creates what identifies and counts callers and builds URLs, from the function's environment. */
export function callerAccess(db = documentClient(QUICK), clock = Date.now) {
  const env = readEnv({
    [ENV.rateLimitsTable]: z.string(),
    [ENV.apiKeysTable]: z.string(),
    [ENV.originSecret]: z.string(),
    [ENV.baseUrl]: z.string(),
    [ENV.rateLimit]: json(rateLimitConfig),
    [ENV.bytesPerDay]: json(bytesPerDay),
    [ENV.apiGatewayDoor]: json(z.boolean()),
    [ENV.oauth]: json(oauthConfig).optional(),
  });
  const keys = new KeyStore(db, env.API_KEYS_TABLE);
  const { windowSeconds, reads } = env.RATE_LIMIT;
  const counting = { db, table: env.RATE_LIMITS_TABLE, clock };
  const state = new StageState(db, env.RATE_LIMITS_TABLE, clock);
  return {
    callers: new Callers((id) => keys.find(id), tokenVerifier(env.OAUTH, clock), env.RATE_LIMIT, clock),
    counting,
    limiter: new RateLimiter(counting, { windowSeconds, reads }),
    closures: state,
    bytesPerDay: env.BYTES_PER_DAY,
    apiGatewayDoor: env.API_GATEWAY_DOOR,
    originSecrets: new OriginSecrets(env.ORIGIN_SECRET, state),
    cursorSecret: env.ORIGIN_SECRET,
    baseUrl: env.BASE_URL,
    apiUrl: apiUrls(env.BASE_URL),
    clock,
  };
}

/** Creates what the pipeline of an API handler uses, from the function's environment. */
export function apiAccess(db = documentClient(QUICK), clock = Date.now) {
  const env = readEnv({ [ENV.usageTable]: z.string() });
  const usage = new UsageStore(db, env.USAGE_TABLE);
  return { ...callerAccess(db, clock), usage };
}

export type CallerAccess = ReturnType<typeof callerAccess>;
export type ApiAccess = ReturnType<typeof apiAccess>;
