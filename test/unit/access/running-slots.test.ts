import { RunningSlots, type SlotHolder } from '../../../lambda/access/running-slots.ts';
import { startMemoryDynamoDB } from '../../support/memory-dynamodb.ts';

const dynamoDB = await startMemoryDynamoDB('windows', 'caller');

let now = 1_000_000;
let kinds = 0;
/** Two instances with the slots of a kind of its own. */
function instances() {
  const shares = { kind: `kind${++kinds}`, key: 3, anonymous: 2, anonymousTogether: 4 };
  const limits = { db: dynamoDB.db, table: dynamoDB.table, clock: () => now };
  return [new RunningSlots(limits, shares), new RunningSlots(limits, shares)] as const;
}
const key: SlotHolder = { name: 'a', isAnonymous: false };
const anonymous = (name: string): SlotHolder => ({ name, isAnonymous: true });

it('are limited for each tenant, and for all without a credential together, on all instances', async () => {
  const [one, other] = instances();
  const taken = async (holder: SlotHolder) => {
    const slots = await Promise.all(Array.from({ length: 6 }, (_, i) => (i % 2 ? one : other).take(holder)));
    return slots.filter((slot) => slot !== undefined).length;
  };
  expect([await taken(anonymous('x')), await taken(anonymous('y')), await taken(anonymous('z'))]).toEqual([2, 2, 0]);
  expect(await taken(key)).toBe(3);
});

it('are free once their work has ended, or two minutes after their function has died', async () => {
  const [one, other] = instances();
  const [first] = [await one.take(anonymous('x')), await one.take(anonymous('x'))];
  expect(await other.take(anonymous('x'))).toBeUndefined();
  await first?.();
  await first?.();
  expect(await other.take(anonymous('x'))).toBeDefined();
  now += 119_000;
  expect(await other.take(anonymous('x'))).toBeUndefined();
  now += 2_000;
  expect(await other.take(anonymous('x'))).toBeDefined();
});

it('are taken by a write that the SDK repeats because its response was lost', async () => {
  const { db, table } = dynamoDB;
  const repeating = { send: (command: never) => db.send(command).then(() => db.send(command)) };
  const limits = { db: repeating as never, table, clock: () => now };
  const slots = new RunningSlots(limits, { kind: 'repeated', key: 1, anonymous: 1, anonymousTogether: 1 });
  for (const holder of [key, anonymous('x')]) expect(await slots.take(holder)).toBeDefined();
});

it('are everybody’s while the table cannot be reached', async () => {
  const shares = { kind: 'k', key: 0, anonymous: 0, anonymousTogether: 0 };
  const failing = (error: Error) => {
    const db = { send: () => Promise.reject(error) } as never;
    return new RunningSlots({ db, table: 'none', clock: () => now }, shares);
  };
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const slot = await failing(away).take(key);
  await slot?.();
  expect(slot).toBeDefined();
  // A missing permission must not go unnoticed.
  await expect(failing(new Error('AccessDenied')).take(key)).rejects.toThrow('AccessDenied');
});
