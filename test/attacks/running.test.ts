import { setTimeout as sleep } from 'node:timers/promises';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { main as keysMain } from '../../cli/keys.ts';
import { closeAtEnd } from '../support/at-end.ts';
import { newCaller, type TestResponse } from '../support/cloud/client.ts';
import { stopExecution } from '../support/cloud/executions.ts';
import { operate } from '../support/cloud/keys.ts';
import { NO_RATE_LIMIT, startVariant } from '../support/cloud/variant.ts';
import { tableOf } from '../support/tables.ts';
import { type Script, startVendor } from '../support/vendors/index.ts';

/*
 * A stranger starts generations as fast as the rate limit allows: 10 a minute from one address.
 *
 * Each runs for at most 6 minutes and has up to 4 answers written at the same time. With a model of 80 tokens a second at $15
 * per million tokens of output, an answer costs $0.0012 a second.
 *
 *                             before                       now
 *   one address               60 at once, $24,900 a day    2 at once, $829 a day
 *   1,000 addresses           60,000 at once, no bound     50 at once, $20,700 a day
 *   a leaked key (100/min)    600 at once, $249,000 a day  10 at once, $4,150 a day
 *
 * (running x 4 answers x $0.0012 x 86,400 s.) The budgets of a day bound what is left: see budgets.test.ts.
 */

const PAGE = '<file path="index.html">\n<title>A page</title>\n</file>\n<done/>\n';

const script: Script = (_, { body }) => {
  const asked = JSON.stringify(body);
  if (asked.includes('a quick page')) return [{ text: PAGE }, { finish: 'complete' }];
  if (asked.includes('a refused page')) return [{ text: 'I cannot do that.' }, { finish: 'complete' }];
  return ['hang'];
};

const RUNNING = { anonymous: 2, key: 3, service: 6 };

const vendor = await startVendor('openai-compatible', script);
const running = closeAtEnd(
  await startVariant({
    ...NO_RATE_LIMIT,
    RUNNING,
    PROVIDERS: { 'provider-a': { kind: 'openai-compatible', model: 'm', baseUrl: vendor.baseUrl } },
    DEADLINES: { providerTimeoutSeconds: 100, firstTokenSeconds: 90, stallSeconds: 90 },
  }),
);
afterAll(vendor.close);

type Headers = Readonly<Record<string, string>>;

/** A caller with an address of its own, and a key if one is given. */
function attacker(credential: Headers = {}) {
  const caller = newCaller(running.baseUrl);
  const start = (prompt = 'a page', headers: Headers = {}) =>
    caller.post('/api/v1/generate', { prompt }, { prefer: 'respond-async', ...credential, ...headers });
  const send = (id: string, method = 'GET') =>
    caller.send(`/api/v1/generations/${id}`, { method, headers: { ...credential } });
  const status = async (id: string) => (await send(id)).json.status;
  const end = async (responses: readonly TestResponse[]) => {
    for (const id of idsOf(responses)) await send(id, 'DELETE');
  };
  return { start, status, end, cancel: (id: string) => send(id, 'DELETE') };
}

type Attacker = ReturnType<typeof attacker>;

const idsOf = (responses: readonly TestResponse[]) => [
  ...new Set(responses.filter(({ status }) => status === 202).map(({ headers }) => String(headers['x-generation-id']))),
];
const count = (responses: readonly TestResponse[], status: number) =>
  responses.filter((response) => response.status === status).length;
const times = <T>(n: number, perform: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => perform(i)));

/** Starts as many generations as one address may have at the same time. A slot is freed a moment after the end. */
async function fill({ start }: Attacker, prompt?: string): Promise<TestResponse[]> {
  const responses: TestResponse[] = [];
  while (count(responses, 202) < RUNNING.anonymous) {
    const response = await start(prompt);
    if (response.status !== 202) expect(response.status).toBe(429);
    responses.push(response);
  }
  return responses;
}

const { db, table } = tableOf(/-GenerationJobs[0-9A-F]{8}$/, running);
afterAll(() => db.destroy());
/** The slots that are taken. One is freed a moment after its generation has ended. */
const taken = async () =>
  (await db.send(new GetCommand({ TableName: table, Key: { id: '#providers' }, ConsistentRead: true }))).Item?.running;

beforeEach(async () => {
  while ((await taken()) !== undefined) await sleep(20);
});

describe('a flood of generations', () => {
  it('of one address runs two of them, and says when to try again', async () => {
    const one = attacker();
    const responses = await times(12, () => one.start());
    expect([count(responses, 202), count(responses, 429)]).toEqual([2, 10]);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.headers['retry-after']).toBe('10');
    expect(refused?.json).toEqual({
      error:
        '2 generations are running, as many as this caller may run at the same time: wait for one to end, or cancel it. Try again in 10 s',
      retryAfter: 10,
      docs: '/docs#rate-limits',
    });
    await one.end(responses);
  });

  it('of one key runs as many as a key may, from whatever address', async () => {
    const created = await operate(keysMain, ['create', '--name', 'leaked'], running.stateDir);
    const key = { 'x-api-key': created.trimEnd() };
    const callers = Array.from({ length: 8 }, () => attacker(key));
    const responses = await Promise.all(callers.map(({ start }) => start()));
    expect([count(responses, 202), count(responses, 429)]).toEqual([3, 5]);
    await attacker(key).end(responses);
  });

  it('of many addresses leaves a fifth of what the service may run to keys, and tells the others that it is busy', async () => {
    const callers = Array.from({ length: 10 }, () => attacker());
    const responses = (await Promise.all(callers.map(({ start }) => times(2, () => start())))).flat();
    expect([count(responses, 202), count(responses, 503)]).toEqual([5, 15]);
    const refused = responses.find(({ status }) => status === 503);
    expect(refused?.headers['retry-after']).toBe('10');
    expect(refused?.json).toMatchObject({ error: expect.stringContaining('as many'), retryAfter: 10 });
    for (const { end } of callers.slice(0, 1)) await end(responses);
  });

  it('under one Idempotency-Key is one generation, which needs one slot', async () => {
    const one = attacker();
    const key = { 'idempotency-key': 'the-same' };
    const first = await one.start('a page', key);
    const other = await one.start();
    expect([first.status, other.status, (await one.start()).status]).toEqual([202, 202, 429]);
    const joined = await times(8, () => one.start('a page', key));
    expect(count(joined, 202)).toBe(8);
    expect(idsOf([first, ...joined])).toHaveLength(1);
    await one.end([first, other]);
    const many = attacker();
    const together = await times(8, () => many.start('a page', key));
    expect(count(together, 202)).toBe(8);
    const further = await many.start();
    expect([further.status, (await many.start()).status]).toEqual([202, 429]);
    await many.end([...together, further]);
  });
});

/** Waits until all generations have one of these states. */
async function until({ status }: Attacker, responses: readonly TestResponse[], ...states: string[]) {
  for (const id of idsOf(responses)) while (!states.includes(await status(id))) await sleep(20);
}

describe('the slots of generations', () => {
  it.each([
    ['succeed', 'a quick page', 'succeeded'],
    ['fail', 'a refused page', 'failed'],
  ])('that %s are freed', async (_, prompt, status) => {
    const one = attacker();
    for (let round = 0; round < 3; round++) await until(one, await fill(one, prompt), status);
    await one.end(await fill(one));
  });

  it('that are canceled are freed', async () => {
    const one = attacker();
    for (let round = 0; round < 3; round++) await one.end(await fill(one));
    await one.end(await fill(one));
  });

  it('whose executions die are freed', async () => {
    const one = attacker();
    const responses = await fill(one);
    await until(one, responses, 'running');
    for (const id of idsOf(responses)) await stopExecution(running.stateDir, id);
    await until(one, responses, 'failed');
    await one.end(await fill(one));
  });

  it('whose functions are killed are freed', async () => {
    const one = attacker();
    const responses = await fill(one);
    for (const id of idsOf(responses))
      while ((await one.status(id)) !== 'failed') {
        await running.crash('Attempt');
        await sleep(200);
      }
    await one.end(await fill(one));
  });

  it('that failed are taken again by the same Idempotency-Key', async () => {
    const one = attacker();
    const key = { 'idempotency-key': 'again' };
    const first = await one.start('a refused page', key);
    await until(one, [first], 'failed');
    const others = await fill(one);
    expect((await one.start('a refused page', key)).status).toBe(429);
    await one.end(others);
    const again = await one.start('a refused page', key);
    expect([again.status, idsOf([again])]).toEqual([202, idsOf([first])]);
    await until(one, [again], 'failed');
    await one.end(await fill(one));
  });
});
