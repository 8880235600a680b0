import middy from '@middy/core';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport as JsonTransport,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { invalid } from '../access/credential-errors.ts';
import { ORIGIN_SECRET_HEADER, VIEWER_ADDRESS_HEADER } from '../access/viewer-address.ts';
import { ApiError } from '../contract/errors.ts';
import { door } from '../http/admission.ts';
import { errorMapper } from '../http/error-responses.ts';
import { accessLog, responseHeaders } from '../http/pipeline.ts';
import { bufferedBody, proxyEvent } from '../http/proxy-event.ts';
import type { ApiRequest, ApiResponse } from '../http/request.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { mcpServer, refuseBatch } from './server.ts';
import { TOOLS } from './tools.ts';

const { API_URL, API_GATEWAY_DOOR } = readEnv({
  [ENV.apiUrl]: z.string(),
  [ENV.apiGatewayDoor]: json(z.boolean()),
});

/** The API checks the secret that it is passed: this function needs none, and has no permission to read its state. */
const NOT_CHECKED = {
  areSentWith: async ({ headers }: Pick<ApiRequest, 'headers'>) => headers[ORIGIN_SECRET_HEADER] !== undefined,
};

/** API Gateway waits 29 s for a function. */
const TIMES = { holdMs: 20_000, limitMs: 27_000 };

const ALLOW = { Allow: 'POST, OPTIONS', 'Access-Control-Allow-Methods': 'POST, OPTIONS' };
/** Every response is JSON in one piece, so the function does not insist that clients accept both types of the protocol. */
const ACCEPT = { accept: 'application/json, text/event-stream' };
/** The wildcard is for the headers of the protocol. It does not include the first one. */
const PREFLIGHT = { ...ALLOW, 'Access-Control-Allow-Headers': 'Authorization, *' };

/** Responds at `/mcp`. The API, which this function calls, identifies callers and counts their requests. */
export const handler = middy<ApiRequest, ApiResponse>()
  .use(proxyEvent(bufferedBody, async () => {}))
  .use(accessLog(Date.now))
  .use(responseHeaders())
  .use(errorMapper('unavailable'))
  .use(door({ apiGatewayDoor: API_GATEWAY_DOOR, originSecrets: NOT_CHECKED }))
  .handler(respond);

/**
 * Responds by a server for this request alone, with JSON in one piece.
 * @throws ApiError unauthorized if the API refused the credential, forbidden for the origin, method_not_allowed
 */
async function respond(request: ApiRequest): Promise<ApiResponse> {
  const { method, headers, rawBody } = request;
  if (method === 'OPTIONS') return { statusCode: 204, headers: PREFLIGHT };
  checkOrigin(headers.origin);
  if (method !== 'POST')
    throw new ApiError('method_not_allowed', '/mcp supports POST only, without sessions', { headers: ALLOW });
  const { access, refusal } = accessFor(request);
  const sent = new Request('https://mcp/', {
    method,
    headers: { ...headers, ...ACCEPT },
    body: new Uint8Array(rawBody()),
  });
  const batch = await refuseBatch(sent);
  if (batch) return batch;
  let response: Response;
  if (await isLegacyRequest(sent)) {
    const transport = new JsonTransport({ enableJsonResponse: true });
    await mcpServer(TOOLS, 'legacy', access).connect(transport);
    response = await transport.handleRequest(sent);
  } else {
    const modern = createMcpHandler(() => mcpServer(TOOLS, 'modern', access), { maxSubscriptions: 0 });
    response = await modern.fetch(sent);
  }
  const text = await response.text();
  if (refusal.error) throw refusal.error;
  return { statusCode: response.status, ...(text === '' ? {} : { body: JSON.parse(text) }) };
}

/**
 * Requires an origin that no DNS rebinding leads to (MCP, Streamable HTTP): that needs plain HTTP, since the names of a
 * certificate would differ. Pages of other origins may call the server, as they may call the API.
 */
function checkOrigin(origin: string | undefined): void {
  if (origin === undefined) return;
  const url = URL.parse(origin);
  if (url && (url.protocol !== 'http:' || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname))) return;
  throw new ApiError('forbidden', `The Origin ${origin} must use https, or http on localhost`);
}

/**
 * The headers of a request for the API: the caller's credential, and those by which the distribution vouches for the viewer's
 * address. A caller that sends them itself does not know the secret.
 */
const PASSED_ON = [ORIGIN_SECRET_HEADER, VIEWER_ADDRESS_HEADER, 'authorization', 'x-api-key'];

/** Returns how to call the API on behalf of a caller, and, after a call, how it refused the caller's credential, if it did. */
function accessFor(request: ApiRequest) {
  const refusal: { error?: ApiError } = {};
  const call: typeof fetch = async (input, init) => {
    // A redirect would take the secret elsewhere.
    const response = await fetch(input, { ...init, redirect: 'error' });
    // API Gateway's name for the WWW-Authenticate of a function.
    const challenge = response.headers.get('x-amzn-Remapped-WWW-Authenticate');
    if (response.status === 401 && challenge?.includes('invalid_token'))
      refusal.error = invalid(((await response.clone().json()) as { error: string }).error);
    return response;
  };
  const passed = PASSED_ON.flatMap((name) => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, value]];
  });
  const headers = Object.fromEntries(passed) as Record<string, string>;
  const credentialAdvice = 'Send it with every request of the MCP client';
  const access = { baseUrl: API_URL, fetch: call, userAgent: 'ptp-mcp', headers, ...TIMES, credentialAdvice };
  return { access, refusal };
}
