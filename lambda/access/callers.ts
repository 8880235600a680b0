import { ApiError } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { type ApiKey, keyCaller, keyId, verdictOn } from './api-key.ts';
import { invalid, unauthorized } from './credential-errors.ts';
import type { TokenVerifier } from './verified-token.ts';
import { CHALLENGE, viewerAddress } from './viewer-address.ts';

/** Whose limit a request counts against, and what it may do. */
export interface Caller {
  /**
   * `address:<ip>`, `key:<owner>` or `token:<hash of its subject>`: what the limiter counts by, the log shows, and what
   * is made belongs to.
   */
  readonly id: string;
  /** Requests per window. */
  readonly limit: number;
  /** Absent for who is known by address only. */
  readonly credential?: { readonly kind: 'key' | 'token'; readonly scopes: readonly string[] };
}

/** What identifies a caller: the parts of a request that say who sent it. */
export interface Credentials {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sourceIp: string;
}

export interface CallersPorts {
  readonly findKey: (id: string) => Promise<ApiKey | undefined>;
  readonly verifyToken: TokenVerifier;
  readonly clock: Clock;
  readonly limits: { readonly anonymous: number; readonly key: number };
  /** Proves that a request came through our distribution. */
  readonly originSecret: string;
}

/** A key found in the table is good for this long, and so a revoked one is dead after it. */
const KEY_CACHE_MS = 60_000;
const CACHED_KEYS = 1_000;

const VERDICTS = {
  wrong: 'The API key is not valid',
  revoked: 'The API key was revoked',
  expired: 'The API key has expired',
} as const;

/** Tells callers apart: by API key or access token when the request carries one, by address otherwise. */
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
    try {
      return { caller: (await this.#authenticated(request.headers)) ?? anonymous };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { caller: anonymous, refusal: error };
    }
  }

  async #authenticated(headers: Credentials['headers']): Promise<Caller | undefined> {
    const presented = presentedCredential(headers);
    if (presented === undefined) return undefined;
    return presented.startsWith('ptp_') ? this.#byKey(presented) : this.#byToken(presented);
  }

  async #byKey(presented: string): Promise<Caller> {
    const id = keyId(presented);
    if (id === undefined)
      throw invalid(
        'The API key is mistyped or cut off: it is ptp_<id>_<secret>_<checksum>, and the checksum is wrong',
      );
    const record = await this.#findKey(id);
    const verdict = record ? verdictOn(record, presented, this.#ports.clock()) : 'wrong';
    if (!record || verdict !== 'valid') throw invalid(VERDICTS[verdict === 'valid' ? 'wrong' : verdict]);
    const { limit = this.#ports.limits.key, scopes } = record;
    return { id: keyCaller(record), limit, credential: { kind: 'key', scopes } };
  }

  async #byToken(presented: string): Promise<Caller> {
    const { id, scopes } = await this.#ports.verifyToken(presented);
    return { id, limit: this.#ports.limits.key, credential: { kind: 'token', scopes } };
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
 * The one credential of a request. A proxy's own `Authorization` of another scheme is none when there is an `X-API-Key`.
 * @throws ApiError unauthorized for what is no credential, invalid_request for two (RFC 6750, 2)
 */
function presentedCredential({ authorization, ...headers }: Credentials['headers']): string | undefined {
  const key = headers['x-api-key']?.trim();
  const bearer = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (key === undefined) {
    if (authorization === undefined || bearer !== undefined) return bearer;
    const hint = authorization.trim().startsWith('ptp_') ? ': put Bearer before the key' : ', nothing else';
    throw invalid(`Authorization must be "Bearer" and an API key or an access token${hint}`);
  }
  if (!key.startsWith('ptp_'))
    throw invalid(
      'X-API-Key must be an API key, which begins with ptp_; an access token goes into Authorization: Bearer',
    );
  if (bearer !== undefined && bearer !== key)
    throw new ApiError('invalid_request', 'Authorization and X-API-Key differ: send one credential');
  return key;
}

/**
 * The caller, when its credential has the scope.
 * @throws ApiError unauthorized without a credential, forbidden without the scope
 */
export function requireScope(caller: Caller | undefined, scope: string): Caller {
  if (!caller?.credential)
    throw unauthorized(
      'This needs an API key or an access token: send it as Authorization: Bearer, a key also as X-API-Key',
    );
  if (caller.credential.scopes.includes(scope)) return caller;
  const what = caller.credential.kind === 'key' ? 'API key' : 'access token';
  throw new ApiError('forbidden', `The ${what} lacks the scope ${scope}`, {
    headers: { 'WWW-Authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` },
  });
}
