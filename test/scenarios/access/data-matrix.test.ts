import { main as takedownMain } from '../../../cli/takedown.ts';
import { newCaller, type Sent } from '../../support/cloud/client.ts';
import { cloud as sharedCloud } from '../../support/cloud/cloud.ts';
import { operate } from '../../support/cloud/keys.ts';
import { page } from '../../support/gate/sample.ts';
import { cookieOf, visitorOf } from '../../support/private-pages.ts';
import { testRows } from '../../support/rows.ts';
import { expire } from '../../support/tables.ts';
import { ownOrigins } from '../clouds.ts';

const TEXT = { type: 'object', properties: { text: { type: 'string' } } };
const OWN_RULES = {
  messages: {
    create: 'visitor',
    read: 'visitor',
    update: 'author',
    delete: 'author',
    count: 'visitor',
    schema: TEXT,
  },
  answers: { create: 'visitor', schema: TEXT },
  notes: { schema: TEXT },
};
const SHARED_RULES = {
  ...OWN_RULES,
  messages: { create: 'visitor', read: 'visitor', count: 'visitor', schema: TEXT },
};
/** The gate holds it. */
const KIT = page('PayPal', '<form action="https://a.example/"><input type="password"></form>');

const own = await ownOrigins();
const ORIGINS = {
  own: { baseUrl: own.baseUrl, stateDir: own.stateDir, rules: OWN_RULES },
  shared: { baseUrl: sharedCloud().baseUrl, stateDir: String(sharedCloud().stateDir), rules: SHARED_RULES },
};
type Origin = keyof typeof ORIGINS;

/** Whose browser it is. The owner's has opened the link, the author's has created an item. */
const BROWSERS = ['a visitor', 'the author', 'the owner'] as const;
type Browser = (typeof BROWSERS)[number];

interface Site {
  readonly id: string;
  /** Sends a request to the data as a browser does. */
  readonly send: (browser: Browser, path: string, sent?: Sent) => Promise<{ status: number }>;
  /** Of the author. */
  readonly message: string;
  /** Another one, which is left once the author has deleted the first. */
  readonly spare: string;
  readonly answer: string;
}

/** A site with items of an author in two collections. */
async function siteOf(origin: Origin): Promise<Site & { readonly update: Update }> {
  const { baseUrl, rules } = ORIGINS[origin];
  const projectId = crypto.randomUUID();
  const declaration = { path: '_data.json', content: JSON.stringify(rules) };
  let token: Record<string, string> = {};
  const deploy = async (content: string) => {
    const body = { projectId, files: [{ path: 'index.html', content }, declaration] };
    const response = await newCaller(baseUrl).post('/api/v1/deploy', body, token);
    token = { 'x-deployment-token': String(response.headers['x-deployment-token']) };
    return response.json.id as string;
  };
  const id = await deploy('<title>Site</title>');
  const api = (path: string, sent: Sent) =>
    newCaller(baseUrl).send(`/api/v1/deployments/${id}${path}`, { ...sent, headers: token });
  const visit =
    origin === 'own'
      ? visitorOf(id, baseUrl)
      : (path: string, sent: Sent = {}) => newCaller(baseUrl).send(`/d/${id}${path}`, sent);
  const jars: Record<Browser, object> = { 'a visitor': {}, 'the author': {}, 'the owner': {} };
  if (origin === 'own') {
    const { url } = (await api('/data/link', { method: 'POST' })).json;
    const { pathname, search } = new URL(url);
    jars['the owner'] = cookieOf(await visit(pathname + search));
  }
  const send = (browser: Browser, path: string, { headers, ...sent }: Sent = {}) => {
    const all = {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      ...jars[browser],
      ...headers,
    };
    return visit(`/.data/${path}`, { ...sent, headers: all });
  };
  const create = async (collection: string) => {
    const created = await send('the author', collection, { method: 'POST', body: { text: 'Hello' } });
    if (created.headers['set-cookie']) jars['the author'] = cookieOf(created);
    return created.json.id as string;
  };
  return {
    id,
    send,
    message: await create('messages'),
    spare: await create('messages'),
    answer: await create('answers'),
    update: { api, deploy },
  };
}

interface Update {
  readonly api: (path: string, sent: Sent) => Promise<unknown>;
  readonly deploy: (content: string) => Promise<unknown>;
}

/** What becomes of the site before it is asked. */
const KINDS = {
  public: async () => {},
  private: ({ update }) => update.api('', { method: 'PATCH', body: { access: 'link' } }),
  held: ({ update }) => update.deploy(KIT),
  expired: ({ id }, { stateDir, baseUrl }) => expire(id, { stateDir, baseUrl } as never),
  'taken down': ({ id }, { stateDir }) => operate(takedownMain, [id, '--yes'], stateDir),
} satisfies Record<string, (site: Site & { update: Update }, at: (typeof ORIGINS)[Origin]) => Promise<unknown>>;
type Kind = keyof typeof KINDS;

const BODY = { text: 'Changed' };
/** In the order in which they are tried on one site: none changes what a later one gets. */
const OPERATIONS = {
  rights: ({ send }, browser) => send(browser, ''),
  list: ({ send }, browser) => send(browser, 'messages'),
  'list what is the owner’s': ({ send }, browser) => send(browser, 'answers'),
  read: ({ send, message }, browser) => send(browser, `messages/${message}`),
  count: ({ send }, browser) => send(browser, 'messages/count'),
  create: ({ send }, browser) => send(browser, 'messages', { method: 'POST', body: BODY }),
  'create what is the owner’s': ({ send }, browser) => send(browser, 'notes', { method: 'POST', body: BODY }),
  change: ({ send, message }, browser) => send(browser, `messages/${message}`, { method: 'PATCH', body: BODY }),
  approve: ({ send, answer }, browser) => send(browser, `answers/${answer}/approve`, { method: 'POST' }),
  delete: ({ send, message, spare }, browser) =>
    send(browser, `messages/${browser === 'the owner' ? spare : message}`, { method: 'DELETE' }),
} satisfies Record<string, (site: Site, browser: Browser) => Promise<{ status: number }>>;
type Operation = keyof typeof OPERATIONS;

// Columns: a visitor, the author, the owner.
const OPEN: Readonly<Record<Origin, Readonly<Record<Operation, readonly number[]>>>> = {
  own: {
    rights: [200, 200, 200],
    list: [200, 200, 200],
    'list what is the owner’s': [403, 403, 200],
    read: [200, 200, 200],
    count: [200, 200, 200],
    create: [201, 201, 201],
    'create what is the owner’s': [403, 403, 201],
    change: [403, 200, 200],
    approve: [403, 403, 200],
    delete: [403, 204, 204],
  },
  // Nobody is the owner there, and nobody an author.
  shared: {
    rights: [200, 200, 200],
    list: [200, 200, 200],
    'list what is the owner’s': [403, 403, 403],
    read: [200, 200, 200],
    count: [200, 200, 200],
    create: [201, 201, 201],
    'create what is the owner’s': [403, 403, 403],
    change: [403, 403, 403],
    approve: [403, 403, 403],
    delete: [403, 403, 403],
  },
};

const CLOSED: Readonly<Record<Exclude<Kind, 'public' | 'private'>, number>> = {
  held: 403,
  expired: 410,
  'taken down': 451,
};

/** Returns what the browsers get. */
function expected(origin: Origin, kind: Kind, operation: Operation): readonly number[] {
  const open = OPEN[origin][operation];
  if (kind === 'public') return open;
  if (kind === 'private') return [403, 403, open[2] ?? 0];
  return BROWSERS.map(() => CLOSED[kind]);
}

// Pages of a shared origin cannot be private.
const ROWS = (Object.keys(ORIGINS) as Origin[]).flatMap((origin) =>
  (Object.keys(KINDS) as Kind[])
    .filter((kind) => origin === 'own' || kind !== 'private')
    .map((kind): [Origin, Kind] => [origin, kind]),
);

testRows(ROWS)('who may do what with the data on an origin that is %s, of a page that is %s', async (origin, kind) => {
  const operations = Object.keys(OPERATIONS) as Operation[];
  const site = await siteOf(origin);
  await KINDS[kind](site, ORIGINS[origin]);
  const got: Record<string, readonly number[]> = {};
  for (const operation of operations) {
    const statuses: number[] = [];
    for (const browser of BROWSERS) statuses.push((await OPERATIONS[operation](site, browser)).status);
    got[operation] = statuses;
  }
  expect(got).toEqual(
    Object.fromEntries(operations.map((operation) => [operation, expected(origin, kind, operation)])),
  );
});

test('an address under the base URL leads to the origin of the site, with the method', async () => {
  const { id } = await siteOf('own');
  const sent = { method: 'POST', body: BODY };
  const { status, headers } = await newCaller(own.baseUrl).send(`/d/${id}/a/.data/messages?x=1`, sent);
  expect([status, headers.location]).toEqual([
    307,
    `http://${id}.sites.localhost:${new URL(own.baseUrl).port}/a/.data/messages?x=1`,
  ]);
});
