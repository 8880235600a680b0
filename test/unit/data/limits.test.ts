import { RequestLimits } from '../../../lambda/data/limits.ts';
import { startMemoryDynamoDB } from '../../support/memory-dynamodb.ts';

const DAY_MS = 86_400_000;

async function startLimits() {
  const { db, table } = await startMemoryDynamoDB('limits', 'caller');
  const time = { now: 10 * DAY_MS };
  const rates = { writesPerMinute: 1_000, creationsPerDay: 10, anonymousCreationsPerDay: 12 };
  const closures = { closedUntil: async () => undefined };
  const limits = new RequestLimits(
    { db, table, clock: () => time.now },
    { windowSeconds: 60, reads: 600 },
    rates,
    closures,
  );
  const create = async (address: string, isAnonymous: boolean) => {
    await limits.requireRoom(address, isAnonymous);
    await limits.countCreation(address, isAnonymous);
  };
  return { create, time };
}

const REFUSED = { code: 'too_many' };

test('leaves half of the creations of a site in a day to other addresses', async () => {
  const { create, time } = await startLimits();
  // The last one shows that the limit is reached.
  for (let n = 0; n < 6; n++) await create('192.0.2.1', false);
  await expect(create('192.0.2.1', true)).rejects.toMatchObject(REFUSED);
  await create('192.0.2.2', false);
  time.now += DAY_MS;
  await create('192.0.2.1', false);
});

test('bounds the creations of all sites without an owner together', async () => {
  const { create } = await startLimits();
  for (let n = 0; n < 13; n++) await create(`192.0.2.${n}`, true);
  await expect(create('192.0.2.99', true)).rejects.toMatchObject(REFUSED);
  await create('192.0.2.99', false);
});
