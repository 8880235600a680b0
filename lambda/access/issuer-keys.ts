import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ApiError } from '../contract/errors.ts';
import type { OAuthConfig } from '../contract/oauth.ts';
import type { Clock } from '../platform/clock.ts';

/** For discovery and keys together. */
const TIMEOUT_MS = 2_000;
/** A key that the issuer withdrew is rejected after this time, unless the issuer is unreachable. */
const FRESH_MS = 10 * 60_000;
/** How long cached keys are used while the issuer is unreachable. */
const USABLE_MS = 60 * 60_000;
/** Pause after a fetch: before the next one for an unknown key, and before any other one after a failure. */
const PAUSE_MS = 5_000;

/**
 * The signing keys of an issuer (RFC 7517), cached per function instance. They are fetched for the first token, when the
 * cache is stale, and when a token names an unknown key. Concurrent tokens share one fetch. A new key is accepted with the
 * first token that names it, at the latest 5 s later: anyone can send tokens with random key ids, so these cause a fetch
 * every 5 s at most.
 *
 * jose's remote key set has no discovery, fetches for every token while the issuer fails, and has no keys to use then.
 */
export class IssuerKeys {
  readonly #config: OAuthConfig;
  readonly #clock: Clock;
  #keys = createLocalJWKSet({ keys: [] });
  #fetchedAt = Number.NEGATIVE_INFINITY;
  /** When the last fetch ended. */
  #askedAt = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;
  /** Why the last fetch failed. */
  #failure: unknown;

  constructor(config: OAuthConfig, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
  }

  /**
   * Returns the key that a token's header names.
   * @throws JWKSNoMatchingKey if the issuer has no such key, ApiError unavailable if the issuer is unreachable
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const stale = this.#age() >= FRESH_MS;
    if (stale) await this.#refresh();
    if (this.#age() >= USABLE_MS) throw this.#unavailable();
    try {
      return await this.#keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    if (!stale) await this.#refresh();
    if (this.#failure) throw this.#unavailable();
    return this.#keys(header, token);
  };

  #age(): number {
    return this.#clock() - this.#fetchedAt;
  }

  /** Fetches the keys, except within `PAUSE_MS` of the last fetch. */
  async #refresh(): Promise<void> {
    if (!this.#fetching && this.#clock() < this.#askedAt + PAUSE_MS) return;
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    await this.#fetching;
  }

  async #fetch(): Promise<void> {
    try {
      this.#keys = createLocalJWKSet(await fetchKeySet(this.#config));
      this.#failure = undefined;
      this.#fetchedAt = this.#clock();
    } catch (error) {
      this.#failure = error;
    }
    this.#askedAt = this.#clock();
  }

  #unavailable(): ApiError {
    return new ApiError('unavailable', "The token's issuer is unreachable: try again in a few seconds", {
      headers: { 'Retry-After': String(PAUSE_MS / 1_000) },
      cause: this.#failure,
    });
  }
}

/** @throws Error for the operator's log */
async function fetchKeySet({ issuer, jwksUri }: OAuthConfig): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const get = async <T>(url: string): Promise<T> => {
    const response = await fetch(url, {
      signal,
      redirect: 'error',
      // The next fetch is minutes away: the issuer may close the connection while the function is frozen.
      headers: { Accept: 'application/json', Connection: 'close' },
    });
    if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
    return (await response.json()) as T;
  };
  if (jwksUri !== undefined) return get(jwksUri);
  const discovery = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const metadata = await get<{ issuer: string; jwks_uri: string }>(discovery);
  if (metadata.issuer !== issuer)
    throw new Error(`${discovery} is the metadata of ${metadata.issuer}, not of ${issuer}`);
  return get(metadata.jwks_uri);
}
