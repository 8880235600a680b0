import { createServer, type IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import type { deploymentWebhook, generationWebhook } from '../../lambda/contract/responses/webhooks.ts';
import { serve } from './serve.ts';

type Notification = z.output<typeof generationWebhook> | z.output<typeof deploymentWebhook>;

/** A request to a receiver of webhooks. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly id: string;
  readonly text: string;
  readonly json: Notification;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Starts a receiver of webhooks on the loopback interface.
 * @param respond returns the status of a response, or the URL of a redirect; it gets the number of requests with the same id
 */
export async function startReceiver(respond: (received: Received, times: number) => number | string = () => 204) {
  const requests: Received[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const { headers, url = '' } = request;
    const received = { path: url, headers, id: String(headers['webhook-id']), text, json: JSON.parse(text) };
    requests.push(received);
    const answer = respond(received, requests.filter(({ id }) => id === received.id).length);
    if (typeof answer === 'string') response.writeHead(307, { location: answer }).end();
    else response.writeHead(answer).end();
  });
  const { url, port, close } = await serve(server);
  return {
    url,
    port,
    /** All requests so far. */
    requests,
    close,
  };
}
