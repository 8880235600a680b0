import { CircuitBreaker, CircuitOpen } from '../../../lambda/platform/unreachable.ts';

const named = (name: string) => Object.assign(new Error(name), { name });
const AWAY = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

let now = 0;
let calls = 0;
let breaker: CircuitBreaker;
beforeEach(() => {
  now = 1_000_000;
  calls = 0;
  breaker = new CircuitBreaker(
    () => now,
    () => 0,
  );
});
const call = (result: () => Promise<unknown>) =>
  breaker.call(() => {
    calls++;
    return result();
  });
const succeed = () => call(async () => 'result');
const fail = (error: unknown) => call(() => Promise.reject(error));

it('makes no call for 400 ms after the service was unreachable, then calls it again', async () => {
  await expect(fail(AWAY)).rejects.toBe(AWAY);
  now += 399;
  await expect(succeed()).rejects.toThrow(CircuitOpen);
  expect(calls).toBe(1);
  now += 1;
  for (let i = 0; i < 3; i++) expect(await succeed()).toBe('result');
  expect(calls).toBe(4);
});

it('begins the pause when the call failed, not when it began', async () => {
  await expect(
    call(async () => {
      now += 900;
      throw named('TimeoutError');
    }),
  ).rejects.toThrow('TimeoutError');
  now += 399;
  await expect(succeed()).rejects.toThrow(CircuitOpen);
});

it('waits up to a half longer, at random', async () => {
  breaker = new CircuitBreaker(
    () => now,
    () => 0.5,
  );
  await expect(fail(AWAY)).rejects.toBe(AWAY);
  now += 499;
  await expect(succeed()).rejects.toThrow(CircuitOpen);
  now += 1;
  expect(await succeed()).toBe('result');
});

it('probes with one call, and pauses again if it fails', async () => {
  await expect(fail(AWAY)).rejects.toBe(AWAY);
  now += 400;
  const probe = Promise.withResolvers<string>();
  const probing = call(() => probe.promise);
  await expect(succeed()).rejects.toThrow(CircuitOpen);
  probe.reject(AWAY);
  await expect(probing).rejects.toBe(AWAY);
  now += 399;
  await expect(succeed()).rejects.toThrow(CircuitOpen);
  now += 1;
  expect(await succeed()).toBe('result');
  expect(calls).toBe(3);
});

it.each([
  'NoSuchKey',
  'AccessDenied',
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'SlowDown',
])('calls the service again after %s', async (name) => {
  for (let i = 0; i < 3; i++) await expect(fail(named(name))).rejects.toThrow(name);
  expect(calls).toBe(3);
});
