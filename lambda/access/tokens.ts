import type { OAuthConfig } from '../contract/oauth.ts';
import type { Clock } from '../platform/clock.ts';
import { invalid } from './credential-errors.ts';
import type { TokenVerifier } from './verified-token.ts';

/** More than any access token has, and than is worth parsing. */
const MAX_TOKEN_BYTES = 8_192;

/**
 * Verifies the access tokens of one issuer, whose keys it keeps.
 * The verifier throws ApiError: unauthorized with what is wrong, unavailable when the issuer cannot be asked for its keys.
 */
export function tokenVerifier(config: OAuthConfig, clock: Clock = Date.now): TokenVerifier {
  let loading: Promise<TokenVerifier> | undefined;
  return async (token) => {
    if (token.length > MAX_TOKEN_BYTES)
      throw invalid(`The token is longer than ${MAX_TOKEN_BYTES.toLocaleString('en')} bytes`);
    loading ??= load(config, clock);
    return (await loading)(token);
  };
}

/** Cryptography is loaded by the first token: requests without one start faster. */
async function load(config: OAuthConfig, clock: Clock): Promise<TokenVerifier> {
  const [{ verifyAccessToken }, { IssuerKeys }] = await Promise.all([
    import('./access-token.ts'),
    import('./issuer-keys.ts'),
  ]);
  const keys = new IssuerKeys(config, clock);
  return (token) => verifyAccessToken(token, config, keys, clock);
}
