import * as z from 'zod';
import { list, text } from './messages.ts';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

const issuer = z
  .string(text('issuer', 'what tokens have as iss, such as https://example.eu.auth0.com/'))
  .refine(
    (value) => isSafe(value) && !value.includes('?'),
    'must be an https address without query, fragment or password, letter by letter what tokens have as iss, such as https://example.eu.auth0.com/',
  );

const audience = z.string(text('audience', 'a text')).min(1, 'audience is empty');

/**
 * Whose access tokens are taken: `oauth` of a stage's configuration, and what its functions are told of it.
 * https://openid.net/specs/openid-connect-discovery-1_0.html, section 4
 */
export const oauthConfig = z.strictObject({
  /** Compared exactly: of two addresses that differ in a slash at the end only one is the issuer's. */
  issuer,
  /** What a token's `aud` must contain; of a token without `aud`, as Cognito's, what its `client_id` must be. One or several. */
  audience: z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z
      .array(audience, list('audience', 'what tokens have as aud, or as client_id when they have no aud'))
      .min(1, 'audience is empty'),
  ),
  /** Of scopes written as `<prefix>/<scope>`, as Cognito does. Without it they must be exact. */
  scopePrefix: z.string(text('scopePrefix', 'a text')).min(1, 'scopePrefix is empty').optional(),
  /** Where the issuer's keys are. Left out, it is the `jwks_uri` of `<issuer>/.well-known/openid-configuration`. */
  jwksUri: z
    .string(text('jwksUri', 'the address of a JSON Web Key Set'))
    .refine(isSafe, 'must be an https address without fragment or password')
    .optional(),
});

export type OAuthConfig = z.output<typeof oauthConfig>;

/** Whoever can change what is fetched can make tokens: plain HTTP only on the machine itself, where issuers are tried out. */
function isSafe(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || value.includes('#') || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}
