import { setTimeout as sleep } from 'node:timers/promises';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { SiteData } from '../../lambda/stored/data/site-data.ts';
import { siteOf } from '../../lambda/stored/data/site-data.ts';
import { SiteDataTable } from '../../lambda/stored/data/site-data-table.ts';
import { readDeployment } from '../../lambda/stored/deployment.ts';
import { newCaller } from '../support/cloud/client.ts';
import { NO_RATE_LIMIT, startVariant } from '../support/cloud/variant.ts';
import { tableOf } from '../support/tables.ts';

const CREATIONS = 2_000;
const AT_ONCE = 200;
/** Places of the registration, for which there are more addresses, each of which comes twice. */
const PLACES = 300;
const ADDRESSES = 500;
const CRASHES = 6;
/** Repetitions of a request that was cut off: one whose first call died is under way for a minute. */
const REPEATS = 12;

const text = { type: 'string', minLength: 1, maxLength: 100 };
const DECLARATION = {
  messages: {
    create: 'visitor',
    read: 'visitor',
    schema: { type: 'object', required: ['text'], properties: { text } },
  },
  places: {
    create: 'visitor',
    count: 'visitor',
    most: PLACES,
    unique: 'email',
    schema: {
      type: 'object',
      required: ['email'],
      properties: { email: { type: 'string', format: 'email' } },
    },
  },
};

const running = await startVariant({
  ...NO_RATE_LIMIT,
  DATA: { writesPerMinute: 1e6, creationsPerDay: 1e6, anonymousCreationsPerDay: 1e6 },
});
afterAll(() => running.close());

interface Creation {
  readonly collection: 'messages' | 'places';
  readonly fields: Readonly<Record<string, string>>;
  readonly key: string;
}

/** The creations, in the order in which they are sent. */
const creations = Array.from({ length: CREATIONS }, (_, i): Creation => {
  const key = `key-${i}`;
  return i % 2 === 0
    ? { collection: 'messages', fields: { text: key }, key }
    : { collection: 'places', fields: { email: `${((i - 1) / 2) % ADDRESSES}@example.org` }, key };
});

/** Requests that got no answer of the function's. */
let cutOff = 0;

type Outcome = 'created' | 'full' | 'duplicate' | 'unknown';

/** Sends a creation until there is an answer that a page would show. */
async function create(url: string, { collection, fields, key }: Creation): Promise<Outcome> {
  const caller = newCaller(running.baseUrl);
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    if (repeat > 0) await sleep(50 * repeat);
    // An answer that breaks off is as good as a 502: nobody has read it.
    const answer = await caller
      .post(`${url}.data/${collection}`, fields, { 'idempotency-key': key })
      .catch(() => undefined);
    if (answer?.status === 201) return 'created';
    if (answer?.status !== 409) cutOff++;
    if (answer === undefined) continue;
    expect([409, 502, 503]).toContain(answer.status);
    if (answer.status !== 409) continue;
    if (answer.json.code === 'full' || answer.json.code === 'duplicate') return answer.json.code;
    expect(answer.json.code).toBe('conflict');
  }
  return 'unknown';
}

it(`${CREATIONS} creations, ${AT_ONCE} at once, are exact although functions and the backend die`, async () => {
  const files = [
    { path: 'index.html', content: '<!doctype html><title>Places</title>' },
    { path: '_data.json', content: JSON.stringify(DECLARATION) },
  ];
  const { json } = await newCaller(running.baseUrl).post('/api/v1/deploy', { files });
  const outcomes: Outcome[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < CREATIONS; at = next++) {
      const creation = creations[at] as Creation;
      outcomes[at] = await create(`/d/${json.id}/`, creation);
    }
  };
  const done = Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (let crash = 1; crash <= CRASHES; crash++) {
    while (next < (crash * CREATIONS) / (CRASHES + 2)) await sleep(5);
    if (crash % 3 === 0) {
      await running.killBackend();
      await running.startBackend();
    } else await running.crash('DataApi');
  }
  await done;
  expect(cutOff).toBeGreaterThan(CRASHES);

  const { db, table } = tableOf(/-DataTable[0-9A-F]{8}$/, running);
  const deployments = tableOf(/-Deployments[0-9A-F]{8}$/, running);
  const deployment = await readDeployment(deployments.db, deployments.table, json.id, Date.now());
  const data = deployment?.data as SiteData;
  // A minute later, a request completes or undoes what died.
  const clock = () => Date.now() + 61_000;
  const bounds = { items: 1e6, bytes: 1e9, creationsPerDay: 1e6 };
  const store = new SiteDataTable({ db, table, clock }, bounds).store(json.id, data);
  const itemsOf = async (collection: string): Promise<Record<string, string>[]> => {
    const found = [];
    for (let ExclusiveStartKey: Record<string, unknown> | undefined; ; ) {
      const page = await db.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'site = :site AND begins_with(#key, :prefix)',
          ExpressionAttributeNames: { '#key': 'key' },
          ExpressionAttributeValues: { ':site': siteOf(json.id, data), ':prefix': `item#${collection}#` },
          ConsistentRead: true,
          ExclusiveStartKey,
        }),
      );
      for (const { text: stored } of page.Items ?? [])
        if (stored !== undefined) found.push(JSON.parse(stored));
      ExclusiveStartKey = page.LastEvaluatedKey;
      if (!ExclusiveStartKey) return found;
    }
  };
  // Each request ends a few.
  for (let round = 0; round < AT_ONCE; round++) await store.totals();
  const messages = (await itemsOf('messages')).map((fields) => fields.text);
  const places = (await itemsOf('places')).map((fields) => fields.email);
  const acknowledged = creations.filter((_, at) => outcomes[at] === 'created');
  expect(acknowledged.length).toBeGreaterThan(CREATIONS / 4);
  const lost = acknowledged.filter(({ collection, fields }) =>
    collection === 'messages' ? !messages.includes(fields.text) : !places.includes(fields.email),
  );
  expect(lost).toEqual([]);
  expect(new Set(messages).size).toBe(messages.length);
  expect(new Set(places).size).toBe(places.length);
  expect(places.length).toBeLessThanOrEqual(PLACES);
  expect([(await store.state('messages')).items, (await store.state('places')).items]).toEqual([
    messages.length,
    places.length,
  ]);
  // Places and addresses that a crash took are free again.
  for (let address = 0; places.length < PLACES && address < ADDRESSES; address++) {
    const email = `${address}@example.org`;
    if (places.includes(email)) continue;
    const at = clock();
    const item = { id: `late-${address}`, fields: { email }, createdAt: at, shown: true, bytes: 30 };
    expect(await store.create('places', { ...item, unique: email, most: PLACES })).toMatchObject({
      id: item.id,
    });
    places.push(email);
  }
  expect(places).toHaveLength(PLACES);
  db.destroy();
  deployments.db.destroy();
});
