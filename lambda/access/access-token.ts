import { createHash } from 'node:crypto';
import { decodeJwt, errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import type { OAuthConfig } from '../contract/oauth.ts';
import type { Clock } from '../platform/clock.ts';
import { invalid } from './credential-errors.ts';
import type { IssuerKeys } from './issuer-keys.ts';

/** Subject and scopes of a token. */
export interface VerifiedToken {
  /** `token:<hash of issuer and subject>`: stable per subject without revealing it. */
  readonly id: string;
  /** Without the issuer's prefix. */
  readonly scopes: readonly string[];
}

export type TokenVerifier = (token: string) => Promise<VerifiedToken>;

/** Algorithms with a public key (RFC 7518, 3.1; RFC 8037; RFC 9864); never `none` or a shared secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Tolerated difference between the issuer's clock and ours. */
const LEEWAY_SECONDS = 30;

/** Header `typ` of an access token, if it has one; logout tokens and DPoP proofs have others (RFC 8725, 3.11). */
const JWT_TYPE = /^(application\/)?(at\+)?jwt$/i;
const ACCESS_TOKEN_TYPE = /^(application\/)?at\+jwt$/i;

/** Claims that only ID tokens have (OpenID Connect Core, 2, 3.1.3.6, 3.3.2.11). */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash'];

const NO_CREDENTIAL = 'The credential is neither an API key, which starts with ptp_, nor a JWT';

const REASONS: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'The token has expired',
  ERR_JWT_INVALID: NO_CREDENTIAL,
  ERR_JWS_INVALID: NO_CREDENTIAL,
  ERR_JOSE_NOT_SUPPORTED: 'The token uses an unsupported feature',
  ERR_JOSE_ALG_NOT_ALLOWED: 'The token is signed with an algorithm that is not accepted',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "The token's signature does not verify",
  ERR_JWKS_NO_MATCHING_KEY: 'The token is not signed with a key of its issuer',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'The token does not name the key that signed it',
};

/**
 * Verifies an access token (RFC 7519, 8725, 9068) and returns its subject and scopes.
 * @throws ApiError unauthorized with the reason, unavailable if the issuer's keys cannot be fetched
 */
export async function verifyAccessToken(
  token: string,
  config: OAuthConfig,
  keys: IssuerKeys,
  clock: Clock,
): Promise<VerifiedToken> {
  const now = clock();
  const { protectedHeader, payload } = await verifySigned(token, config.issuer, keys, now);
  const reason = rejection(protectedHeader, payload, config, now);
  if (reason) throw invalid(reason);
  return {
    id: `token:${subjectHash(config.issuer, payload)}`,
    scopes: scopesOf(payload, config.scopePrefix),
  };
}

async function verifySigned(token: string, issuer: string, keys: IssuerKeys, now: number) {
  try {
    // Checked before verification, so that a foreign token never triggers a fetch of keys.
    if (decodeJwt(token).iss !== issuer) throw invalid(`The token's issuer is not ${issuer}`);
    return await jwtVerify(token, keys.find, {
      issuer,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp'],
      clockTolerance: LEEWAY_SECONDS,
      currentDate: new Date(now),
    });
  } catch (error) {
    const reason = error instanceof errors.JOSEError ? reasonOf(error) : undefined;
    throw reason === undefined ? error : invalid(reason);
  }
}

function reasonOf(error: errors.JOSEError): string | undefined {
  if (!(error instanceof errors.JWTClaimValidationFailed)) return REASONS[error.code];
  if (error.reason === 'missing') return `The token has no ${error.claim}`;
  return error.claim === 'nbf' ? 'The token is not valid yet' : `The token's ${error.claim} is not valid`;
}

/** Returns why a token with a valid signature is rejected, or undefined if it is accepted. */
function rejection(
  header: JWTHeaderParameters,
  payload: JWTPayload,
  config: OAuthConfig,
  now: number,
): string | undefined {
  if (isIdToken(header, payload)) return 'The token is an ID token: send the access token';
  if (!isAccessToken(header, payload)) return 'The token is not an access token';
  // RFC 9449, RFC 8705: proof of possession is not verified here.
  if (payload.cnf !== undefined) return 'The token is bound to a key of its client: send a bearer token';
  if ((payload.iat ?? 0) > now / 1_000 + LEEWAY_SECONDS) return 'The token was issued in the future';
  const audience = [payload.aud ?? payload.client_id].flat();
  if (!config.audience.some((accepted) => audience.includes(accepted))) return 'The token is for another audience';
  if (typeof (payload.sub || payload.client_id) !== 'string') return 'The token has no subject';
  return undefined;
}

/** Cognito declares it in `token_use`, Keycloak in the payload's `typ`; otherwise the claims of ID tokens decide. */
function isIdToken(header: JWTHeaderParameters, payload: JWTPayload): boolean {
  if (payload.token_use === 'id' || payload.typ === 'ID') return true;
  const declared =
    payload.token_use === 'access' || payload.typ === 'Bearer' || ACCESS_TOKEN_TYPE.test(header.typ ?? '');
  return !declared && ID_TOKEN_CLAIMS.some((claim) => claim in payload);
}

function isAccessToken({ typ = 'JWT' }: JWTHeaderParameters, payload: JWTPayload): boolean {
  return JWT_TYPE.test(typ) && (payload.token_use ?? 'access') === 'access' && (payload.typ ?? 'Bearer') === 'Bearer';
}

/** `scope` is separated by spaces (RFC 8693, 4.2); some issuers send `scp`, also as an array. */
function scopesOf({ scope, scp }: JWTPayload, prefix: string | undefined): string[] {
  const granted = [scope ?? scp].flat().flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));
  const start = prefix === undefined ? '' : `${prefix}/`;
  return granted.map((name) => (name.startsWith(start) ? name.slice(start.length) : name)).filter(Boolean);
}

/**
 * Includes the issuer, because two issuers can use the same subject for different users. A client that gets tokens for itself
 * is the subject, but not every issuer sets `sub` then: such a client is not the user whose `sub` equals its id.
 */
function subjectHash(issuer: string, { sub, client_id }: JWTPayload): string {
  const subject = sub ? [issuer, sub] : [issuer, 'client_id', client_id];
  return createHash('sha256').update(JSON.stringify(subject)).digest('base64url').slice(0, 22);
}
