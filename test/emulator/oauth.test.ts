import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { JWK } from 'jose';
import { tokenVerifier } from '../../lambda/access/callers.ts';
import { oauthConfig } from '../../lambda/contract/oauth.ts';
import type { Cloud } from '../../local/cloud/cloud.ts';
import { readAssembly } from '../../local/cloud/template/template.ts';
import { runAssembly } from '../../local/service.ts';
import { temporaryFolder } from '../support/at-end.ts';
import { freePort } from '../support/free-port.ts';

afterAll(() => cloud.close());
const directory = temporaryFolder();
const outdir = join(directory, 'cdk.out');
const port = await freePort();
let cloud: Cloud;
let outputs: Record<string, string>;

async function start(): Promise<void> {
  const settings = { port, backendPort: await freePort(), stateDir: directory, configFile: '' };
  cloud = await runAssembly(readAssembly(outdir), settings, () => {});
  outputs = JSON.parse(readFileSync(join(directory, 'operator.json'), 'utf8')).outputs;
}

execFileSync(process.execPath, ['test/support/oauth-assembly.ts', outdir]);
await start();

const basic = (id = outputs.OAuthClientId, secret = outputs.OAuthClientSecret) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const ask = (form: Record<string, string> | string, headers: Record<string, string> = basic()) =>
  fetch(outputs.TokenUrl ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });
const CLIENT_CREDENTIALS = { grant_type: 'client_credentials' };
/** Returns the body of a response with the expected type. */
const json = async <T>(response: Response) => (await response.json()) as T;
type Granted = { access_token: string };
const newToken = async () => (await json<Granted>(await ask(CLIENT_CREDENTIALS))).access_token;

/** Verifies a token like the functions, with the configuration from the stack. */
const verify = (token: string) =>
  tokenVerifier(
    oauthConfig.parse({
      issuer: cloud.baseUrl,
      audience: outputs.OAuthClientId,
      scopePrefix: 'ptp',
      jwksUri: `${cloud.baseUrl}/.well-known/jwks.json`,
    }),
  )(token);

it.each<[string, () => Promise<Response>, number, string]>([
  ['a wrong secret', () => ask(CLIENT_CREDENTIALS, basic(undefined, 'guess')), 401, 'invalid_client'],
  ['an unknown client', () => ask(CLIENT_CREDENTIALS, basic('nobody')), 401, 'invalid_client'],
  ['no client', () => ask(CLIENT_CREDENTIALS, {}), 401, 'invalid_client'],
  ['two secrets', () => ask({ ...CLIENT_CREDENTIALS, client_secret: 'x' }), 400, 'invalid_request'],
  ['another grant', () => ask({ grant_type: 'password' }), 400, 'unsupported_grant_type'],
  ['no grant', () => ask({}), 400, 'unsupported_grant_type'],
  ['another scope', () => ask({ ...CLIENT_CREDENTIALS, scope: 'assets:write' }), 400, 'invalid_scope'],
  ['a grant twice', () => ask('grant_type=a&grant_type=b'), 400, 'invalid_request'],
  ['JSON', () => ask('{}', { 'content-type': 'application/json' }), 400, 'invalid_request'],
  ['a long form', () => ask({ ...CLIENT_CREDENTIALS, x: 'x'.repeat(10_000) }), 400, 'invalid_request'],
])('rejects %s as in RFC 6749', async (_, asking, status, error) => {
  const answer = await asking();
  expect([answer.status, (await json<{ error: string }>(answer)).error]).toEqual([status, error]);
  expect(answer.headers.has('www-authenticate')).toBe(status === 401);
});

it('does not publish the private key, and stores it readable by its owner only', async () => {
  const { keys } = await json<{ keys: JWK[] }>(await fetch(`${cloud.baseUrl}/.well-known/jwks.json`));
  expect(keys.map((key) => Object.keys(key).toSorted())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']]);
  for (const file of ['oauth-key.pem', 'operator.json'])
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
});

it('a token, the client and its secret survive a restart', async () => {
  const before = outputs;
  const token = await newToken();
  await cloud.close();
  await start();
  expect(outputs).toEqual(before);
  await verify(token);
});
