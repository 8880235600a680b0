import * as z from 'zod';
import { KeyStore } from '../access/key-store.ts';
import { StageState } from '../access/stage-state.ts';
import { CLIENT, documentClient } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { Identity, runCanary } from './run.ts';
import { canarySettings } from './settings.ts';
import { Service } from './steps.ts';

const env = readEnv({
  [ENV.baseUrl]: z.string(),
  [ENV.apiKeysTable]: z.string(),
  [ENV.rateLimitsTable]: z.string(),
  [ENV.canary]: json(canarySettings),
});
const db = documentClient(CLIENT);
const clock = Date.now;
const keys = new KeyStore(db, env.API_KEYS_TABLE);
const identity = new Identity((record) => keys.renew(record), clock);
const state = new StageState(db, env.RATE_LIMITS_TABLE, clock);
const stage = {
  service: new Service(env.BASE_URL, `prompt-to-project-canary (+${env.BASE_URL})`),
  key: () => identity.key(),
  isClosed: async (...closure: Parameters<StageState['closedUntil']>) =>
    (await state.closedUntil(...closure)) !== undefined,
  settings: env.CANARY,
  clock,
};

/** Uses the service as visitors and callers do; called every five minutes. */
export const handler = (): Promise<void> => runCanary(stage);
