import { createHmac } from 'node:crypto';
import type { Delivery } from '../contract/responses/webhooks.ts';
import type { Clock } from '../platform/clock.ts';
import { log, logAbout } from '../platform/log.ts';
import type { WebhookSecretStore } from './secret-store.ts';

/** `waiting` for the next attempt; `unwanted` if the receiver responded that it does not want notifications. */
type Status = 'waiting' | 'delivered' | 'unwanted' | 'failed';

export interface DeliveryState extends Delivery {
  /** How many attempts were made. */
  readonly attempts?: number;
  readonly status?: Status;
  readonly waitSeconds?: number;
}

/** The environment of a delivery. */
export interface DeliveryStage {
  readonly secrets: Pick<WebhookSecretStore, 'get'>;
  /** Sends JSON and returns the status. */
  readonly post: (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<number>;
  /** The pauses between attempts. */
  readonly retrySeconds: readonly number[];
  readonly baseUrl: string;
  readonly clock: Clock;
}

/** Makes one attempt to deliver a notification, and decides what follows. */
export async function deliver(state: DeliveryState, stage: DeliveryStage): Promise<DeliveryState> {
  const { id, url, owner, event, attempts = 0 } = state;
  logAbout({ webhook: id, [subjectOf(event)]: event.data.id });
  const data = { ...event.data, url: new URL(event.data.url, stage.baseUrl).href };
  const body = JSON.stringify({ ...event, data });
  const now = stage.clock();
  const headers = signedHeaders(id, body, await signingSecrets(owner, stage.secrets, now), now);
  // The path and the query may be secret.
  const about = { type: event.type, receiver: new URL(url).origin, attempt: attempts + 1 };
  const received = await stage.post(url, headers, body).catch((error: NodeJS.ErrnoException) => error);
  const pause = stage.retrySeconds[attempts];
  const status = statusAfter(received, pause);
  const wait = status === 'waiting' ? { waitSeconds: withJitter(pause) } : {};
  if (status === 'delivered') log.info('webhook delivered', about);
  else log.error('webhook not delivered', { ...about, status, ...wait, reason: reasonOf(received) });
  return { id, url, owner, event, attempts: attempts + 1, status, ...wait };
}

/** Returns the kind of resource that a notification is about. */
function subjectOf({ type }: DeliveryState['event']): 'generation' | 'deployment' {
  return type.startsWith('generation.') ? 'generation' : 'deployment';
}

/**
 * @param received the status of the response, or why there was none
 * @param pause the seconds until the next attempt; undefined after the last one
 */
function statusAfter(received: number | Error, pause: number | undefined): Status {
  if (typeof received === 'number' && received >= 200 && received < 300) return 'delivered';
  if (received === 410) return 'unwanted';
  return pause === undefined ? 'failed' : 'waiting';
}

async function signingSecrets(owner: string, secrets: DeliveryStage['secrets'], now: number): Promise<string[]> {
  const { secret, former, formerUntil = 0 } = await secrets.get(owner);
  return former !== undefined && formerUntil > now ? [secret, former] : [secret];
}

/** Returns the headers of Standard Webhooks, with a signature by each secret. */
function signedHeaders(id: string, body: string, secrets: readonly string[], now: number) {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** Spreads the retries of many notifications whose receiver failed at once. */
const withJitter = (seconds = 0) => Math.round(seconds * (1 + Math.random() / 5));

function reasonOf(received: number | NodeJS.ErrnoException): string {
  if (typeof received !== 'number') return `${received.code ?? received.name}: ${received.message}`;
  return received >= 300 && received < 400 ? `Status ${received}: redirects are not followed` : `Status ${received}`;
}
