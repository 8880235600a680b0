import * as z from 'zod';
import { list, text } from './messages.ts';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

const issuer = z
  .string(text('issuer', 'the iss claim of the tokens, such as https://example.eu.auth0.com/'))
  .refine(
    (value) => isSafe(value) && !value.includes('?'),
    'must be an https URL without query, fragment or password that equals the iss claim of the tokens exactly, such as https://example.eu.auth0.com/',
  );

const audience = z.string(text('audience', 'a string')).min(1, 'audience is empty');

/**
 * The issuer whose access tokens are accepted: `oauth` in a stage's configuration and in its functions' environment.
 * https://openid.net/specs/openid-connect-discovery-1_0.html, section 4
 */
export const oauthConfig = z.strictObject({
  /** Must equal the token's `iss` claim exactly, including a trailing slash. */
  issuer,
  /** Accepted values, one or several, of `aud`, or of `client_id` for tokens without `aud`, such as Cognito's. */
  audience: z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z
      .array(audience, list('audience', 'the aud claim of the tokens, or client_id if they have no aud'))
      .min(1, 'audience is empty'),
  ),
  /** For scopes that the issuer writes as `<prefix>/<scope>`, such as Cognito. By default scopes have no prefix. */
  scopePrefix: z.string(text('scopePrefix', 'a string')).min(1, 'scopePrefix is empty').optional(),
  /** URL of the issuer's keys; by default `jwks_uri` in `<issuer>/.well-known/openid-configuration`. */
  jwksUri: z
    .string(text('jwksUri', 'the URL of a JSON Web Key Set'))
    .refine(isSafe, 'must be an https URL without fragment or password')
    .optional(),
});

export type OAuthConfig = z.output<typeof oauthConfig>;

/** Plain HTTP is limited to loopback: an attacker who replaces the keys in transit can forge tokens. */
function isSafe(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || value.includes('#') || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}
