import { randomUUID } from 'node:crypto';
import { check, expectError, expectHeader, expectStatus, SkippedError } from '../support/stage/checks.ts';
import { short } from '../support/stage/http.ts';
import { onStage } from '../support/stage/on-stage.ts';
import type { Session } from '../support/stage/session.ts';

const ASSETS = '/api/v1/assets/user-assets/';

onStage({
  name: 'api-key',
  title: 'An API key is accepted in both headers, and raises the rate limit',
  means: 'The API cannot read the table of keys, or CloudFront does not forward the headers.',
  lookAt: 'The log group *-UsageApiLogs*, and npm run keys -- list --stack NAME',
  run: async (session) => {
    const { key } = session.options;
    if (!key) throw new SkippedError('pass --key');
    const { headers } = await session.api('GET', '/api/v1/usage', { credential: '' });
    const anonymous = Number(headers['x-ratelimit-limit']);
    const bearer = await session.api('GET', '/api/v1/usage');
    const named = await session.api('GET', '/api/v1/usage', {
      credential: '',
      headers: { 'x-api-key': key },
    });
    for (const response of [bearer, named]) {
      expectStatus(response, 200);
      const limit = Number(response.headers['x-ratelimit-limit']);
      check(limit > anonymous, `The limit is ${limit} with the key and ${anonymous} without`);
    }
  },
});

onStage({
  name: 'token',
  title: 'An OAuth access token is accepted, with its scope',
  means: 'The issuer, audience or scope of the token is not the configured one, or the issuer is unreachable.',
  lookAt: 'The claims iss, aud or client_id, scope and exp of the token; the log group *-AssetsApiLogs*',
  run: async (session) => {
    const { token } = session.options;
    if (!token) throw new SkippedError('pass --token, an access token with the scope assets:write');
    expectStatus(await session.api('GET', '/api/v1/usage', { credential: token }), 200);
    // An unknown asset is a 404 for callers with the scope only.
    expectStatus(await session.api('GET', `${ASSETS}${randomUUID()}/`, { credential: token }), 404);
  },
});

interface Claims {
  readonly iss: string;
  readonly scope?: string;
}

onStage({
  name: 'issuer',
  title: 'The issuer of the token publishes the key that signed it, and a modified token gets a 401',
  means: 'The service accepts tokens without checking their signature, or cannot fetch the keys of the issuer.',
  lookAt: 'oauth of the configuration, the log group *-AssetsApiLogs*, and the discovery document of the issuer',
  run: async (session) => {
    const { token } = session.options;
    if (!token) throw new SkippedError('pass --token');
    const [header = '', payload = '', signature = ''] = token.split('.');
    const { kid } = decode<{ kid?: string }>(header);
    const claims = decode<Claims>(payload);
    const keys = await keysOf(session, claims.iss);
    check(
      keys.some((key) => key.kid === kid),
      `The issuer ${claims.iss} does not publish the key ${kid} of the token`,
    );
    const changed = encode({ ...claims, scope: `${claims.scope ?? ''} smoke` });
    for (const bad of [`${header}.${changed}.${signature}`, `${encode({ alg: 'none', kid })}.${payload}.`]) {
      const refused = await session.api('GET', '/api/v1/usage', { credential: bad });
      expectError(refused, 401);
      expectHeader(refused, 'WWW-Authenticate', /^Bearer\b/);
    }
    return claims.iss;
  },
});

/** Returns the issuer's public keys, found by OpenID discovery or, without it, at the path that Cognito uses. */
async function keysOf({ http }: Session, iss: string): Promise<readonly { kid?: string }[]> {
  const at = (path: string) => new URL(`${iss.replace(/\/$/, '')}/.well-known/${path}`);
  const discovery = await http.send(at('openid-configuration'));
  const document = discovery.status === 200 ? discovery.json<{ issuer?: string; jwks_uri?: string }>() : {};
  check(
    document.issuer === undefined || document.issuer === iss,
    `The discovery document names the issuer ${document.issuer}, but tokens have ${iss}`,
  );
  const jwks = await http.send(document.jwks_uri ? new URL(document.jwks_uri) : at('jwks.json'));
  expectStatus(jwks, 200);
  return jwks.json<{ keys?: { kid?: string }[] }>().keys ?? [];
}

function decode<T>(part: string): T {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as T;
  } catch {
    throw new Error(`The token is not a JWT: "${short(part.slice(0, 10))}…" is not JSON in base64url`);
  }
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
