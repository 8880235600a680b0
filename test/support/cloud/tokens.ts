import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calculateJwkThumbprint, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { OperatorFile } from '../../../local/cloud/cloud.ts';
import type { Place } from '../buckets.ts';
import { cloud } from './cloud.ts';

const now = () => Math.floor(Date.now() / 1000);

function operator({ stateDir }: Place = cloud()): OperatorFile {
  return JSON.parse(readFileSync(join(stateDir, 'operator.json'), 'utf8')) as OperatorFile;
}

/** The list of credentials that the service must not log or store: see `stop-cloud.ts`. */
export const issuedFile = (stateDir: string) => join(stateDir, 'issued-credentials.txt');

export function noteIssued(credential: string): string {
  appendFileSync(issuedFile(cloud().stateDir), `${credential}\n`);
  return credential;
}

/** Requests a token from the issuer of the suite's cloud, or of another local service. */
export async function newToken(place?: Place): Promise<string> {
  const { TokenUrl = '', OAuthClientId, OAuthClientSecret } = operator(place).outputs;
  const response = await fetch(TokenUrl, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${OAuthClientId}:${OAuthClientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  return noteIssued(((await response.json()) as { access_token: string }).access_token);
}

/** Returns the private key of the issuer, which it makes for the first request. */
async function issuerKey(): Promise<KeyObject> {
  await fetch(`${cloud().baseUrl}/.well-known/jwks.json`);
  return createPrivateKey(readFileSync(join(cloud().stateDir, 'oauth-key.pem')));
}

/** Returns invalid tokens by their defect, most of them signed with the issuer's own key. */
export async function badTokens(): Promise<Record<string, string>> {
  const { OAuthClientId = '' } = operator().outputs;
  const key = await issuerKey();
  const publicKey = createPublicKey(key);
  const kid = await calculateJwkThumbprint(publicKey.export({ format: 'jwk' }) as JWK);
  const good: JWTPayload = {
    iss: cloud().baseUrl,
    sub: OAuthClientId,
    client_id: OAuthClientId,
    token_use: 'access',
    scope: 'ptp/assets:write',
    iat: now(),
    exp: now() + 600,
  };
  const sign = async (change: JWTPayload, alg = 'RS256', by: KeyObject | Uint8Array = key) =>
    noteIssued(await new SignJWT({ ...good, ...change }).setProtectedHeader({ alg, kid }).sign(by));
  const [header, payload] = (await sign({})).split('.');
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url');
  const pem = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }));
  return {
    'no JWT': 'not.a.token',
    'another signature': `${header}.${payload}.${createHash('sha256').update('x').digest('base64url')}`,
    expired: await sign({ exp: now() - 60 }),
    'another issuer': await sign({ iss: 'https://issuer.example' }),
    'another audience': await sign({ client_id: 'another-client' }),
    'alg none': `${none}.${payload}.`,
    'HS256 signed with the public key': await sign({}, 'HS256', pem),
    'an ID token': await sign({ token_use: 'id', aud: OAuthClientId }),
  };
}

/** Returns a valid token without the scope. */
export async function tokenWithoutScope(): Promise<string> {
  const { OAuthClientId = '' } = operator().outputs;
  const key = await issuerKey();
  const kid = await calculateJwkThumbprint(createPublicKey(key).export({ format: 'jwk' }) as JWK);
  const payload = { client_id: OAuthClientId, token_use: 'access', scope: 'ptp/other', sub: OAuthClientId };
  const token = await new SignJWT(payload)
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(cloud().baseUrl)
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(key);
  return noteIssued(token);
}
