import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, QUICK } from '../lambda/platform/aws.ts';
import { authorKey, itemKey } from '../lambda/stored/data/keys.ts';
import { exactly, type Figure, measureMs, ratio } from './figure.ts';
import { callsOf, handlerOf, type Invoke } from './invoke.ts';

const env = (name: string) => process.env[name] ?? '';
const db = documentClient(QUICK);

const RULES = {
  messages: {
    create: 'visitor',
    read: 'visitor',
    schema: {
      type: 'object',
      required: ['name', 'text'],
      properties: { name: { type: 'string', maxLength: 80 }, text: { type: 'string', maxLength: 600 } },
    },
  },
  registrations: {
    create: 'visitor',
    unique: 'email',
    schema: {
      type: 'object',
      required: ['email'],
      properties: { email: { type: 'string', format: 'email' } },
    },
  },
};

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

const HEADERS = { 'Sec-Fetch-Site': 'same-origin' };

/** Deploys a page with data, and returns its id. */
async function deploy(invoke: Invoke): Promise<string> {
  const files = [
    { path: 'index.html', content: '<!doctype html><title>Guests</title><h1>Guests</h1>' },
    { path: '_data.json', content: JSON.stringify(RULES) },
  ];
  const { status, body } = await invoke({ path: '/api/v1/deploy', body: base64({ files }) });
  if (status >= 300) throw new Error(`the deploy failed: ${status} ${body}`);
  return (JSON.parse(body) as { id: string }).id;
}

/** The calls of a creation, without what they are for: the pointer, a counter twice, an item that two indexes have, and a claim. */
function bareCalls(id: string, withClaim: boolean) {
  const TableName = env('DATA_TABLE');
  const item = crypto.randomUUID();
  const put = (key: string, attributes = {}) =>
    db.send(new PutCommand({ TableName, Item: { site: id, key, ...attributes } }));
  return {
    pointer: () => db.send(new GetCommand({ TableName: env('DEPLOYMENTS_TABLE'), Key: { id }, ConsistentRead: true })),
    count: () =>
      db.send(
        new UpdateCommand({
          TableName,
          Key: { site: id, key: 'bare' },
          UpdateExpression: 'ADD #items :one',
          ExpressionAttributeNames: { '#items': 'items' },
          ExpressionAttributeValues: { ':one': 1 },
        }),
      ),
    claim: async () => withClaim && (await put(`bare#${item}`)),
    item: () =>
      put(itemKey('bare', item), {
        shownKey: itemKey('bare', item),
        authorKey: authorKey('bare', 'author', item),
        text: JSON.stringify({ name: 'Ada', text: 'A wish' }),
      }),
  };
}

/** All writes at the same time, which no creation that counts can make. */
async function parallel(id: string, withClaim: boolean): Promise<void> {
  const { count, claim, item } = bareCalls(id, withClaim);
  await Promise.all([count(), claim(), item(), count()]);
}

/** The calls in the order in which they depend on each other. */
async function inOrder(id: string, withClaim: boolean): Promise<void> {
  const { pointer, count, claim, item } = bareCalls(id, withClaim);
  await pointer();
  await Promise.all([count(), claim()]);
  await item();
  await count();
}

async function measureAll(): Promise<Figure[]> {
  const id = await deploy(await handlerOf('DeploymentsApi'));
  const invoke = await handlerOf('DataApi');
  const path = (name: string) => `/data/d/${id}/.data/${name}`;
  const create = async (name: string, fields: object) => {
    const { status, body } = await invoke({ path: path(name), headers: HEADERS, body: base64(fields) });
    if (status !== 201) throw new Error(`expected status 201, got ${status}: ${body}`);
  };
  const message = () => create('messages', { name: 'Ada', text: 'A wish' });
  const registration = () => create('registrations', { email: `${crypto.randomUUID()}@example.com` });
  await message();
  const listed = await invoke({ method: 'GET', path: path('messages'), headers: HEADERS });
  const ifNoneMatch = { ...HEADERS, 'If-None-Match': listed.headers.ETag ?? '' };
  const unchanged = async () => {
    const { status } = await invoke({ method: 'GET', path: path('messages'), headers: ifNoneMatch });
    if (status !== 304) throw new Error(`expected status 304, got ${status}`);
  };
  const getItems = () =>
    Promise.all([
      db.send(new GetCommand({ TableName: env('DEPLOYMENTS_TABLE'), Key: { id }, ConsistentRead: true })),
      db.send(
        new GetCommand({
          TableName: env('DATA_TABLE'),
          Key: { site: id, key: 'state' },
          ConsistentRead: true,
        }),
      ),
    ]);
  const watched = await callsOf(unchanged);
  const watch = await ratio(
    'a 304 of watch / two parallel GetItems',
    { atMost: 1.3 },
    () => measureMs(unchanged),
    () => measureMs(getItems),
    { rounds: 200 },
  );
  return [
    watch,
    exactly('a 304 of watch, DynamoDB reads', watched.reads, 2),
    exactly('a creation, DynamoDB writes', (await callsOf(message)).writes, 3),
    ...(await againstFloors('a creation', message, id, false)),
    ...(await againstFloors('a creation with a unique value', registration, id, true)),
  ];
}

/** Measures a creation against its calls, sent bare in their order, and against its writes, sent bare and at the same time. */
async function againstFloors(
  name: string,
  create: () => Promise<void>,
  id: string,
  withClaim: boolean,
): Promise<Figure[]> {
  const against = (what: string, floor: typeof inOrder) =>
    ratio(
      `${name} / its ${what}`,
      { atMost: 1.5 },
      () => measureMs(create),
      () => measureMs(() => floor(id, withClaim)),
      { rounds: 100 },
    );
  return [
    await against('calls, bare and in their order', inOrder),
    await against('writes, bare and in parallel', parallel),
  ];
}

console.log(JSON.stringify(await measureAll()));
