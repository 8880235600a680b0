import { setTimeout as sleep } from 'node:timers/promises';
import { authorOf } from '../../lambda/data/visitors.ts';
import { parseDeclaration } from '../../lambda/sites/data/declaration.ts';
import { dataOperation } from '../../lambda/sites/data/operations.ts';
import { newItemId } from '../../lambda/stored/data/keys.ts';
import { newSiteData } from '../../lambda/stored/data/site-data.ts';
import type { SiteDataTable } from '../../lambda/stored/data/site-data-table.ts';
import { type Creation, createAll, creationsOf, DECLARATION, expectExact } from '../support/creations.ts';
import { type Fault, startDataTable } from '../support/data-table.ts';

const CREATIONS = 10_000;
const AT_ONCE = 200;
/** By how many milliseconds each call moves the clock of the table, so that all goes as on an idle machine. */
const CALL_MS = 5;

/** Every nth call meets a fault. Primes, so that each meets every call of a creation. */
const FAULTS: readonly (readonly [every: number, fault: Fault])[] = [
  [61, 'late'],
  [101, 'request lost'],
  [103, 'response lost'],
  [211, 'dies before'],
  [223, 'dies after'],
];

it(`${CREATIONS} creations, ${AT_ONCE} at once, are exact although calls are lost and their callers die`, async () => {
  const table = await startDataTable({ items: 1e6, creationsPerDay: 1e6 });
  const { time } = table;
  const begin = time.now;
  const site = newSiteData('', begin);
  const declaration = parseDeclaration(JSON.stringify(DECLARATION));
  let calls = 0;
  const met = new Map<Fault, number>();
  const faultOf = (): Fault => {
    calls++;
    time.now = begin + calls * CALL_MS;
    const fault = FAULTS.find(([every]) => calls % every === 0)?.[1] ?? 'none';
    met.set(fault, (met.get(fault) ?? 0) + 1);
    return fault;
  };
  /** Every fourth is sent twice at once, as by a browser that does not wait for the first response. */
  const send = async (creation: Creation, at: number) => {
    const again = at % 4 === 0 ? [creation, creation] : [creation];
    const answers = await Promise.all(again.map((one) => post(one, table.faulty(faultOf))));
    return answers.find((answer) => answer?.status === 201) ?? answers[0];
  };
  const post = async ({ collection, fields, key }: Creation, data: SiteDataTable) => {
    const request = {
      method: 'POST',
      path: collection,
      rawQuery: '',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'idempotency-key': key,
      },
      body: Buffer.from(JSON.stringify(fields)),
    };
    const context = {
      declaration,
      store: data.store('site', site),
      caller: { owner: false },
      clock: () => time.now,
      newItemId: () => newItemId(time.now),
      idFor: (one: string) => authorOf(one, site.key),
      origin: 'https://site.example',
      base: '/',
    };
    try {
      const { status, body } = await dataOperation(request, context);
      return { status, text: Buffer.from(body).toString() };
    } catch {
      return undefined;
    }
  };
  const creations = creationsOf(CREATIONS);
  const { outcomes, cutOff } = await createAll(creations, AT_ONCE, send, (repeat) => sleep(50 * repeat));
  for (const [, fault] of FAULTS) expect(met.get(fault)).toBeGreaterThan(100);
  expect(cutOff).toBeGreaterThan(500);

  time.now += 61_000;
  await expectExact(creations, outcomes, 'site', site, { ...table, clock: () => time.now });
}, 1_800_000);
