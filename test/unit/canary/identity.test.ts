import { type ApiKey, keyId, verdictOn } from '../../../lambda/access/api-key.ts';
import { Identity } from '../../../lambda/canary/identity.ts';
import { CANARY_KEY_ID } from '../../../lambda/platform/env.ts';

test('the canary renews its key for each run, and keeps it during a run', async () => {
  let now = 1_000;
  const records: ApiKey[] = [];
  const renew = async (record: ApiKey) => void records.push(record);
  const identity = new Identity(renew, () => now);
  const first = await identity.key();
  expect(keyId(first)).toBe(CANARY_KEY_ID);
  expect(records).toMatchObject([{ id: CANARY_KEY_ID, name: 'canary', scopes: [] }]);
  expect(verdictOn(records[0] as ApiKey, first, now)).toBe('valid');
  expect(verdictOn(records[0] as ApiKey, first, now + 900_000)).toBe('expired');
  expect(await identity.key()).toBe(first);
  now += 300_000;
  const second = await identity.key();
  expect(second).not.toBe(first);
  expect(verdictOn(records[1] as ApiKey, first, now)).toBe('wrong');
});

test('a key that was not stored is not used', async () => {
  const failures = [new Error('The conditional request failed')];
  const renew = async () => {
    const failure = failures.pop();
    if (failure) throw failure;
  };
  const identity = new Identity(renew, () => 0);
  await expect(identity.key()).rejects.toThrow('conditional');
  await expect(identity.key()).resolves.toMatch(/^ptp_/);
});
