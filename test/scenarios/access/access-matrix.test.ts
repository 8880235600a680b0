import { main as keysMain } from '../../../cli/keys.ts';
import { storePictureOfVersion } from '../../support/buckets.ts';
import { newCaller, type Sent, type TestResponse } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import { newToken } from '../../support/cloud/tokens.ts';
import { visitorOf } from '../../support/private-pages.ts';
import { testRows } from '../../support/rows.ts';
import { expire } from '../../support/tables.ts';
import { ownOrigins } from '../clouds.ts';

type Headers = Readonly<Record<string, string>>;

/** Who sends a request, in the order of the columns. The key is the one that claims. */
const CALLERS = [
  'nobody',
  'another token',
  'another key',
  'an access token',
  'the token',
  'the key',
  'the key and the token',
] as const;
type Caller = (typeof CALLERS)[number];

const cloud = await ownOrigins();
let credentials: Readonly<Record<'key' | 'other' | 'accessToken', Headers>>;
let otherToken: Headers;
beforeAll(async () => {
  const bearer = (credential: string) => ({ authorization: `Bearer ${credential.trimEnd()}` });
  const newKey = () => operate(keysMain, ['create', '--name', 'matrix'], cloud.stateDir);
  credentials = {
    key: bearer(await newKey()),
    other: bearer(await newKey()),
    accessToken: bearer(await newToken(cloud)),
  };
  otherToken = (await deploy({})).token;
});

const send = (path: string, sent: Sent = {}) => newCaller(cloud.baseUrl).send(path, sent);
const post = (path: string, body?: unknown, headers: Headers = {}) => send(path, { method: 'POST', body, headers });

const DECLARATION = JSON.stringify({
  messages: { create: 'visitor', schema: { type: 'object', properties: { text: { type: 'string' } } } },
});

async function deploy(more: object, headers: Headers = {}) {
  const files = [
    { path: 'index.html', content: '<title>Matrix</title>' },
    { path: '_data.json', content: DECLARATION },
  ];
  const response = await post('/api/v1/deploy', { files, ...more }, headers);
  const token = { 'x-deployment-token': String(response.headers['x-deployment-token']) };
  const version = String(response.headers.etag).replaceAll('"', '');
  return { response, id: response.json.id as string, token, version };
}

interface Deployment {
  readonly id: string;
  readonly path: string;
  readonly projectId: string;
  readonly token: Headers;
  /** Of the live version. */
  readonly version: string;
}

/** A deployment that was made without a key. */
async function anonymous(settings: object = {}): Promise<Deployment> {
  const projectId = crypto.randomUUID();
  const { id, token, version } = await deploy({ projectId, ...settings });
  return { id, path: `/api/v1/deployments/${id}`, projectId, token, version };
}

const KINDS = {
  anonymous,
  claimed: async () => {
    const made = await anonymous();
    await post(`${made.path}/claim`, undefined, { ...credentials.key, ...made.token });
    return made;
  },
  expired: async () => {
    const made = await anonymous();
    await expire(made.id, cloud);
    return made;
  },
  private: () => anonymous({ access: 'link' }),
} as const;
type Kind = keyof typeof KINDS;

function headersOf(caller: Caller, { token }: Deployment): Headers {
  const { key, other, accessToken } = credentials;
  const headers: Readonly<Record<Caller, Headers>> = {
    nobody: {},
    'another token': otherToken,
    'another key': other,
    'an access token': accessToken,
    'the token': token,
    'the key': key,
    'the key and the token': { ...key, ...token },
  };
  return headers[caller];
}

type Perform = (deployment: Deployment, headers: Headers) => Promise<TestResponse>;

const reading =
  (suffix: string): Perform =>
  ({ path }, headers) =>
    send(path + suffix, { headers });

/** Operations that change nothing: all callers of a row ask for the same deployment. */
const READS = {
  get: reading(''),
  archive: reading('/archive'),
  screenshot: ({ path, version }, headers) => send(`${path}/screenshot?width=390&version=${version}`, { headers }),
  views: reading('/views'),
  data: reading('/data'),
  items: reading('/data/messages'),
  link: ({ path }, headers) => post(`${path}/data/link`, undefined, headers),
  page: ({ id }, headers) => visitorOf(id, cloud.baseUrl)('/', { headers: { ...headers } }),
  zip: ({ id }, headers) => send(`/d/${id}.zip`, { headers }),
  picture: ({ id }, headers) => send(`/d/${id}.png?width=390`, { headers }),
} satisfies Record<string, Perform>;

/** Each caller gets a deployment of its own. */
const CHANGES = {
  redeploy: async ({ projectId }, headers) => (await deploy({ projectId }, headers)).response,
  change: ({ path }, headers) =>
    send(path, { method: 'PATCH', headers, body: { access: 'link', expiresInSeconds: 60 } }),
  // To the live version, which is the only one: who has no right to it does not get that far.
  rollback: ({ path, version }, headers) => post(`${path}/rollback`, { version }, headers),
  claim: ({ path }, headers) => post(`${path}/claim`, undefined, headers),
  'add a domain': ({ path }, headers) =>
    send(`${path}/domains/${crypto.randomUUID()}.localhost`, { method: 'PUT', headers }),
  'clear data': ({ path }, headers) => send(`${path}/data/messages`, { method: 'DELETE', headers }),
  report: ({ id }, headers) => post('/api/v1/reports', { deploymentId: id, reason: 'other' }, headers),
  delete: ({ path }, headers) => send(path, { method: 'DELETE', headers }),
} satisfies Record<string, Perform>;

type Operation = keyof typeof READS | keyof typeof CHANGES;

/** Returns the statuses of all callers, in the order of the columns. */
async function statusesOf(kind: Kind, operation: Operation): Promise<number[]> {
  if (operation in READS) {
    const perform: Perform = READS[operation as keyof typeof READS];
    const deployment = await KINDS[kind]();
    await storePictureOfVersion(deployment.id, deployment.version, Buffer.from('PNG'), cloud);
    const all = CALLERS.map((caller) => perform(deployment, headersOf(caller, deployment)));
    return (await Promise.all(all)).map(({ status }) => status);
  }
  const perform: Perform = CHANGES[operation as keyof typeof CHANGES];
  return Promise.all(
    CALLERS.map(async (caller) => {
      const deployment = await KINDS[kind]();
      const { status } = await perform(deployment, headersOf(caller, deployment));
      if (status >= 400 && kind !== 'expired') await expectUnchanged(kind, deployment);
      return status;
    }),
  );
}

/** Expects that a refused request has changed nothing. */
async function expectUnchanged(kind: Kind, { path, token, version }: Deployment): Promise<void> {
  const { json } = await send(path, { headers: kind === 'claimed' ? credentials.key : token });
  expect(json).toMatchObject({
    version,
    access: kind === 'private' ? 'link' : 'public',
    owner: kind === 'claimed' ? 'key' : 'anonymous',
  });
  if (kind === 'claimed') expect(json).not.toHaveProperty('expiresAt');
  else expect(json.expiresAt).toBeGreaterThan(Date.now() + 86_400_000);
}

/** Allowed to the same callers, for all kinds. */
const MANAGED = ['get', 'screenshot', 'views', 'data', 'items', 'link', 'clear data', 'change', 'rollback'] as const;
const SHOWN = ['page', 'zip', 'picture'] as const;

// Columns: nobody, another token, another key, an access token, the token, the key, the key and the token.
// A redeploy with a key that did not claim the project is a 201: it makes a deployment of that key.
const ROWS = (
  [
    ['anonymous', [...MANAGED, 'delete'], 401, 403, 401, 401, 200, 401, 200],
    ['anonymous', ['archive'], 401, 403, 401, 401, 303, 401, 303],
    ['anonymous', [...SHOWN], 200, 200, 200, 200, 200, 200, 200],
    ['anonymous', ['redeploy'], 200, 403, 201, 201, 200, 201, 403],
    ['anonymous', ['claim'], 401, 401, 401, 401, 401, 401, 200],
    ['anonymous', ['add a domain'], 401, 401, 403, 403, 401, 403, 403],
    ['anonymous', ['report'], 202, 202, 202, 202, 202, 202, 202],

    ['claimed', [...MANAGED, 'claim', 'add a domain', 'delete'], 401, 401, 403, 403, 401, 200, 200],
    ['claimed', ['archive'], 401, 401, 403, 403, 401, 303, 303],
    ['claimed', [...SHOWN], 200, 200, 200, 200, 200, 200, 200],
    ['claimed', ['redeploy'], 403, 403, 201, 201, 403, 200, 403],
    ['claimed', ['report'], 202, 202, 202, 202, 202, 202, 202],

    ['expired', [...MANAGED, 'archive'], 401, 403, 401, 401, 410, 401, 410],
    ['expired', [...SHOWN, 'report'], 410, 410, 410, 410, 410, 410, 410],
    ['expired', ['redeploy'], 201, 403, 201, 201, 201, 201, 403],
    ['expired', ['claim'], 401, 401, 401, 401, 401, 401, 410],
    ['expired', ['add a domain'], 401, 401, 403, 403, 401, 403, 403],
    ['expired', ['delete'], 401, 403, 401, 401, 200, 401, 200],

    ['private', [...MANAGED, 'delete'], 401, 403, 401, 401, 200, 401, 200],
    ['private', ['archive'], 401, 403, 401, 401, 303, 401, 303],
    ['private', [...SHOWN], 403, 403, 403, 403, 403, 403, 403],
    ['private', ['redeploy'], 200, 403, 201, 201, 200, 201, 403],
    ['private', ['claim'], 401, 401, 401, 401, 401, 401, 200],
    ['private', ['add a domain'], 401, 401, 403, 403, 401, 403, 403],
    ['private', ['report'], 202, 202, 202, 202, 202, 202, 202],
  ] satisfies [Kind, Operation[], ...number[]][]
).flatMap(([kind, operations, ...statuses]) =>
  operations.map((operation): [Kind, Operation, ...number[]] => [kind, operation, ...statuses]),
);

for (const each of Object.keys(KINDS))
  testRows(ROWS.filter(([kind]) => kind === each))(
    `who may do what with a deployment that is ${each}`,
    async (kind, operation, ...statuses) => {
      expect(Object.fromEntries((await statusesOf(kind, operation)).map((status, i) => [CALLERS[i], status]))).toEqual(
        Object.fromEntries(statuses.map((status, i) => [CALLERS[i], status])),
      );
    },
  );

it('has each operation for each kind of deployment', () => {
  const operations = [...Object.keys(READS), ...Object.keys(CHANGES)];
  const all = Object.keys(KINDS).flatMap((kind) => operations.map((operation) => `${kind} ${operation}`));
  expect(ROWS.map(([kind, operation]) => `${kind} ${operation}`).toSorted()).toEqual(all.toSorted());
});
