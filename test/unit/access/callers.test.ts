import { type ApiKey, keyHash, newKey } from '../../../lambda/access/api-key.ts';
import { Callers, requireScope } from '../../../lambda/access/callers.ts';
import { invalid } from '../../../lambda/access/credential-errors.ts';
import { OriginSecrets, originSecretDigest } from '../../../lambda/access/origin-secrets.ts';
import type { StageItem } from '../../../lambda/access/stage-state.ts';
import { viewerAddress } from '../../../lambda/access/viewer-address.ts';
import { testRows } from '../../support/rows.ts';

describe('viewerAddress', () => {
  const named = (address: string) => ({ 'x-ptp-viewer-address': address });

  testRows([
    ['the address that API Gateway sees', false, {}, '192.0.2.1'],
    ['a forged X-Forwarded-For', false, { 'x-forwarded-for': '198.51.100.7' }, '192.0.2.1'],
    ['a forged CloudFront-Viewer-Address', false, { 'cloudfront-viewer-address': '198.51.100.7:443' }, '192.0.2.1'],
    ['our header of a direct request', false, named('198.51.100.7'), '192.0.2.1'],
    ['our header through the distribution', true, named('198.51.100.7'), '198.51.100.7'],
    ['IPv6, by /56', true, named('2001:db8:1:202:3:4:5:6'), '2001:db8:1:200::/56'],
    ['another network of that /56', true, named('2001:0DB8:0001:02ff:ffff::1'), '2001:db8:1:200::/56'],
    ['the next /56', true, named('2001:db8:1:300::1'), '2001:db8:1:300::/56'],
    ['short IPv6', true, named('2001:db8::1'), '2001:db8:0:0::/56'],
    ['loopback', true, named('::1'), '0:0:0:0::/56'],
    ['IPv4 in IPv6', true, named('::ffff:203.0.113.9'), '203.0.113.9'],
  ])(
    'is that of our header through the distribution only, and IPv6 by network',
    (_, throughDistribution: boolean, headers: Record<string, string>, expected) => {
      expect(viewerAddress({ headers, sourceIp: '192.0.2.1', throughDistribution })).toBe(expected);
    },
  );
});

describe('the caller', () => {
  const { id, key } = newKey();
  let now = 1_000;
  let record: ApiKey | undefined;
  let lookups = 0;
  let callers: Callers;
  const identify = (headers: Record<string, string>) => callers.identify({ headers, sourceIp: '192.0.2.1' });

  beforeEach(() => {
    lookups = 0;
    record = { id, name: 'me', scopes: ['assets:write'], hash: keyHash(key), createdAt: 1 };
    const findKey = async (wanted: string) => {
      lookups++;
      return record?.id === wanted ? record : undefined;
    };
    const verifyToken = async (token: string) => {
      if (token !== 'a.good.token') throw invalid('The token has expired');
      return { id: 'token:subject', scopes: ['assets:write'] };
    };
    callers = new Callers(findKey, verifyToken, { anonymous: 10, key: 100 }, () => now);
  });

  it('is identified by address without a credential', async () => {
    expect(await identify({})).toEqual({ caller: { id: 'address:192.0.2.1', limit: 10 } });
  });

  testRows([
    { authorization: `Bearer ${key}` },
    { authorization: `bearer ${key}` },
    { 'x-api-key': key },
    { authorization: `Bearer ${key}`, 'x-api-key': key },
    { authorization: 'Basic cHJveHk6cGFzcw==', 'x-api-key': key },
    { authorization: '', 'x-api-key': key },
  ])('is identified by its key, however the header is written', async (headers) => {
    const { caller, refusal } = await identify(headers as Record<string, string>);
    expect(refusal).toBeUndefined();
    expect(caller).toEqual({
      id: `key:${id}`,
      limit: 100,
      credential: { kind: 'key', scopes: ['assets:write'] },
    });
  });

  it('is the owner of a rotated key', async () => {
    record = { ...(record as ApiKey), owner: 'the-first-key' };
    expect((await identify({ 'x-api-key': key })).caller.id).toBe('key:the-first-key');
  });

  it('is the subject of a token', async () => {
    expect((await identify({ authorization: 'Bearer a.good.token' })).caller).toEqual({
      id: 'token:subject',
      limit: 100,
      credential: { kind: 'token', scopes: ['assets:write'] },
    });
    const { caller, refusal } = await identify({ authorization: 'Bearer an.old.token' });
    expect([caller.id, refusal?.status, refusal?.message]).toEqual(['address:192.0.2.1', 401, 'The token has expired']);
    expect(refusal?.headers['WWW-Authenticate']).toBe(
      'Bearer realm="prompt-to-project", error="invalid_token", error_description="The token has expired"',
    );
  });

  it.each([
    [{ expiresAt: 2 }, 'The API key has expired'],
    [{ hash: keyHash('another') }, 'The API key is not valid'],
  ])('gets the reason why a key is rejected: %j', async (change, message) => {
    record = { ...(record as ApiKey), ...change };
    expect((await identify({ 'x-api-key': key })).refusal?.message).toBe(message);
  });

  it.each([
    ['a typo, without a look-up', { authorization: 'Bearer ptp_nonsense' }, 0],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }, 0],
    ['a wrong secret', { 'x-api-key': newKey().key }, 1],
  ])('is rejected with %s, and counts by address', async (_, headers, expectedLookups) => {
    const { caller, refusal } = await identify(headers as Record<string, string>);
    expect(refusal?.status).toBe(401);
    expect(refusal?.headers['WWW-Authenticate']).toMatch(/^Bearer/);
    expect(caller).toEqual({ id: 'address:192.0.2.1', limit: 10 });
    expect(lookups).toBe(expectedLookups);
  });

  it.each([
    [{ authorization: `Bearer ${key}`, 'x-api-key': newKey().key }, 400, 'send one credential'],
    [{ 'x-api-key': 'a.good.token' }, 401, 'send an access token as Authorization: Bearer'],
    [{ authorization: key }, 401, 'put Bearer before the key'],
  ])('gets instructions for a malformed credential', async (headers, status, message) => {
    const { caller, refusal } = await identify(headers as unknown as Record<string, string>);
    expect(refusal).toMatchObject({ status, message: expect.stringContaining(message) });
    expect(caller.id).toBe('address:192.0.2.1');
    expect(lookups).toBe(0);
  });

  it('caches a key for a minute, after which a revoked one is rejected', async () => {
    for (let i = 0; i < 5; i++) await identify({ 'x-api-key': key });
    expect(lookups).toBe(1);
    record = { ...(record as ApiKey), revokedAt: now };
    now += 59_999;
    expect((await identify({ 'x-api-key': key })).refusal).toBeUndefined();
    now += 1;
    expect((await identify({ 'x-api-key': key })).refusal?.status).toBe(401);
  });

  it('needs the scope exactly', async () => {
    const { caller } = await identify({ 'x-api-key': key });
    expect(requireScope(caller, 'assets:write')).toBe(caller);
    for (const scope of ['assets', 'assets:writer', 'assets:read']) {
      expect(() => requireScope(caller, scope)).toThrow(`lacks the scope ${scope}`);
    }
    expect(() => requireScope({ id: 'address:a', limit: 10 }, 'assets:write')).toThrow('needs an API key');
  });
});

describe('origin secrets', () => {
  const [deployed, next, latest] = ['deployed', 'next', 'latest'].map(originSecretDigest) as [string, string, string];

  /** Returns which of the secrets count, for a function that was deployed with the first one. */
  async function accepted(state: StageItem): Promise<string[]> {
    const secrets = new OriginSecrets('deployed', { current: async () => state });
    const sent = ['deployed', 'next', 'latest', 'guess', ''];
    const results = await Promise.all(
      sent.map((secret) => secrets.areSentWith({ headers: { 'x-ptp-origin-secret': secret } })),
    );
    return sent.filter((_, at) => results[at]);
  }

  testRows([
    ['before any rotation', {}, ['deployed']],
    ['while both values are sent', { originSecrets: [deployed, next] }, ['deployed', 'next']],
    ['after a rotation', { originSecrets: [next], retiredOriginSecrets: [deployed] }, ['next']],
    ['after two rotations', { originSecrets: [latest], retiredOriginSecrets: [deployed, next] }, ['latest']],
    // The distribution sends the new value, which the state has never seen.
    [
      'after a deployment that replaced the secret',
      { originSecrets: [next], retiredOriginSecrets: [latest] },
      ['deployed', 'next'],
    ],
  ])('accepts the secrets that the distribution may send', async (_, state, expected) => {
    expect(await accepted(state)).toEqual(expected);
  });

  it('does not read the state for a request without a secret', async () => {
    const current = () => Promise.reject(new Error('not to be read'));
    expect(await new OriginSecrets('deployed', { current }).areSentWith({ headers: {} })).toBe(false);
  });

  it('keeps to the last state while it cannot be read', async () => {
    let state = async (): Promise<StageItem> => ({ originSecrets: [next], retiredOriginSecrets: [deployed] });
    const secrets = new OriginSecrets('deployed', { current: () => state() });
    const sent = (secret: string) => secrets.areSentWith({ headers: { 'x-ptp-origin-secret': secret } });
    await sent('next');
    state = () => Promise.reject(new Error('no table'));
    expect(await Promise.all(['deployed', 'next', 'guess'].map(sent))).toEqual([false, true, false]);
  });

  it('does not decide before it has read the state', async () => {
    const current = () => Promise.reject(new Error('no table'));
    const headers = { 'x-ptp-origin-secret': 'deployed' };
    await expect(new OriginSecrets('deployed', { current }).areSentWith({ headers })).rejects.toThrow('no table');
  });
});
