import type * as z from 'zod';
import type { Caller } from '../access/callers.ts';
import { ApiError } from '../contract/errors.ts';
import type { Delivery } from '../contract/responses/webhooks.ts';
import type { webhook } from '../contract/webhooks.ts';
import { webhookPortProblem, webhookUrlProblem } from '../platform/webhook-url.ts';

/** Where to deliver a notification, and whose secret signs it. */
export type Receiver = Pick<Delivery, 'url' | 'owner'>;

/**
 * Returns the receiver that a request asks to notify, if it does.
 * @throws ApiError invalid_request without an API key, and for a URL that the stage does not allow
 */
export function acceptWebhook(
  sent: z.output<typeof webhook> | undefined,
  caller: Caller | undefined,
  allowPrivate: boolean,
): Receiver | undefined {
  if (sent === undefined) return undefined;
  if (caller?.credential?.kind !== 'key')
    throw new ApiError(
      'invalid_request',
      'webhook needs an API key, whose secret signs the notification: send one, or leave webhook out',
    );
  requireAllowed('webhook.url', sent.url, allowPrivate);
  return { url: sent.url, owner: caller.id };
}

/** @throws ApiError invalid_request for a URL that the stage does not allow */
export function requireAllowed(field: string, sent: string, allowPrivate: boolean): void {
  const url = new URL(sent);
  const problem = webhookUrlProblem(url, allowPrivate) ?? webhookPortProblem(url, allowPrivate);
  if (problem) throw new ApiError('invalid_request', `${field} ${problem}`);
}
