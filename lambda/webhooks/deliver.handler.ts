import * as z from 'zod';
import { documentClient } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { type DeliveryState, deliver } from './deliver.ts';
import { post } from './post.ts';
import { WebhookSecretStore } from './secret-store.ts';

const env = readEnv({
  [ENV.webhookSecretsTable]: z.string(),
  [ENV.webhookRetrySeconds]: json(z.array(z.number())),
  [ENV.allowPrivateWebhooks]: json(z.boolean()),
  [ENV.baseUrl]: z.string(),
});
const stage = {
  secrets: new WebhookSecretStore(documentClient(), env.WEBHOOK_SECRETS_TABLE),
  post: (url: string, headers: Readonly<Record<string, string>>, body: string) =>
    post(url, headers, body, { allowPrivate: env.ALLOW_PRIVATE_WEBHOOKS }),
  retrySeconds: env.WEBHOOK_RETRY_SECONDS,
  baseUrl: env.BASE_URL,
  clock: Date.now,
};

/** Makes one attempt to deliver a notification; called by the state machine. */
export const handler = (state: DeliveryState) => deliver(state, stage);
