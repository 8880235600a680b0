import { ApiError } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { type ApiKey, isValid, keyId } from './keys.ts';
import { viewerAddress } from './viewer-address.ts';

/** Whose limit a request counts against, and what it may do. */
export interface Caller {
  /** `address:<ip>` or `key:<id>`: what the limiter counts by and the log shows. */
  readonly id: string;
  /** Requests per window. */
  readonly limit: number;
  /** The key that the request carries, when it carries one. */
  readonly key?: ApiKey;
}

/** What identifies a caller: the parts of a request that say who sent it. */
export interface Credentials {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sourceIp: string;
}

export interface CallersPorts {
  readonly findKey: (id: string) => Promise<ApiKey | undefined>;
  readonly clock: Clock;
  readonly limits: { readonly anonymous: number; readonly key: number };
  /** Proves that a request came through our distribution. */
  readonly originSecret: string;
}

/** A key found in the table is good for this long, and so a revoked one is dead after it. */
const KEY_CACHE_MS = 60_000;
const CACHED_KEYS = 1_000;

/** Tells callers apart: by API key when the request carries one, by address otherwise. */
export class Callers {
  readonly #ports: CallersPorts;
  readonly #keys = new Map<string, { record: ApiKey; until: number }>();

  constructor(ports: CallersPorts) {
    this.#ports = ports;
  }

  /** The caller; with a credential that is not valid, the caller's address and the reason for the refusal. */
  async identify(request: Credentials): Promise<{ caller: Caller; refusal?: ApiError }> {
    const { limits, originSecret } = this.#ports;
    const anonymous = { id: `address:${viewerAddress(request, originSecret)}`, limit: limits.anonymous };
    const presented = credentialOf(request.headers);
    if (presented === undefined) return { caller: anonymous };
    const key = await this.#validKey(presented);
    if (!key) return { caller: anonymous, refusal: unauthorized('The API key is not valid') };
    return { caller: { id: `key:${key.id}`, limit: key.limit ?? limits.key, key } };
  }

  async #validKey(presented: string): Promise<ApiKey | undefined> {
    const id = keyId(presented);
    const record = id === undefined ? undefined : await this.#findKey(id);
    return record && isValid(record, presented) ? record : undefined;
  }

  async #findKey(id: string): Promise<ApiKey | undefined> {
    const now = this.#ports.clock();
    const cached = this.#keys.get(id);
    if (cached && cached.until > now) return cached.record;
    const record = await this.#ports.findKey(id);
    this.#keys.delete(id);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size >= CACHED_KEYS && oldest !== undefined) this.#keys.delete(oldest);
    if (record) this.#keys.set(id, { record, until: now + KEY_CACHE_MS });
    return record;
  }
}

/**
 * The key of a caller that has the scope.
 * @throws ApiError unauthorized without a key, forbidden without the scope
 */
export function requireScope(caller: Caller | undefined, scope: string): ApiKey {
  if (!caller?.key)
    throw unauthorized('This needs an API key: send it as X-API-Key or as Authorization: Bearer');
  if (caller.key.scopes.includes(scope)) return caller.key;
  throw new ApiError('forbidden', `The API key lacks the scope ${scope}`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

/** RFC 6750: a refused credential is told with a challenge. */
export function unauthorized(message: string): ApiError {
  return new ApiError('unauthorized', message, {
    headers: { 'WWW-Authenticate': 'Bearer realm="prompt-to-project"' },
  });
}

function credentialOf(headers: Readonly<Record<string, string>>): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return headers['x-api-key']?.trim();
  return /^bearer +(.+)$/i.exec(authorization.trim())?.[1] ?? authorization;
}
