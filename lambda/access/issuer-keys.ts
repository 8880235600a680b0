import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ApiError } from '../contract/errors.ts';
import type { OAuthConfig } from '../contract/oauth.ts';
import type { Clock } from '../platform/clock.ts';
import { RefetchBudget } from './refetch-budget.ts';

/** For all that one look at an issuer fetches. */
const TIMEOUT_MS = 2_000;
/** A key that the issuer withdrew is dead after this long, unless the issuer is away. */
const FRESH_MS = 10 * 60_000;
/** An issuer may be away for this long. */
const USABLE_MS = 60 * 60_000;
/** The pause between a failed fetch and the next one. */
const RETRY_MS = 5_000;

/**
 * The keys that an issuer signs with (RFC 7517). They are fetched when the first token comes, when they get old, and when
 * a token names one that is not among them. All tokens share one fetch at a time.
 *
 * A new key is accepted with the first token that names it. In the worst case it is refused for 5 s after the issuer
 * published it, namely while tokens with random key ids use up the `RefetchBudget` (each refill is then spent at
 * once, so that the keys are never older), and for 10 s if tokens named it before it was published. Each function
 * instance has keys and a budget of its own.
 */
export class IssuerKeys {
  readonly #config: OAuthConfig;
  readonly #clock: Clock;
  #keys = createLocalJWKSet({ keys: [] });
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #retryAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  /** Why the last look at the issuer failed. */
  #failure: unknown;
  /** For tokens that name unknown keys; after a failure `RETRY_MS` is the bound. */
  readonly #budget = new RefetchBudget();

  constructor(config: OAuthConfig, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
  }

  /**
   * The key that a token's header names.
   * @throws JWKSNoMatchingKey when the issuer has no such key; ApiError unavailable when the issuer cannot be asked
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const old = this.#age() >= FRESH_MS;
    if (old) await this.#refresh();
    if (this.#age() >= USABLE_MS) throw this.#unavailable();
    try {
      return await this.#keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    const id = header.kid ?? '';
    if (!old && (this.#asking || this.#failure || this.#budget.take(id, this.#clock())))
      await this.#refresh();
    if (this.#failure) throw this.#unavailable();
    return this.#keys(header, token);
  };

  #age(): number {
    return this.#clock() - this.#fetchedAt;
  }

  /** Fetches the keys, unless that failed a moment ago. */
  async #refresh(): Promise<void> {
    if (!this.#asking && this.#clock() < this.#retryAt) return;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    await this.#asking;
  }

  async #ask(): Promise<void> {
    try {
      this.#keys = createLocalJWKSet(await fetchKeySet(this.#config));
      this.#failure = undefined;
      this.#fetchedAt = this.#clock();
    } catch (error) {
      this.#failure = error;
      this.#retryAt = this.#clock() + RETRY_MS;
      this.#budget.forgetAbsent();
    }
  }

  #unavailable(): ApiError {
    return new ApiError('unavailable', "The token's issuer cannot be reached; try again in a few seconds", {
      headers: { 'Retry-After': String(RETRY_MS / 1_000) },
      cause: this.#failure,
    });
  }
}

/** @throws Error that says what the issuer did, for the operator */
async function fetchKeySet({ issuer, jwksUri }: OAuthConfig): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const get = async <T>(url: string): Promise<T> => {
    const response = await fetch(url, {
      signal,
      redirect: 'error',
      // A connection would be long dead when it is needed again, and a thawed function would not know.
      headers: { Accept: 'application/json', Connection: 'close' },
    });
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return (await response.json()) as T;
  };
  if (jwksUri !== undefined) return get(jwksUri);
  const discovery = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const metadata = await get<{ issuer: string; jwks_uri: string }>(discovery);
  if (metadata.issuer !== issuer) throw new Error(`${discovery} is of another issuer than ${issuer}`);
  return get(metadata.jwks_uri);
}
