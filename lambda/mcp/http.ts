import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { invalid } from '../access/credential-errors.ts';
import { ORIGIN_SECRET_HEADER, VIEWER_ADDRESS_HEADER, viewerAddress } from '../access/viewer-address.ts';
import { ApiError } from '../contract/errors.ts';
import type { ApiRequest, ApiResponse } from '../http/request.ts';
import { mcpServer } from './server.ts';
import { TOOLS } from './tools.ts';

const ALLOW = { Allow: 'POST, OPTIONS' };
const PREFLIGHT = {
  'Access-Control-Allow-Methods': ALLOW.Allow,
  // The wildcard is for the headers of the protocol. It does not include this one.
  'Access-Control-Allow-Headers': 'Authorization, *',
};

/** API Gateway waits 29 s for a function. */
const TIMES = { holdMs: 20_000, limitMs: 27_000 };

/** More than fits into an event. */
const SIZE = { maxRequestBodySize: 10_485_760 };

/**
 * Responds to a request for `/mcp` by a server for this request alone, with JSON in one piece.
 * @param apiUrl URL of the API in API Gateway, with its stage
 * @throws ApiError unauthorized if the API refused the credential, forbidden for the origin, method_not_allowed
 */
export async function mcpResponse(
  request: ApiRequest,
  apiUrl: string,
  originSecret: string,
): Promise<ApiResponse> {
  const { method, headers } = request;
  if (method === 'OPTIONS') return { statusCode: 204, headers: { ...ALLOW, ...PREFLIGHT } };
  checkOrigin(headers.origin);
  if (method !== 'POST')
    throw new ApiError('method_not_allowed', '/mcp supports POST only, without sessions', { headers: ALLOW });
  const api = callsOf(request, apiUrl, originSecret);
  const serve = (era: 'legacy' | 'modern') => mcpServer({ tools: TOOLS, era, access: api.access });
  const body = new Uint8Array(request.rawBody());
  const sent = new Request('https://mcp/', { method, headers, body });
  const response = (await isLegacyRequest(sent, undefined, SIZE))
    ? await legacyResponse(serve('legacy'), sent)
    : await createMcpHandler(() => serve('modern'), { ...SIZE, maxSubscriptions: 0 }).fetch(sent);
  const text = await response.text();
  const refusal = api.refusal();
  if (refusal) throw refusal;
  return { statusCode: response.status, ...(text === '' ? {} : { body: JSON.parse(text) }) };
}

/** Serves clients of 2025, without a session. */
async function legacyResponse(server: ReturnType<typeof mcpServer>, sent: Request): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, ...SIZE });
  await server.connect(transport);
  return transport.handleRequest(sent);
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

/** Returns how to call the API on behalf of a caller, and how it refused the caller's credential, if it did. */
function callsOf(request: ApiRequest, baseUrl: string, originSecret: string) {
  const { authorization, 'x-api-key': key } = request.headers;
  let refusal: ApiError | undefined;
  const call: typeof fetch = async (input, init) => {
    // A redirect would take the secret elsewhere.
    const response = await fetch(input, { ...init, redirect: 'error' });
    // API Gateway's name for the WWW-Authenticate of a function.
    const challenge = response.headers.get('x-amzn-Remapped-WWW-Authenticate') ?? '';
    if (response.status === 401 && challenge.includes('invalid_token'))
      refusal = invalid(((await response.clone().json()) as { error: string }).error);
    return response;
  };
  const access = {
    ...{ baseUrl, fetch: call, userAgent: 'prompt-to-project-mcp' },
    ...TIMES,
    credentialAdvice: 'Send it with every request of the MCP client',
    headers: {
      [ORIGIN_SECRET_HEADER]: originSecret,
      [VIEWER_ADDRESS_HEADER]: viewerAddress(request, originSecret),
      ...(authorization === undefined ? {} : { authorization }),
      ...(key === undefined ? {} : { 'x-api-key': key }),
    },
  };
  return { access, refusal: () => refusal };
}
