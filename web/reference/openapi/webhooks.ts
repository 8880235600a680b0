import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import {
  dataWebhook,
  deploymentWebhook,
  generationWebhook,
} from '../../../lambda/contract/responses/webhooks.ts';
import { refTo } from './requests.ts';

const SENT = {
  generation: { body: generationWebhook, summary: 'A generation with a webhook has ended.' },
  deployment: { body: deploymentWebhook, summary: 'A deploy with a webhook was made.' },
  data: { body: dataWebhook, summary: 'A visitor added an item to the data of a site.' },
} as const;

const HEADERS = {
  'webhook-id': 'Id of the notification, the same in every attempt.',
  'webhook-timestamp': 'Unix time in seconds of the attempt.',
  'webhook-signature': 'Signatures by Standard Webhooks, separated by spaces.',
} as const;

/** The notifications that the service sends, for OpenAPI. */
export const webhooks = (): RouteConfig[] =>
  Object.entries(SENT).map(([path, { body, summary }]) => ({
    method: 'post',
    path,
    operationId: `${path}Webhook`,
    summary,
    security: [],
    parameters: Object.entries(HEADERS).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' as const },
    })),
    request: { body: { required: true, content: { 'application/json': { schema: refTo(body) } } } },
    responses: {
      '2XX': { description: 'The receiver has the notification.' },
      410: { description: 'The receiver does not want it: it is not sent again.' },
      default: { description: 'It is sent again, for about a day.' },
    },
  }));
