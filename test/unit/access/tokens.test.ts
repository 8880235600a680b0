import { createServer, type ServerResponse } from 'node:http';
import fc from 'fast-check';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import { requireScope, tokenVerifier } from '../../../lambda/access/callers.ts';
import { ApiError } from '../../../lambda/contract/errors.ts';
import { type OAuthConfig, oauthConfig } from '../../../lambda/contract/oauth.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { serve } from '../../support/serve.ts';
import { runs } from '../../support/soak.ts';
import { anyCharacter } from '../../support/unicode.ts';

const AUDIENCE = 'https://api.example.com';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** The time at the start of every test. */
const START = Date.UTC(2026, 10, 21);
const inSeconds = (seconds: number) => START / SECOND + seconds;

/** Creates a key pair, with the public key as an issuer publishes it. */
async function newKey(kid: string, alg = 'ES256') {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}
type Key = Awaited<ReturnType<typeof newKey>>;

const first = await newKey('first');
const second = await newKey('second');
const stranger = await newKey('first');

/** An issuer on loopback; tests change its keys and behavior. */
let published: JWK[];
let behavior: (response: ServerResponse) => boolean;
let asked: string[];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  if (behavior(response)) return;
  const metadata = { issuer, jwks_uri: `${issuer}/protocol/certs` };
  const body = request.url?.endsWith('openid-configuration') ? metadata : { keys: published };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
});
const { port } = closeAtEnd(await serve(server));
const issuer = `http://localhost:${port}`;

let now: number;
let verify: ReturnType<typeof tokenVerifier>;
const verifierOf = (config: Partial<Record<keyof OAuthConfig, unknown>> = {}) =>
  tokenVerifier(oauthConfig.parse({ issuer, audience: AUDIENCE, jwksUri: `${issuer}/certs`, ...config }), () => now);

beforeEach(() => {
  published = [first.jwk];
  behavior = () => false;
  asked = [];
  now = START;
  verify = verifierOf();
});

const claims = () => ({
  iss: issuer,
  sub: 'somebody',
  aud: AUDIENCE,
  scope: 'assets:write',
  iat: inSeconds(-60),
  exp: inSeconds(3_600),
});
/** Untyped, since senders choose the claims. */
type Claims = Record<string, unknown>;
interface TokenParts {
  readonly payload?: Claims;
  readonly header?: Record<string, unknown>;
  readonly key?: Key;
}
/** Signs a valid token with the given changes; a claim set to undefined is absent. */
const tokenWith = ({ payload = {}, header = {}, key = first }: TokenParts = {}) =>
  new SignJWT({ ...claims(), ...payload })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
    .sign(key.privateKey);

const refused = async (token: string): Promise<ApiError> => {
  const failure = await verify(token).then(
    () => new Error('The token was accepted'),
    (error: unknown) => error,
  );
  if (!(failure instanceof ApiError)) throw failure;
  return failure;
};

describe('a valid token', () => {
  it('has scopes, and the same caller id as other tokens of its subject', async () => {
    const { id, scopes } = await verify(await tokenWith());
    expect(id).toMatch(/^token:[\w-]{22}$/);
    expect(scopes).toEqual(['assets:write']);
    expect((await verify(await tokenWith({ payload: { jti: 'another' } }))).id).toBe(id);
    expect((await verify(await tokenWith({ payload: { sub: 'else' } }))).id).not.toBe(id);
  });

  it('has another caller id with another issuer', async () => {
    const { id } = await verify(await tokenWith());
    const other = issuer.replace('localhost', '127.0.0.1');
    verify = verifierOf({ issuer: other });
    expect((await verify(await tokenWith({ payload: { iss: other } }))).id).not.toBe(id);
  });

  it('of a client without a subject has another caller id than a user whose subject equals the id of the client', async () => {
    const client = await verify(await tokenWith({ payload: { sub: undefined, client_id: 'same' } }));
    expect((await verify(await tokenWith({ payload: { sub: 'same' } }))).id).not.toBe(client.id);
  });

  it.each<[string, Claims, Record<string, unknown>]>([
    ['of Cognito', { aud: undefined, client_id: AUDIENCE, token_use: 'access', version: 2 }, {}],
    ['of Keycloak, with a nonce as its old versions', { typ: 'Bearer', azp: 'web', nonce: 'n' }, { typ: 'JWT' }],
    ['of Auth0', { aud: [AUDIENCE, `${issuer}/userinfo`], azp: 'web' }, { typ: 'at+jwt' }],
    ['of RFC 9068', { client_id: 'web', jti: '1' }, { typ: 'application/at+jwt' }],
    ['without a subject', { sub: undefined, client_id: 'machine' }, {}],
    ['at the first second of its life', { nbf: inSeconds(29), iat: inSeconds(29) }, {}],
  ])('%s is accepted', async (_, payload, header) => {
    expect((await verify(await tokenWith({ payload, header }))).scopes).toEqual(['assets:write']);
  });

  it.each(['RS256', 'ES384', 'EdDSA'])('signed with %s is accepted', async (alg) => {
    const key = await newKey('other', alg);
    published = [first.jwk, key.jwk];
    expect((await verify(await tokenWith({ key }))).scopes).toEqual(['assets:write']);
  });

  it.each<[Claims, string[]]>([
    [{ scope: 'openid ptp/assets:write' }, ['openid', 'assets:write']],
    [{ scope: undefined, scp: ['ptp/assets:write'] }, ['assets:write']],
    [{ scope: undefined, scp: 'openid assets:write' }, ['openid', 'assets:write']],
    [{ scope: 'ptp2/assets:write PTP/assets:write' }, ['ptp2/assets:write', 'PTP/assets:write']],
    [{ scope: undefined }, []],
    [{ scope: { 'assets:write': true } }, []],
  ])('with %j has the scopes %j', async (payload, expected) => {
    verify = verifierOf({ scopePrefix: 'ptp' });
    expect((await verify(await tokenWith({ payload }))).scopes).toEqual(expected);
  });

  it('for one of several audiences is accepted', async () => {
    verify = verifierOf({ audience: ['other', AUDIENCE] });
    await verify(await tokenWith());
  });
});

describe('a token is rejected with the reason when', () => {
  it.each<[string, TokenParts, string]>([
    ['it never expires', { payload: { exp: undefined } }, 'The token has no exp'],
    ['its exp is a string', { payload: { exp: '9999999999' } }, "The token's exp is not valid"],
    ['it is not valid yet', { payload: { nbf: inSeconds(31) } }, 'The token is not valid yet'],
    ['it was issued in the future', { payload: { iat: inSeconds(31) } }, 'The token was issued in the future'],
    ['its issuer is another', { payload: { iss: 'https://e.com' } }, `The token's issuer is not ${issuer}`],
    ['it has no issuer', { payload: { iss: undefined } }, "The token's issuer is not"],
    [
      'its aud is another, whatever its client_id',
      { payload: { aud: 'web', client_id: AUDIENCE } },
      'The token is for another audience',
    ],
    ['it has neither aud nor client_id', { payload: { aud: undefined } }, 'The token is for another audience'],
    ['it is bound to a key (RFC 9449)', { payload: { cnf: { jkt: 'x' } } }, 'The token is bound to a key'],
    ['it is an ID token of Cognito', { payload: { token_use: 'id' } }, 'The token is an ID token'],
    ['it is an ID token of Keycloak', { payload: { typ: 'ID' } }, 'The token is an ID token'],
    ['it is an ID token with a nonce', { payload: { nonce: 'n' } }, 'The token is an ID token'],
    ['it is an ID token with at_hash', { payload: { at_hash: 'h' } }, 'The token is an ID token'],
    ['it is a logout token', { header: { typ: 'logout+jwt' } }, 'The token is not an access token'],
    ['it has no subject', { payload: { sub: undefined } }, 'The token has no subject'],
    ['another key signed it', { key: stranger }, "The token's signature does not verify"],
    ['it names an unknown key', { header: { kid: 'x' } }, 'The token is not signed with a key of its issuer'],
    [
      'it contains its own key',
      { key: stranger, header: { jwk: stranger.jwk, jku: 'https://e.com/jwks' } },
      "The token's signature does not verify",
    ],
  ])('%s', async (_, made, message) => {
    const failure = await refused(await tokenWith(made));
    expect([failure.status, failure.message]).toEqual([401, expect.stringContaining(message)]);
    expect(failure.headers['WWW-Authenticate']).toMatch(/^Bearer/);
  });

  it('it expired more than 30 s ago', async () => {
    const token = await tokenWith({ payload: { exp: inSeconds(-29) } });
    await verify(token);
    now += 2 * SECOND;
    expect((await refused(token)).message).toBe('The token has expired');
  });

  it('it is unsigned, or signed with a public value as the secret', async () => {
    const { jwk } = first;
    const secrets = [await exportSPKI(first.publicKey), JSON.stringify(jwk), Buffer.from(jwk.x ?? '', 'base64url'), ''];
    const unsigned = new UnsecuredJWT(claims()).encode();
    const tokens = [unsigned, `${unsigned}${'A'.repeat(342)}`];
    for (const secret of secrets) {
      const sign = (alg: string) =>
        new SignJWT(claims())
          .setProtectedHeader({ alg, kid: 'first' })
          .sign(secret === '' ? new Uint8Array(1) : Buffer.from(secret));
      tokens.push(await sign('HS256'), await sign('HS512'));
    }
    for (const token of tokens)
      expect((await refused(token)).message).toBe('The token is signed with an algorithm that is not accepted');
    expect(asked).toEqual([]);
  });

  it('it was modified after it was signed', async () => {
    const [header, payload = '', signature] = (await tokenWith({ payload: { scope: 'openid' } })).split('.');
    const changed = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), scope: 'assets:write' };
    const forged = Buffer.from(JSON.stringify(changed)).toString('base64url');
    expect((await refused(`${header}.${forged}.${signature}`)).message).toBe("The token's signature does not verify");
    expect((await refused(`${header}.${payload}.${signature?.slice(1)}`)).status).toBe(401);
  });

  it('it is longer than 8,192 bytes', async () => {
    const scope = 'x'.repeat(8_192);
    expect((await refused(await tokenWith({ payload: { scope } }))).message).toBe(
      'The token is longer than 8,192 bytes',
    );
  });

  it('it is not a JWT', async () => {
    const some = ['', '.', '..', 'a.b.c', 'e30.W10.', '....', 'eyJhbGciOiJkaXIifQ..a.b.c', '\0'];
    for (const token of some)
      expect((await refused(token)).message).toMatch(/^The credential is neither an API key.*nor a JWT$/);
    const good = await tokenWith();
    const anything = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc
        .tuple(fc.nat(good.lastIndexOf('.') - 3), fc.string({ minLength: 1, maxLength: 3 }))
        .map(([at, text]) => good.slice(0, at) + text + good.slice(at + text.length))
        .filter((token) => token !== good),
      fc.tuple(fc.jsonValue(), fc.jsonValue()).map((parts) => `${parts.map(base64url).join('.')}.AAAA`),
    );
    await fc.assert(
      fc.asyncProperty(anything, async (token) => {
        const failure = await refused(token);
        expect(failure.status).toBe(401);
        expect(token.length < 8 || !failure.message.includes(token)).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it('it lacks the required scope', async () => {
    for (const scope of ['assets:read', 'assets:writer', 'other/assets:write', '']) {
      const { id, scopes } = await verify(await tokenWith({ payload: { scope } }));
      const caller = { id, limit: 100, credential: { kind: 'token' as const, scopes } };
      expect(() => requireScope(caller, 'assets:write')).toThrow('assets:write');
    }
  });
});

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe("an issuer's keys", () => {
  it('are fetched for the first token and cached', async () => {
    await Promise.all(Array.from({ length: 20 }, async () => verify(await tokenWith())));
    now += 9 * MINUTE;
    await verify(await tokenWith());
    expect(asked).toEqual(['/certs']);
  });

  it('are discovered', async () => {
    verify = verifierOf({ jwksUri: undefined });
    await verify(await tokenWith());
    expect(asked).toEqual(['/.well-known/openid-configuration', '/protocol/certs']);
  });

  it('are not taken from the metadata of another issuer', async () => {
    const other = issuer.replace('localhost', '127.0.0.1');
    verify = verifierOf({ issuer: other, jwksUri: undefined });
    const failure = await refused(await tokenWith({ payload: { iss: other } }));
    expect([failure.status, String(failure.cause)]).toEqual([503, expect.stringContaining('is the metadata of')]);
  });

  it('are accepted as soon as, and as long as, they are published', async () => {
    await verify(await tokenWith());
    published = [first.jwk, second.jwk];
    now += 5 * SECOND;
    await verify(await tokenWith({ key: second }));
    await verify(await tokenWith());
    expect(asked).toHaveLength(2);
    published = [second.jwk];
    now += 10 * MINUTE;
    expect((await refused(await tokenWith())).status).toBe(401);
    await verify(await tokenWith({ key: second }));
    expect(asked).toHaveLength(3);
  });

  const unknown = (name: unknown) => tokenWith({ header: { kid: `unknown-${name}` } });

  it('are fetched once for concurrent tokens', async () => {
    await verify(await tokenWith());
    now += 5 * SECOND;
    const flood = await Promise.all(Array.from({ length: 50 }, (_, i) => unknown(i)));
    const failures = await Promise.all(flood.map(refused));
    expect(new Set(failures.map(({ status }) => status))).toEqual(new Set([401]));
    expect(asked).toHaveLength(2);
  });

  it('are used for an hour while the issuer is unreachable', async () => {
    await verify(await tokenWith());
    behavior = (response) => Boolean(response.socket?.destroy());
    for (const minutes of [1, 15, 40]) {
      now += minutes * MINUTE;
      await verify(await tokenWith());
    }
    now += 4 * MINUTE;
    expect((await refused(await tokenWith())).status).toBe(503);
  });

  it('cause a 503 and a retry after 5 s if the issuer is unreachable from the start', async () => {
    behavior = (response) => Boolean(response.socket?.destroy());
    const failure = await refused(await tokenWith());
    expect([failure.status, failure.headers]).toEqual([503, { 'Retry-After': '5' }]);
    behavior = () => false;
    expect((await refused(await tokenWith())).status).toBe(503);
    expect(asked).toHaveLength(1);
    now += 5 * SECOND;
    await verify(await tokenWith());
    expect((await refused(await tokenWith({ header: { kid: 'unknown' } }))).status).toBe(401);
  });

  it('cause a 503 for an unknown key while the issuer is unreachable', async () => {
    await verify(await tokenWith());
    behavior = (response) => Boolean(response.socket?.destroy());
    now += MINUTE;
    expect((await refused(await tokenWith({ key: second }))).status).toBe(503);
    await verify(await tokenWith());
  });

  const refusedAfter = async (respond: (response: ServerResponse) => unknown) => {
    behavior = (response) => {
      respond(response);
      return true;
    };
    expect((await refused(await tokenWith())).status).toBe(503);
  };

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['redirects', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['fails', (response) => response.writeHead(500).end(JSON.stringify({ keys: published }))],
  ])('cause a 503 if the issuer %s', async (_, respond) => {
    await refusedAfter(respond);
    expect(asked).toHaveLength(1);
  });

  it('cause a 503 if the issuer never responds, or stops in the middle', async () => {
    const { timeout } = AbortSignal;
    const limit = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 50));
    await refusedAfter(() => undefined);
    now += 5 * SECOND;
    await refusedAfter((response) => response.writeHead(200, { 'content-length': 100 }).write('{"keys":'));
    expect(limit).toHaveBeenCalledWith(2 * SECOND);
    limit.mockRestore();
  });
});

it('without an issuer, no token is accepted', async () => {
  const error = await tokenVerifier(undefined)('a.b.c').catch((caught) => caught);
  expect(error).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('no access tokens') });
});
