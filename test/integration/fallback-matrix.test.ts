import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Cloud } from '../../local/cloud/cloud.ts';
import { startService } from '../../local/service.ts';
import {
  type Step,
  startVendor,
  VENDOR_KINDS,
  type Vendor,
  type VendorKind,
} from '../support/vendors/index.ts';
import { newCaller } from './client.ts';
import { freePort } from './free-port.ts';

/** Which provider name is which vendor. */
const PROVIDERS: Readonly<Record<string, VendorKind>> = {
  'provider-a': 'anthropic',
  'provider-b': 'openai-compatible',
  'provider-c': 'google',
  'provider-d': 'bedrock',
};
const NAMES = Object.keys(PROVIDERS);

const file = (path: string): Step => ({ text: `<file path="${path}">\nThis is ${path}.\n</file>\n` });
const HALF: Step = { text: '<file path="half.md">\nThis is ' };
const WORKS: Step[] = [file('second.md'), { text: '<done/>\n' }, { finish: 'complete' }];
const CUT_AFTER_ONE: Step[] = [file('first.md'), HALF, { finish: 'length' }];
const keepAlives = Array.from({ length: 20 }, (): Step[] => ['keepAlive', { wait: 50 }]).flat();

/** What a vendor does wrong, and what the attempt is called for it. */
const FAULTS: readonly [name: string, steps: Step[], outcome: string][] = [
  ['hang before headers', ['hang'], 'silent'],
  ['hang before the first token', ['keepAlive', 'hang'], 'silent'],
  ['stall in the middle', [HALF, 'hang'], 'silent'],
  ['keep-alives only', keepAlives, 'silent'],
  ['401', [{ status: 401 }], 'credentials'],
  ['429 with retry-after', [{ status: 429, headers: { 'retry-after': '7' } }], 'overloaded'],
  ['429 without', [{ status: 429 }], 'overloaded'],
  ['500', [{ status: 500 }], 'failed'],
  ['529', [{ status: 529 }], 'overloaded'],
  ['reset before the first file', [HALF, { wait: 20 }, 'reset'], 'failed'],
  ['finish reason length', [HALF, { finish: 'length' }], 'unusable'],
  ['refusal', ['refuse'], 'refused'],
  ['prose only', [{ text: 'Certainly! What colour should it be?' }, { finish: 'complete' }], 'unusable'],
  [
    'broken blocks',
    [{ text: '<file path="a.md">\nno end\n<file path=>\n</file\n<done/>\n' }, { finish: 'complete' }],
    'unusable',
  ],
  ['empty answer', [{ finish: 'complete' }], 'unusable'],
];

describe('real adapters against vendors that', () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-matrix-'));
  const scripts = {} as Record<VendorKind, (number: number) => readonly Step[]>;
  const asked = {} as Record<VendorKind, number>;
  let vendors: Vendor[];
  let cloud: Cloud;

  beforeAll(async () => {
    vendors = await Promise.all(
      VENDOR_KINDS.map((kind) => startVendor(kind, () => scripts[kind](++asked[kind]))),
    );
    const baseUrl = (kind: VendorKind) => vendors[VENDOR_KINDS.indexOf(kind)]?.baseUrl;
    const providers = Object.fromEntries(
      Object.entries(PROVIDERS).map(([name, kind]) => {
        const apiKey = kind === 'bedrock' ? {} : { apiKey: 'TEST_VENDOR_KEY' };
        const region = kind === 'bedrock' ? { region: 'us-east-1' } : {};
        return [name, { kind, model: 'test-model', baseUrl: baseUrl(kind), ...apiKey, ...region }];
      }),
    );
    process.env.TEST_VENDOR_KEY = 'key-of-the-test';
    const configFile = join(stateDir, 'config.json');
    const generation = { providerTimeoutSeconds: 10, firstTokenSeconds: 1, stallSeconds: 1 };
    writeFileSync(configFile, JSON.stringify({ stage: 'test', providers, generation }));
    const settings = {
      port: await freePort(),
      backendPort: await freePort(),
      stateDir: join(stateDir, 'state'),
      configFile,
    };
    cloud = await startService(settings, { log: () => {} });
  });
  afterAll(async () => {
    await cloud?.close();
    await Promise.all(vendors.map((vendor) => vendor.close()));
    rmSync(stateDir, { recursive: true, force: true });
  });

  /** Asks for a project by `name`; its vendor follows `faulty` by the number of the request, the others `others`. */
  async function generate(
    name: string,
    faulty: (number: number) => readonly Step[],
    others: readonly Step[],
  ) {
    for (const [other, kind] of Object.entries(PROVIDERS)) {
      asked[kind] = 0;
      scripts[kind] = other === name ? faulty : () => others;
    }
    const caller = newCaller(cloud.baseUrl);
    const answer = await caller.post('/api/v1/generate', { prompt: 'a page', model: name });
    const { json } = await caller.send(`/api/v1/generations/${answer.headers['x-generation-id']}`);
    const attempts = json.attempts.map(
      (attempt: Record<string, unknown>) => `${attempt.provider} ${attempt.outcome} ${attempt.files}`,
    );
    const paths = answer.json.files?.map(({ path }: { path: string }) => path);
    return {
      status: answer.status,
      model: answer.json.model,
      error: answer.json.error,
      paths,
      attempts,
      generation: json,
    };
  }

  // First, while no provider has failed yet.
  it('a provider that is overloaded comes last for a while, unless it is asked for', async () => {
    await generate('provider-a', () => [{ status: 529 }], WORKS);
    const auto = await generate('auto', () => [], WORKS);
    expect(auto.model).toBe('provider-b/test-model');
    const named = await generate('provider-a', () => WORKS, []);
    expect(named.model).toBe('provider-a/test-model');
    expect((await generate('auto', () => [], WORKS)).model).toBe('provider-a/test-model');
  });

  const nextAfter = (name: string) => NAMES.find((other) => other !== name);

  describe.each(
    FAULTS.map(
      ([fault, steps, outcome], i) => [fault, NAMES[i % NAMES.length] as string, steps, outcome] as const,
    ),
  )('%s, by %s', (_, name, steps, outcome) => {
    const next = nextAfter(name);

    it('the next provider works', async () => {
      const { status, model, paths, attempts, generation } = await generate(name, () => steps, WORKS);
      expect({ status, model, paths }).toEqual({
        status: 200,
        model: `${next}/test-model`,
        paths: ['second.md'],
      });
      expect(attempts).toEqual([`${name} ${outcome} 0`, `${next} succeeded 1`]);
      expect(generation.attempts[0].reason).toEqual(expect.any(String));
      expect(JSON.stringify(generation)).not.toContain('key-of-the-test');
    });

    it('none works', async () => {
      const { status, error, attempts, generation } = await generate(name, () => steps, steps);
      expect(status).toBe(outcome === 'silent' ? 504 : 503);
      expect(generation.status).toBe(outcome === 'silent' ? 'timed_out' : 'failed');
      const order = [name, ...NAMES.filter((other) => other !== name)];
      expect(attempts).toEqual(order.map((provider) => `${provider} ${outcome} 0`));
      for (const provider of NAMES) expect(error).toContain(`${provider}: `);
    });

    it('some files were complete', async () => {
      const faulty = (number: number) => (number === 1 ? CUT_AFTER_ONE : steps);
      const { status, model, paths, attempts } = await generate(name, faulty, WORKS);
      expect({ status, model, paths }).toEqual({
        status: 200,
        model: `${next}/test-model`,
        paths: ['first.md', 'second.md'],
      });
      expect(attempts).toEqual([`${name} cut_off 1`, `${name} ${outcome} 0`, `${next} succeeded 1`]);
    });
  });

  it('the same Idempotency-Key starts a generation that failed once more, however many ask', async () => {
    const everyVendor = (steps: readonly Step[]) => {
      for (const kind of VENDOR_KINDS) [asked[kind], scripts[kind]] = [0, () => steps];
    };
    const caller = newCaller(cloud.baseUrl);
    const post = () => caller.post('/api/v1/generate', { prompt: 'a page' }, { 'idempotency-key': 'again' });
    everyVendor([{ status: 500 }]);
    const failed = await post();
    expect(failed.status).toBe(503);
    everyVendor(WORKS);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(post));
    for (const { status, headers } of answers)
      expect({ status, id: headers['x-generation-id'] }).toEqual({
        status: 200,
        id: failed.headers['x-generation-id'],
      });
    expect(Object.values(asked).reduce((sum, count) => sum + count)).toBe(1);
    // A success is kept.
    expect((await post()).json).toEqual(answers[0]?.json);
  });

  it.each(NAMES)(
    'write on when nobody wants it any more: a cancel hangs up on %s',
    async (name) => {
      const kind = PROVIDERS[name] as VendorKind;
      asked[kind] = 0;
      scripts[kind] = () =>
        Array.from({ length: 100 }, (): Step[] => [{ text: 'Let me think. ' }, { wait: 100 }]).flat();
      const vendor = vendors[VENDOR_KINDS.indexOf(kind)] as Vendor;
      const before = vendor.requests.length;
      const caller = newCaller(cloud.baseUrl);
      const request = { prompt: 'a page', model: name };
      const { json } = await caller.post('/api/v1/generate', request, { prefer: 'respond-async' });
      while (vendor.requests.length === before) await setTimeout(20);
      const canceledAt = Date.now();
      await caller.send(`/api/v1/generations/${json.id}`, { method: 'DELETE' });
      expect(await vendor.requests.at(-1)?.over).toBe(true);
      expect(Date.now() - canceledAt).toBeLessThan(2_000);
    },
    20_000,
  );

  it.each(NAMES)(
    'reset after the first file, by %s: it stays, also when nobody else works',
    async (name) => {
      const reset: Step[] = [file('first.md'), HALF, { wait: 50 }, 'reset'];
      const works = await generate(name, () => reset, WORKS);
      expect(works).toMatchObject({ status: 200, paths: ['first.md', 'second.md'] });
      expect(works.attempts[0]).toBe(`${name} failed 1`);
      const alone = await generate(name, () => reset, [{ status: 500 }]);
      expect(alone).toMatchObject({ status: 200, model: `${name}/test-model`, paths: ['first.md'] });
      expect(alone.generation).toMatchObject({
        status: 'incomplete',
        problems: [expect.stringContaining('ended early')],
      });
      expect(alone.attempts).toHaveLength(4);
    },
    20_000,
  );
});
