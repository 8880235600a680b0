import { type LookupAddress, lookup as resolveName } from 'node:dns';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPublicAddress, webhookUrlProblem } from '../platform/webhook-url.ts';

/** A receiver must respond within this time, including DNS and TLS. */
const TIMEOUT_MS = 15_000;
/** How much of a response is read before the connection is closed. */
const READ_BYTES = 65_536;

interface PostOptions {
  readonly allowPrivate: boolean;
  /** Default: that of the operating system. */
  readonly resolve?: typeof resolveName;
  readonly timeoutMs?: number;
}

/**
 * Sends JSON and returns the status. Redirects are not followed.
 * @throws Error if there is no response in time, or the URL or an address of its host is not allowed
 */
export async function post(
  target: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { allowPrivate, resolve = resolveName, timeoutMs = TIMEOUT_MS }: PostOptions,
): Promise<number> {
  const url = new URL(target);
  // No name is resolved for a literal address.
  const problem = webhookUrlProblem(url, allowPrivate);
  if (problem) throw new Error(`The URL ${problem}`);
  const signal = AbortSignal.timeout(timeoutMs);
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'prompt-to-project', ...headers },
    agent: false,
    ...(allowPrivate ? {} : { lookup: publicLookup(resolve) }),
    signal,
  });
  // After the response, an error only ends the reading.
  request.on('error', () => {});
  request.end(body);
  const [response] = (await once(request, 'response').catch((error: Error) => {
    throw signal.aborted ? new Error(`No response within ${timeoutMs / 1000} s`) : error;
  })) as [http.IncomingMessage];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += chunk.length;
      if (bytes > READ_BYTES) break;
    }
  } catch {}
  return response.statusCode ?? 0;
}

/**
 * Returns a lookup that fails unless all addresses of a name are public. Node connects to what it returns, so a name that
 * resolves differently the next time gains nothing.
 */
function publicLookup(resolve: typeof resolveName): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses = []) => {
      const [first] = addresses;
      if (error) callback(error, []);
      else if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
        callback(notPublic(hostname, addresses), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
}

function notPublic(hostname: string, addresses: readonly LookupAddress[]): Error {
  const list = addresses.map(({ address }) => address).join(', ');
  return new Error(`${hostname} must have public addresses only, not ${list || 'none'}`);
}
