import { newKey as generateKey } from '../../lambda/access/api-key.ts';
import { newCaller, type TestResponse } from '../support/cloud/client.ts';
import { cloud } from '../support/cloud/cloud.ts';
import { openEvents, until } from '../support/cloud/events.ts';
import { keys, newKey } from '../support/cloud/keys.ts';
import { badTokens, newToken, noteIssued, tokenWithoutScope } from '../support/cloud/tokens.ts';
import { withinOneDay } from '../support/one-day.ts';
import { testRows } from '../support/rows.ts';

type Headers = Record<string, string>;

const bearer = (credential: string): Headers => ({ authorization: `Bearer ${credential}` });

/** A request for every operation, invalid where a valid one would have an effect: 400 means that it was admitted. */
interface Target {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

let targets: Record<string, Target>;

let owner: Headers;

beforeEach(withinOneDay);

beforeAll(async () => {
  owner = bearer(await newKey());
  const caller = newCaller();
  const deployed = await caller.post('/api/v1/deploy', { files: [{ path: 'a', content: 'a' }] }, owner);
  const asset = await caller.post('/api/v1/assets/user-assets/', { attributes: { type: 'image/png', size: 9 } }, owner);
  targets = {
    generate: { method: 'POST', path: '/api/v1/generate', body: {} },
    deploy: { method: 'POST', path: '/api/v1/deploy', body: {} },
    report: { method: 'POST', path: '/api/v1/reports', body: {} },
    generations: { method: 'GET', path: '/api/v1/generations/unknown' },
    deployments: { method: 'GET', path: `/api/v1/deployments/${deployed.json.id}` },
    assets: { method: 'GET', path: `/api/v1/assets/user-assets/${asset.json.asset_id}/` },
    createAsset: { method: 'POST', path: '/api/v1/assets/user-assets/', body: { attributes: 7 } },
    updateAsset: {
      method: 'PATCH',
      path: `/api/v1/assets/user-assets/${asset.json.asset_id}/`,
      body: 'no JSON',
    },
    usage: { method: 'GET', path: '/api/v1/usage' },
    listGenerations: { method: 'GET', path: '/api/v1/generations' },
    listDeployments: { method: 'GET', path: '/api/v1/deployments' },
    listAssets: { method: 'GET', path: '/api/v1/assets/user-assets/' },
  };
});

/** Sends a request for every operation, each from an address of its own. */
async function sendAll(headers: Headers): Promise<{ statuses: Record<string, number>; answers: TestResponse[] }> {
  const asked = await Promise.all(
    Object.entries(targets).map(async ([name, { method, path, body }]) => {
      const sent = { method, headers, ...(body === undefined ? {} : { body }) };
      return [name, await newCaller().send(path, sent)] as const;
    }),
  );
  return {
    statuses: Object.fromEntries(asked.map(([name, { status }]) => [name, status])),
    answers: asked.map(([, answer]) => answer),
  };
}

const admitted = { generate: 400, deploy: 400, report: 400, generations: 404 };

/** Operations that need a credential without a scope. */
const own = (status: number) => ({ usage: status, listGenerations: status, listDeployments: status });

/** The body is validated only for callers with the scope. */
const assets = (get: number, create = get, update = get) => ({
  assets: get,
  createAsset: create,
  updateAsset: update,
  listAssets: get === 404 ? 200 : get,
});

it.each<[string, () => Promise<Headers>, Record<string, number>]>([
  ['no credential', async () => ({}), { ...admitted, deployments: 401, ...assets(401), ...own(401) }],
  ['its owner’s key', async () => owner, { ...admitted, deployments: 200, ...assets(200, 400, 415), ...own(200) }],
  [
    'another owner’s key',
    async () => bearer(await newKey()),
    { ...admitted, deployments: 403, ...assets(404, 400, 415), ...own(200) },
  ],
  [
    'a token',
    async () => bearer(await newToken()),
    { ...admitted, deployments: 403, ...assets(404, 400, 415), ...own(200) },
  ],
  [
    'a key without the scope',
    async () => bearer(await newKey('--scopes', '')),
    { ...admitted, deployments: 403, ...assets(403), ...own(200) },
  ],
  [
    'a token without the scope',
    async () => bearer(await tokenWithoutScope()),
    { ...admitted, deployments: 403, ...assets(403), ...own(200) },
  ],
])('authorizes each operation with %s', async (_, credential, expected) => {
  const { statuses, answers } = await sendAll(await credential());
  expect(statuses).toEqual(expected);
  for (const { status, json } of answers.filter((answer) => answer.status >= 400)) {
    expect(json).toEqual({ error: expect.any(String) });
    if (status === 403) expect(json.error).toMatch(/assets:write|another credential/);
  }
});

describe('an invalid credential', () => {
  const refused: Record<string, () => Promise<Headers>> = {
    'an empty key': async () => ({ 'x-api-key': '' }),
    'a malformed key': async () => bearer('ptp_nonsense'),
    'a mistyped key': async () => bearer((await newKey()).replace(/.$/, 'x')),
    'an unknown key': async () => bearer(noteIssued(generateKey().key)),
    'another scheme': async () => ({ authorization: 'Basic dXNlcjpwYXNz' }),
    'a revoked key': async () => {
      const key = await newKey();
      await keys('revoke', key.split('_')[1] ?? '');
      return bearer(key);
    },
    'an expired key': async () => {
      const key = await newKey();
      // Without a grace time, the old key of a rotation expires at once.
      noteIssued((await keys('rotate', key.split('_')[1] ?? '', '--grace', '0h')).trim());
      return bearer(key);
    },
  };
  const tokens = [
    'no JWT',
    'another signature',
    'expired',
    'another issuer',
    'another audience',
    'alg none',
    'HS256 signed with the public key',
    'an ID token',
  ];
  const all: [string, () => Promise<Headers>][] = [
    ...Object.entries(refused),
    ...tokens.map(
      (name) =>
        [`a token: ${name}`, async () => bearer((await badTokens())[name] ?? '')] as [string, () => Promise<Headers>],
    ),
  ];

  testRows(all)('returns 401 for every operation', async (_, credential) => {
    const { statuses, answers } = await sendAll(await credential());
    expect(new Set(Object.values(statuses))).toEqual(new Set([401]));
    for (const { headers, json } of answers) {
      expect(json).toEqual({ error: expect.any(String) });
      expect(headers['www-authenticate']).toMatch(/^Bearer realm=/);
      // The request counts for the address that sent it.
      expect(headers['x-ratelimit-limit']).toBe('10');
      expect(headers['x-ratelimit-remaining']).toBe('9');
    }
  });
});

it('only errors carry the challenge, which API Gateway renames', async () => {
  const caller = newCaller();
  const wrong = await caller.send('/api/v1/usage', { headers: bearer('ptp_wrong') });
  expect(wrong).toMatchObject({
    status: 401,
    headers: {
      'www-authenticate': 'Bearer realm="prompt-to-project"',
      'x-amzn-remapped-www-authenticate': expect.stringContaining('error="invalid_token"'),
    },
  });
  for (const method of ['OPTIONS', 'POST']) {
    const { status, headers } = await caller.send('/api/v1/deploy', {
      method,
      body: { files: [{ path: 'a.txt', content: 'a' }] },
    });
    expect([status, headers['www-authenticate']]).toEqual([method === 'POST' ? 201 : 204, undefined]);
  }
});

describe('usage', () => {
  it('includes uncounted calls over the rate limit, but not rejected ones', async () => {
    const headers = bearer(await newKey('--limit', '1'));
    const caller = newCaller();
    const statuses: number[] = [];
    for (const method of ['POST', 'POST', 'GET', 'GET'])
      statuses.push((await caller.send('/api/v1/deploy', { method, headers, body: {} })).status);
    for (const _ of [1, 2]) statuses.push((await caller.send('/api/v1/usage', { headers })).status);
    expect(statuses).toEqual([400, 429, 405, 405, 200, 200]);
    const usage = await caller.send('/api/v1/usage', { headers });
    expect(usage.json.days[0].operations.getUsage.calls).toBe(2);
    expect(usage.json.days[0].operations.deploy).toMatchObject({ calls: 1, statuses: { '400': 1 } });
  });

  testRows(['/api/v1/usage', '/api/v1/deployments/abcdefghijkl'])('ignores unknown query parameters', async (path) => {
    const send = async (query: string) => (await newCaller().send(path + query, { headers: owner })).status;
    expect(await send('?unknown=1&_=2')).toBe(await send(''));
  });

  testRows([
    ['to=0000-01-01', /to must be a day/],
    ['from=yesterday', /from/],
    ['from=2026-11-02&to=2026-11-01', /must not be after/],
    ['from=2020-01-01&to=2026-11-01', /at most 400/],
  ])('rejects an invalid period', async (query, message) => {
    const answer = await newCaller().send(`/api/v1/usage?${query}`, { headers: owner });
    expect(answer).toMatchObject({ status: 400, json: { error: expect.stringMatching(message) } });
  });
});

const GENERATE = '/api/v1/generate';

/** Its project has characters of more than one byte. */
const PROJECT = { prompt: 'a quiz about “Käse”', model: 'provider-a' };

const credential = async (): Promise<Headers> => ({ authorization: `Bearer ${await newKey()}` });

/** Returns the caller's usage by operation. */
async function operationsOf(headers: Headers, baseUrl = cloud().baseUrl) {
  const { json } = await newCaller(baseUrl).send('/api/v1/usage', { headers });
  return Object.assign({}, ...json.days.map(({ operations }: { operations: object }) => operations));
}

/** The ways to generate. Each resolves with the id of an ended generation. */
const WAYS: Readonly<Record<string, (headers: Headers) => Promise<string>>> = {
  'a waiting request': async (headers) => {
    const answer = await newCaller().post(GENERATE, PROJECT, headers);
    return String(answer.headers['x-generation-id']);
  },
  'server-sent events': async (headers) => {
    const source = await openEvents(new URL(GENERATE, cloud().baseUrl), {
      method: 'POST',
      headers,
      body: PROJECT,
      localAddress: newCaller().address,
    });
    await source.ended;
    return String(source.headers['x-generation-id']);
  },
  'Prefer: respond-async': async (headers) => {
    const { json } = await newCaller().post(GENERATE, PROJECT, { ...headers, prefer: 'respond-async' });
    const status = async () => (await newCaller().send(`/api/v1/generations/${json.id}`, { headers })).json.status;
    await until(async () => (await status()) === 'succeeded');
    return json.id;
  },
};

it.each(Object.entries(WAYS))('%s is recorded once, and reads record nothing', async (_, generate) => {
  const [headers, stranger] = [await credential(), await credential()];
  const id = await generate(headers);
  const read = (by: Headers) => newCaller().send(`/api/v1/generations/${id}/result`, { headers: by });
  const [{ json: project }, , refused] = [await read(headers), await read(headers), await read(stranger)];
  expect(refused.status).toBe(404);
  const bytes = project.files.reduce(
    (sum: number, { content }: { content: string }) => sum + Buffer.byteLength(content),
    0,
  );
  const all = async () => ({ own: await operationsOf(headers), other: await operationsOf(stranger) });
  await until(async () => {
    const { own, other } = await all();
    return own.generate?.tokens > 0 && own.getGenerationResult?.calls === 2 && other.getGenerationResult;
  });
  const { own, other } = await all();
  expect(own.generate).toMatchObject({
    calls: 1,
    tokens: project.tokensUsed,
    files: project.fileCount,
    bytes,
  });
  const nothing = { tokens: 0, files: 0, bytes: 0 };
  expect(own.getGenerationResult).toMatchObject({ calls: 2, ...nothing });
  expect(other.getGenerationResult).toMatchObject({ calls: 1, ...nothing });
  expect(other).not.toHaveProperty('generate');
});
