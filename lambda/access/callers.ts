import { ApiError } from '../contract/errors.ts';
import type { OAuthConfig } from '../contract/oauth.ts';
import type { Clock } from '../platform/clock.ts';
import { RecentlyUsed } from '../platform/recently-used.ts';
import type { TokenVerifier } from './access-token.ts';
import { type ApiKey, keyCaller, keyId, verdictOn } from './api-key.ts';
import type { Budget } from './budgets.ts';
import { invalid, unauthorizedError } from './credential-errors.ts';
import { CHALLENGE, viewerAddress } from './viewer-address.ts';

/** The sender of a request, with its rate limit and rights. */
export interface Caller {
  /**
   * `address:<ip>`, `key:<owner>` or `token:<hash of its subject>`: identifies the caller in the rate limiter, the log,
   * and as the owner of data.
   */
  readonly id: string;
  /** Requests per window. */
  readonly limit: number;
  /** The budget of its generations in a UTC day, if its key has its own. */
  readonly budget?: Budget | undefined;
  /** Absent for anonymous callers. */
  readonly credential?: { readonly kind: 'key' | 'token'; readonly scopes: readonly string[] };
}

/** The parts of a request that identify its caller. */
interface Credentials {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sourceIp: string;
  /** True if the request came through our distribution, whose viewer address is trusted. */
  readonly throughDistribution?: boolean;
}

type FindKey = (id: string) => Promise<ApiKey | undefined>;

/** A revoked key works for at most this long. */
const KEY_CACHE_MS = 60_000;
const CACHED_KEYS = 1_000;

const VERDICTS = {
  wrong: 'The API key is not valid',
  revoked: 'The API key was revoked',
  expired: 'The API key has expired',
} as const;

/** Identifies callers by API key or access token, and by address without one. */
export class Callers {
  readonly #loadKey: FindKey;
  readonly #verifyToken: TokenVerifier;
  readonly #limits: { readonly anonymous: number; readonly key: number };
  readonly #clock: Clock;
  readonly #keys = new RecentlyUsed<{ record: ApiKey; until: number }>(CACHED_KEYS);

  /** @param limits requests per window */
  constructor(
    loadKey: FindKey,
    verifyToken: TokenVerifier,
    limits: { readonly anonymous: number; readonly key: number },
    clock: Clock,
  ) {
    this.#loadKey = loadKey;
    this.#verifyToken = verifyToken;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Returns the caller; for an invalid credential, the anonymous caller and the error to respond with. */
  async identify(request: Credentials): Promise<{ caller: Caller; refusal?: ApiError }> {
    const anonymous = { id: `address:${viewerAddress(request)}`, limit: this.#limits.anonymous };
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
        'The API key is mistyped or truncated: expected ptp_<id>_<secret>_<checksum> with a valid checksum',
      );
    const record = await this.#findKey(id);
    const verdict = record ? verdictOn(record, presented, this.#clock()) : 'wrong';
    if (!record || verdict !== 'valid') throw invalid(VERDICTS[verdict === 'valid' ? 'wrong' : verdict]);
    const { limit = this.#limits.key, budget, scopes } = record;
    return { id: keyCaller(record), limit, budget, credential: { kind: 'key', scopes } };
  }

  async #byToken(presented: string): Promise<Caller> {
    const { id, scopes } = await this.#verifyToken(presented);
    return { id, limit: this.#limits.key, credential: { kind: 'token', scopes } };
  }

  async #findKey(id: string): Promise<ApiKey | undefined> {
    const now = this.#clock();
    const cached = this.#keys.get(id);
    if (cached && cached.until > now) return cached.record;
    const record = await this.#loadKey(id);
    if (record) this.#keys.set(id, { record, until: now + KEY_CACHE_MS });
    else this.#keys.delete(id);
    return record;
  }
}

/**
 * Returns the credential of a request. With an `X-API-Key`, an `Authorization` of another scheme is a proxy's: ignored.
 * @throws ApiError unauthorized for a malformed credential, invalid_request for two (RFC 6750, 2)
 */
function presentedCredential({ authorization, ...headers }: Credentials['headers']): string | undefined {
  const key = headers['x-api-key']?.trim();
  const bearer = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (key === undefined) {
    if (authorization === undefined || bearer !== undefined) return bearer;
    const hint = authorization.trim().startsWith('ptp_') ? ': put Bearer before the key' : '';
    throw invalid(`Authorization must be "Bearer" followed by an API key or an access token${hint}`);
  }
  if (!key.startsWith('ptp_'))
    throw invalid(
      'X-API-Key must be an API key, which starts with ptp_; send an access token as Authorization: Bearer',
    );
  if (bearer !== undefined && bearer !== key)
    throw new ApiError('invalid_request', 'Authorization and X-API-Key differ: send one credential');
  return key;
}

/**
 * Returns the caller if its credential has the scope.
 * @throws ApiError unauthorized without a credential, forbidden without the scope
 */
export function requireScope(caller: Caller | undefined, scope: string): Caller {
  if (!caller?.credential)
    throw unauthorizedError(
      'This operation needs an API key or an access token: send it as Authorization: Bearer, or a key as X-API-Key',
    );
  if (caller.credential.scopes.includes(scope)) return caller;
  const what = caller.credential.kind === 'key' ? 'API key' : 'access token';
  throw new ApiError('forbidden', `The ${what} lacks the scope ${scope}`, {
    headers: { 'WWW-Authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` },
  });
}

/** Larger than any access token; larger ones are not parsed. */
const MAX_TOKEN_BYTES = 8_192;

/**
 * Returns a verifier for the access tokens of an issuer, which caches the issuer's keys. It throws ApiError:
 * unauthorized with the reason, unavailable if the issuer is unreachable. Without an issuer, every token is unauthorized.
 */
export function tokenVerifier(config: OAuthConfig | undefined, clock: Clock = Date.now): TokenVerifier {
  let loading: Promise<TokenVerifier> | undefined;
  return async (token) => {
    if (config === undefined)
      throw invalid('This service accepts no access tokens: send an API key, which begins with ptp_');
    if (token.length > MAX_TOKEN_BYTES)
      throw invalid(`The token is longer than ${MAX_TOKEN_BYTES.toLocaleString('en')} bytes`);
    loading ??= load(config, clock);
    return (await loading)(token);
  };
}

/** Loads jose with the first token, to keep it out of the cold start of other requests. */
async function load(config: OAuthConfig, clock: Clock): Promise<TokenVerifier> {
  const [{ verifyAccessToken }, { IssuerKeys }] = await Promise.all([
    import('./access-token.ts'),
    import('./issuer-keys.ts'),
  ]);
  const keys = new IssuerKeys(config, clock);
  return (token) => verifyAccessToken(token, config, keys, clock);
}
