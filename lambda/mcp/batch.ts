import type { ApiResponse } from '../http/request.ts';

const INVALID_REQUEST = -32_600;

/**
 * Returns the response to a batch, or undefined for a single message. Each message of a batch can be a call with requests of its
 * own to the API, but limits in front of this function count it as one. Revisions of the protocol since 2025-06-18 have none.
 */
export async function refuseBatch(request: Request): Promise<ApiResponse | undefined> {
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  if (!Array.isArray(body)) return undefined;
  const message = 'JSON-RPC batches are not supported: send each message in a request of its own';
  return { statusCode: 400, body: { jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message } } };
}
