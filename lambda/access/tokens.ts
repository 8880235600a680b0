import type { OAuthConfig } from '../contract/oauth.ts';
import type { Clock } from '../platform/clock.ts';
import type { TokenVerifier } from './access-token.ts';
import { invalid } from './credential-errors.ts';

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
