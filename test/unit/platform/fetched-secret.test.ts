import { fetchedSecret } from '../../../lambda/platform/fetched-secret.ts';

let now = 0;
let reads = 0;
let stored: string | Error = 'one';

const secret = () =>
  fetchedSecret('arn', (text) => text.toUpperCase(), {
    clock: () => now,
    read: async () => {
      reads += 1;
      if (stored instanceof Error) throw stored;
      return stored;
    },
  });

beforeEach(() => {
  [now, reads, stored] = [0, 0, 'one'];
});

it('is read when it is first needed, once for concurrent requests, and again after five minutes', async () => {
  const read = secret();
  expect(reads).toBe(0);
  expect(await Promise.all([read(), read()])).toEqual(['ONE', 'ONE']);
  stored = 'two';
  now = 299_999;
  expect(await read()).toBe('ONE');
  now = 300_000;
  expect(await read()).toBe('TWO');
  expect(reads).toBe(2);
});

it('keeps its value while Secrets Manager is unreachable, and tries again after 30 seconds', async () => {
  const read = secret();
  await read();
  stored = new Error('unreachable');
  now = 300_000;
  expect(await Promise.all([read(), read()])).toEqual(['ONE', 'ONE']);
  now = 329_999;
  expect(await read()).toBe('ONE');
  expect(reads).toBe(2);
  stored = 'two';
  now = 330_000;
  expect(await read()).toBe('TWO');
});

it('fails without an earlier value, and does not remember the failure', async () => {
  const read = secret();
  stored = new Error('unreachable');
  await expect(read()).rejects.toThrow('unreachable');
  stored = 'one';
  expect(await read()).toBe('ONE');
});
