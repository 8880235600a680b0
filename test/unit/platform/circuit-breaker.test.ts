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

describe('a read while the circuit is open', () => {
  const read = (result: () => Promise<unknown>) => breaker.read(result);

  beforeEach(async () => {
    await expect(read(() => Promise.reject(AWAY))).rejects.toBe(AWAY);
  });

  it('succeeds if the service works again, and closes it', async () => {
    expect(await read(async () => 'result')).toBe('result');
    expect(await succeed()).toBe('result');
  });

  it('is not waited for if the service did not respond, but closes it once it succeeds', async () => {
    now += 400;
    await expect(read(() => Promise.reject(named('TimeoutError')))).rejects.toThrow('TimeoutError');
    const late = Promise.withResolvers<string>();
    await expect(read(() => late.promise)).rejects.toThrow(CircuitOpen);
    await expect(succeed()).rejects.toThrow(CircuitOpen);
    late.resolve('late');
    await late.promise;
    expect(await succeed()).toBe('result');
  });

  it('fails without an error to report if the service is still unreachable, and does not put off the next call', async () => {
    now += 399;
    await expect(read(() => Promise.reject(AWAY))).rejects.toThrow(CircuitOpen);
    now += 1;
    await expect(read(() => Promise.reject(AWAY))).rejects.toBe(AWAY);
    await expect(read(() => Promise.reject(named('NoSuchKey')))).rejects.toThrow('NoSuchKey');
  });
});

it.each(['NoSuchKey', 'AccessDenied', 'ThrottlingException', 'ProvisionedThroughputExceededException', 'SlowDown'])(
  'calls the service again after %s',
  async (name) => {
    for (let i = 0; i < 3; i++) await expect(fail(named(name))).rejects.toThrow(name);
    expect(calls).toBe(3);
  },
);
