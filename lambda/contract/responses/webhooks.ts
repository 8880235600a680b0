import * as z from 'zod';
import { deployResponse, versionResource } from './deploy.ts';
import { generationResource } from './generate.ts';

const timestamp = z.iso.datetime().describe('When it happened.');

/** Body of the notification of a generation. */
export const generationWebhook = z.strictObject({
  type: z
    .enum([
      'generation.succeeded',
      'generation.incomplete',
      'generation.failed',
      'generation.timed_out',
      'generation.canceled',
    ])
    .describe('What happened.'),
  timestamp,
  data: z
    .strictObject({
      ...generationResource.pick({ id: true, status: true, deployment: true, deploymentError: true }).shape,
      url: z.string().describe('URL of the generation.'),
    })
    .describe('The generation, without its files.'),
});

/** Body of the notification of a deploy. */
export const deploymentWebhook = z.strictObject({
  type: z.enum(['deployment.created', 'deployment.updated']).describe('What happened.'),
  timestamp,
  data: deployResponse
    .extend(versionResource.pick({ version: true }).shape)
    .describe('The response of the deploy, and its version.'),
});

/** Body of the notification of an item in the data of a site. */
export const dataWebhook = z.strictObject({
  type: z.literal('data.created').describe('What happened.'),
  timestamp,
  data: z
    .strictObject({
      id: deployResponse.shape.id,
      collection: z.string().describe('Name of the collection.'),
      item: z.string().describe('Id of the item.'),
      url: z.string().describe('URL of the item in this API, for its owner.'),
    })
    .describe('Where the item is. Its fields are not part of the notification: retrieve them from `url`.'),
});

type WebhookEvent =
  | z.output<typeof generationWebhook>
  | z.output<typeof deploymentWebhook>
  | z.output<typeof dataWebhook>;

/** A notification to deliver: the input of the state machine of deliveries. */
export interface Delivery {
  /** Id of the notification and name of its execution. */
  readonly id: string;
  readonly url: string;
  /** The caller whose secret signs it. */
  readonly owner: string;
  /** The URL in its data may be a path under the base URL of the service. */
  readonly event: WebhookEvent;
}
