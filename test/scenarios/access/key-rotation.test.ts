import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { newCaller } from '../../support/cloud/client.ts';
import { noteIssued } from '../../support/cloud/tokens.ts';
import { NO_RATE_LIMIT, startVariant, type Variant } from '../../support/cloud/variant.ts';

const AUDIENCE = 'https://api.example.com';
let published: JWK[] = [];
let fetches = 0;
const server = createServer((_, response) => {
  fetches++;
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: published }));
});
let issuer: string;
let service: Variant;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const OAUTH = { issuer, audience: [AUDIENCE], jwksUri: `${issuer}/certs` };
  service = await startVariant({ ...NO_RATE_LIMIT, OAUTH });
});
afterAll(async () => {
  await service?.close();
  server.close();
});

async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
}

async function statusWith({ privateKey }: Awaited<ReturnType<typeof newKey>>, kid: string): Promise<number> {
  const token = new SignJWT({ scope: 'assets:write' })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer(issuer)
    .setAudience(AUDIENCE)
    .setSubject('somebody')
    .setIssuedAt()
    .setExpirationTime('10m');
  const authorization = `Bearer ${noteIssued(await token.sign(privateKey))}`;
  return (await newCaller(service.baseUrl).send('/api/v1/usage', { headers: { authorization } })).status;
}

it('accepts a rotated key at once, and limits the fetches for tokens with unknown keys', async () => {
  const [first, second] = [await newKey('first'), await newKey('second')];
  published = [first.jwk];
  expect(await statusWith(first, 'first')).toBe(200);
  for (const kid of ['a', 'b', 'c']) expect(await statusWith(first, kid)).toBe(401);

  published = [second.jwk];
  expect(await statusWith(second, 'second')).toBe(200);

  const before = fetches;
  for (let i = 0; i < 60; i++) expect(await statusWith(first, `unknown-${i}`)).toBe(401);
  expect(await statusWith(second, 'second')).toBe(200);
  // Five per instance of the function, and one every 5 s.
  expect(fetches - before).toBeLessThan(20);
});
