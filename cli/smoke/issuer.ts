import { check, expectError, expectHeader, expectStatus, SkippedError } from './checks.ts';
import { short } from './http.ts';
import type { Session } from './session.ts';
import type { Step } from './step.ts';

interface Claims {
  readonly iss: string;
  readonly scope?: string;
}

const issuer: Step = {
  name: 'issuer',
  title: 'The issuer of the token publishes the key that signed it, and a modified token gets a 401',
  means:
    'The service accepts tokens without checking their signature, or cannot fetch the keys of the issuer.',
  lookAt:
    'oauth of the configuration, the log group *-AssetsApiLogs*, and the discovery document of the issuer',
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
};

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

export const ISSUER_STEPS = [issuer];
