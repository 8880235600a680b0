import * as z from 'zod';
import { Callers } from '../access/callers.ts';
import { KeyStore } from '../access/key-store.ts';
import { OriginSecrets } from '../access/origin-secrets.ts';
import { RateLimiter } from '../access/rate-limiter.ts';
import { StageState } from '../access/stage-state.ts';
import { tokenVerifier } from '../access/tokens.ts';
import { UsageStore } from '../access/usage-store.ts';
import { RATE_LIMIT } from '../contract/limits.ts';
import { oauthConfig } from '../contract/oauth.ts';
import { documentClient, QUICK } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import type { ApiPorts } from './pipeline.ts';
import { apiUrls } from './request.ts';

const rateLimitConfig = z.object({
  windowSeconds: z.number(),
  anonymous: z.number(),
  key: z.number(),
  reads: z.number().default(RATE_LIMIT.reads),
});

const bytesPerDay = z.object({ anonymous: z.number(), anonymousTogether: z.number(), key: z.number() });

/** Creates the ports that identify and count callers and build URLs, from the function's environment. */
export function callerPorts(db = documentClient(QUICK), clock = Date.now) {
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
  const callers = new Callers({
    findKey: (id) => keys.find(id),
    verifyToken: tokenVerifier(env.OAUTH, clock),
    clock,
    limits: env.RATE_LIMIT,
  });
  const { windowSeconds, reads } = env.RATE_LIMIT;
  const table = env.RATE_LIMITS_TABLE;
  const state = new StageState(db, table, clock);
  return {
    callers,
    counting: { db, table, clock },
    limiter: new RateLimiter({ db, table, clock, windowSeconds, reads }),
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

/** Creates the ports of an API handler's pipeline from the function's environment. */
export function apiPorts(db = documentClient(QUICK), clock = Date.now) {
  const env = readEnv({ [ENV.usageTable]: z.string() });
  const usage = new UsageStore(db, env.USAGE_TABLE);
  return { ...callerPorts(db, clock), usage } satisfies ApiPorts & Record<string, unknown>;
}
