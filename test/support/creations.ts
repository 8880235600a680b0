import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type SiteData, siteOf } from '../../lambda/stored/data/site-data.ts';
import type { SiteDataTable } from '../../lambda/stored/data/site-data-table.ts';

/** Places of the registration, for which there are more addresses, each of which comes several times. */
const PLACES = 300;
const ADDRESSES = 500;
/** Requests that end what died: each ends a few. */
const ROUNDS = 200;

const text = { type: 'string', minLength: 1, maxLength: 100 };
/** A guestbook, and a registration with fewer places than there are addresses. */
export const DECLARATION = {
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

export interface Creation {
  readonly collection: 'messages' | 'places';
  readonly fields: Readonly<Record<string, string>>;
  readonly key: string;
}

/** Returns creations in the order in which they are sent. */
export const creationsOf = (count: number): Creation[] =>
  Array.from({ length: count }, (_, i) => {
    const key = `key-${i}`;
    return i % 2 === 0
      ? { collection: 'messages', fields: { text: key }, key }
      : { collection: 'places', fields: { email: `${((i - 1) / 2) % ADDRESSES}@example.org` }, key };
  });

/** A response to a creation; undefined for a request that was cut off. */
type Answer = { readonly status: number; readonly text: string } | undefined;

/** What a page shows in the end. `unknown` is what it shows if it never gets an answer. */
type Outcome = 'created' | 'full' | 'duplicate' | 'unknown';

/** Repetitions of a request that was cut off: one whose first call died is under way for a minute. */
const REPEATS = 12;

/**
 * Sends creations, many at once, each until there is an answer that a page would show.
 * @param send of a creation that is repeated with its key; the number is that of the creation
 * @returns the outcomes, and how many requests got no answer of the function's
 */
export async function createAll(
  creations: readonly Creation[],
  atOnce: number,
  send: (creation: Creation, at: number) => Promise<Answer>,
  pause: (repeat: number) => Promise<unknown>,
): Promise<{ readonly outcomes: readonly Outcome[]; readonly cutOff: number }> {
  const outcomes: Outcome[] = [];
  let next = 0;
  let cutOff = 0;
  const outcomeOf = async (creation: Creation, at: number): Promise<Outcome> => {
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      if (repeat > 0) await pause(repeat);
      const answer = await send(creation, at);
      if (answer?.status === 201) return 'created';
      if (answer?.status !== 409) cutOff++;
      if (answer === undefined) continue;
      expect([409, 502, 503]).toContain(answer.status);
      if (answer.status !== 409) continue;
      const { code } = JSON.parse(answer.text) as { readonly code: string };
      if (code === 'full' || code === 'duplicate') return code;
      expect(code).toBe('conflict');
    }
    return 'unknown';
  };
  const worker = async () => {
    for (let at = next++; at < creations.length; at = next++)
      outcomes[at] = await outcomeOf(creations[at] as Creation, at);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { outcomes, cutOff };
}

/** The table of data, as it is a minute after the creations, when a request completes or undoes what died. */
interface Later {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly data: SiteDataTable;
  readonly clock: () => number;
}

/**
 * Expects that none of the creations was lost that was acknowledged, and none doubled; that no place was given away twice or too many;
 * and that places and addresses which a crash took are free again.
 */
export async function expectExact(
  creations: readonly Creation[],
  outcomes: readonly Outcome[],
  id: string,
  site: SiteData,
  { db, table, data, clock }: Later,
): Promise<void> {
  const store = data.store(id, site);
  const itemsOf = async (collection: string): Promise<Record<string, string>[]> => {
    const found = [];
    for (let ExclusiveStartKey: Record<string, unknown> | undefined; ; ) {
      const page = await db.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'site = :site AND begins_with(#key, :prefix)',
          ExpressionAttributeNames: { '#key': 'key' },
          ExpressionAttributeValues: { ':site': siteOf(id, site), ':prefix': `item#${collection}#` },
          ConsistentRead: true,
          ExclusiveStartKey,
        }),
      );
      for (const { text: stored } of page.Items ?? []) if (stored !== undefined) found.push(JSON.parse(stored));
      ExclusiveStartKey = page.LastEvaluatedKey;
      if (!ExclusiveStartKey) return found;
    }
  };
  for (let round = 0; round < ROUNDS; round++) await store.totals();
  const messages = (await itemsOf('messages')).map((fields) => fields.text);
  const places = (await itemsOf('places')).map((fields) => fields.email);
  const acknowledged = creations.filter((_, at) => outcomes[at] === 'created');
  expect(acknowledged.length).toBeGreaterThan(creations.length / 4);
  const stored = new Set([...messages, ...places]);
  expect(acknowledged.filter(({ fields }) => !stored.has(fields.text ?? fields.email))).toEqual([]);
  expect(new Set(messages).size).toBe(messages.length);
  expect(new Set(places).size).toBe(places.length);
  expect(places.length).toBeLessThanOrEqual(PLACES);
  expect([(await store.state('messages')).items, (await store.state('places')).items]).toEqual([
    messages.length,
    places.length,
  ]);
  for (let address = 0; places.length < PLACES && address < ADDRESSES; address++) {
    const email = `${address}@example.org`;
    if (places.includes(email)) continue;
    const item = { id: `late-${address}`, fields: { email }, createdAt: clock(), shown: true, bytes: 30 };
    expect(await store.create('places', { ...item, unique: email, most: PLACES })).toMatchObject({
      id: item.id,
    });
    places.push(email);
  }
  expect(places).toHaveLength(PLACES);
}
