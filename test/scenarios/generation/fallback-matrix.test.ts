import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cloud } from '../../../local/cloud/cloud.ts';
import { startService } from '../../../local/service.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { until } from '../../support/cloud/events.ts';
import { freePort } from '../../support/free-port.ts';
import {
  type Step,
  startVendor,
  type Vendor,
  type VendorKind,
  type VendorRequest,
} from '../../support/vendors/index.ts';

/** The vendor of each provider name. */
const PROVIDERS: Readonly<Record<string, VendorKind>> = {
  'provider-a': 'anthropic',
  'provider-b': 'openai-compatible',
  'provider-c': 'google',
  'provider-d': 'bedrock',
};
const NAMES = Object.keys(PROVIDERS);
const KINDS = Object.values(PROVIDERS);

const file = (path: string): Step => ({ text: `<file path="${path}">\nThis is ${path}.\n</file>\n` });
const HALF: Step = { text: '<file path="half.md">\nThis is ' };
const WORKS: Step[] = [file('second.md'), { text: '<done/>\n' }, { finish: 'complete' }];
const CUT_AFTER_ONE: Step[] = [file('first.md'), HALF, { finish: 'length' }];
const keepAlives = Array.from({ length: 60 }, (): Step[] => ['keepAlive', { wait: 100 }]).flat();

/** A vendor's fault and the outcome of its attempt. */
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
  ['reset before the first file', [HALF, { wait: 20 }, 'reset'], 'cut_off'],
  ['finish reason length', [HALF, { finish: 'length' }], 'unusable'],
  ['refusal', ['refuse'], 'refused'],
  ['prose only', [{ text: 'Certainly! What colour should it be?' }, { finish: 'complete' }], 'unusable'],
  [
    'broken blocks',
    [{ text: '<file path=>\nno start\n</file\n<file path="a.md"/>\n' }, { finish: 'complete' }],
    'unusable',
  ],
  ['empty answer', [{ finish: 'complete' }], 'unusable'],
];

interface Result {
  readonly status: number;
  readonly model: string | undefined;
  readonly error: string | undefined;
  readonly paths: readonly string[] | undefined;
  readonly attempts: readonly string[];
  readonly retryAfter: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the fields that they expect
  readonly generation: any;
}

const stateDir = mkdtempSync(join(tmpdir(), 'ptp-matrix-'));
let running: Cloud;
let vendors: Vendor[];
/** The behaviour of the vendors, by a mark in the prompt, because cases run concurrently. */
const scripts = new Map<string, (kind: VendorKind, number: number) => readonly Step[]>();
const asked = new Map<string, number>();

function scriptOf(kind: VendorKind, request: VendorRequest): readonly Step[] {
  const mark = /case-[\w-]+/.exec(JSON.stringify(request.body))?.[0] ?? '';
  asked.set(mark, (asked.get(mark) ?? 0) + 1);
  const key = `${mark} ${kind}`;
  asked.set(key, (asked.get(key) ?? 0) + 1);
  return scripts.get(mark)?.(kind, asked.get(key) ?? 1) ?? [];
}

beforeAll(async () => {
  vendors = await Promise.all(
    KINDS.map((kind) => startVendor(kind, (_, request) => scriptOf(kind, request))),
  );
  const baseUrl = (kind: VendorKind) => vendors[KINDS.indexOf(kind)]?.baseUrl;
  const providers = Object.fromEntries(
    Object.entries(PROVIDERS).map(([name, kind]) => {
      const apiKey = kind === 'bedrock' ? {} : { apiKey: 'TEST_VENDOR_KEY' };
      const region = kind === 'bedrock' ? { region: 'us-east-1' } : {};
      return [name, { kind, model: 'test-model', baseUrl: baseUrl(kind), ...apiKey, ...region }];
    }),
  );
  process.env.TEST_VENDOR_KEY = 'key-of-the-test';
  const configFile = join(stateDir, 'config.json');
  const generation = {
    providerTimeoutSeconds: 20,
    firstTokenSeconds: 5,
    stallSeconds: 5,
    running: { service: 1_000 },
  };
  // All cases run at once, and those that are cut off count the most that they could cost.
  const budgets = { anonymous: { usd: 10_000 }, service: { usd: 10_000 } };
  const throttle = { generateRate: 10_000, generateBurst: 5_000 };
  const config = {
    stage: 'test',
    providers,
    generation,
    budgets,
    throttle,
    look: { enabled: false },
    canary: { enabled: false },
  };
  writeFileSync(configFile, JSON.stringify(config));
  const settings = {
    port: await freePort(),
    backendPort: await freePort(),
    stateDir: join(stateDir, 'state'),
    configFile,
  };
  running = await startService(settings, { log: () => {} });
});
afterAll(async () => {
  await running?.close();
  await Promise.all(vendors.map((vendor) => vendor.close()));
  rmSync(stateDir, { recursive: true, force: true });
});

let cases = 0;
/** Makes a prompt for which each vendor follows `script`, by the number of the request to that vendor. */
function promptFor(script: (kind: VendorKind, number: number) => readonly Step[]): string {
  const mark = `case-${++cases}-end`;
  scripts.set(mark, script);
  return `a page for ${mark}`;
}

/** Generates with `name` first: its vendor follows `faulty`, the others `others`. */
async function generate(
  name: string,
  faulty: (number: number) => readonly Step[],
  others: readonly Step[],
): Promise<Result> {
  const prompt = promptFor((kind, number) => (PROVIDERS[name] === kind ? faulty(number) : others));
  const caller = newCaller(running.baseUrl);
  const answer = await caller.post('/api/v1/generate', { prompt, model: name });
  const { json } = await caller.send(`/api/v1/generations/${answer.headers['x-generation-id']}`);
  return {
    status: answer.status,
    model: answer.json.model,
    error: answer.json.error,
    paths: answer.json.files?.map(({ path }: { path: string }) => path),
    attempts: json.attempts.map(
      (attempt: Record<string, unknown>) => `${attempt.provider} ${attempt.outcome} ${attempt.files}`,
    ),
    retryAfter: answer.headers['retry-after'],
    generation: json,
  };
}

const nextAfter = (name: string) => NAMES.find((other) => other !== name);

// First: `auto` depends on which providers have failed lately.
it('an overloaded provider comes last for a while, unless it is requested', async () => {
  await generate('provider-a', () => [{ status: 529 }], WORKS);
  const auto = await generate('auto', () => [], WORKS);
  expect(auto.model).toBe('provider-b/test-model');
  const named = await generate('provider-a', () => WORKS, []);
  expect(named.model).toBe('provider-a/test-model');
  expect((await generate('auto', () => [], WORKS)).model).toBe('provider-a/test-model');
});

/** Runs at most `size` calls at a time, in order. */
function pool(size: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(call: () => Promise<T>): Promise<T> => {
    if (running === size) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      return await call();
    } finally {
      running--;
      waiting.shift()?.();
    }
  };
}

describe('a vendor that fails', () => {
  const matrix = FAULTS.map(([fault, steps, outcome], i) => {
    const name = NAMES[i % NAMES.length] as string;
    return { fault, steps, outcome, name };
  });
  type Case = (typeof matrix)[number];
  // What callers get depends on the outcome only, so one fault of each outcome is enough where all vendors fail.
  const faultOfEachOutcome = matrix.filter(
    ({ outcome }, i) => matrix.findIndex((other) => other.outcome === outcome) === i,
  );
  const allFail = faultOfEachOutcome.filter(({ outcome }) =>
    ['silent', 'overloaded', 'unusable', 'refused'].includes(outcome),
  );
  const continued = faultOfEachOutcome.filter(({ outcome }) =>
    ['silent', 'credentials', 'cut_off'].includes(outcome),
  );
  let results: Map<string, Promise<Result>>;

  // Most of the time is spent on silent vendors, so as many cases wait together as warm functions can serve.
  beforeAll(() => {
    const inTurn = pool(6);
    const next = ({ fault, steps, name }: Case): [string, Promise<Result>] => [
      `${fault}, next`,
      inTurn(() => generate(name, () => steps, WORKS)),
    ];
    const none = ({ fault, steps, name }: Case): [string, Promise<Result>] => [
      `${fault}, none`,
      inTurn(() => generate(name, () => steps, steps)),
    ];
    const some = ({ fault, steps, name }: Case): [string, Promise<Result>] => [
      `${fault}, some`,
      inTurn(() => generate(name, (number) => (number === 1 ? CUT_AFTER_ONE : steps), WORKS)),
    ];
    results = new Map([...allFail.map(none), ...continued.map(some), ...matrix.map(next)]);
  });
  const resultOf = (name: string) => results.get(name) as Promise<Result>;

  it.each(matrix)('with $fault: the next provider takes over', async ({ fault, name, outcome }) => {
    const next = nextAfter(name);
    const { status, model, paths, attempts, generation } = await resultOf(`${fault}, next`);
    expect({ status, model, paths }).toEqual({
      status: 200,
      model: `${next}/test-model`,
      paths: ['second.md'],
    });
    expect(attempts).toEqual([`${name} ${outcome} 0`, `${next} succeeded 1`]);
    expect(generation.attempts[0].reason).toEqual(expect.any(String));
    expect(JSON.stringify(generation)).not.toContain('key-of-the-test');
  });

  it.each(allFail)('with $fault, like all others: the error names each attempt', async (faulty) => {
    const { fault, name, outcome } = faulty;
    const { status, error, attempts, retryAfter, generation } = await resultOf(`${fault}, none`);
    expect(status).toBe(outcome === 'silent' ? 504 : 503);
    // What all refuse, they will refuse again.
    expect(retryAfter).toBe(['silent', 'refused'].includes(outcome) ? undefined : '5');
    expect(generation.status).toBe(outcome === 'silent' ? 'timed_out' : 'failed');
    const order = [name, ...NAMES.filter((other) => other !== name)];
    expect(attempts).toEqual(order.map((provider) => `${provider} ${outcome} 0`));
    for (const provider of NAMES) expect(error).toContain(`${provider}: `);
  });

  it.each(continued)(
    'with $fault after a complete file: the file remains',
    async ({ fault, name, outcome }) => {
      const next = nextAfter(name);
      const { status, model, paths, attempts } = await resultOf(`${fault}, some`);
      expect({ status, model, paths }).toEqual({
        status: 200,
        model: `${next}/test-model`,
        paths: ['first.md', 'second.md'],
      });
      expect(attempts).toEqual([`${name} cut_off 1`, `${name} ${outcome} 0`, `${next} succeeded 1`]);
    },
  );
});

it('a provider that is silent and others that fail are a failure, not a timeout', async () => {
  const { status, attempts, generation } = await generate('provider-a', () => ['hang'], [{ status: 500 }]);
  expect([status, generation.status]).toEqual([503, 'failed']);
  expect(attempts.map((attempt) => attempt.split(' ')[1])).toEqual(['silent', 'failed', 'failed', 'failed']);
});

it('the same Idempotency-Key restarts a failed generation once for concurrent requests', async () => {
  let works = false;
  const prompt = promptFor(() => (works ? WORKS : [{ status: 500 }]));
  const caller = newCaller(running.baseUrl);
  const body = { prompt, model: 'provider-a' };
  const post = () => caller.post('/api/v1/generate', body, { 'idempotency-key': 'again' });
  const failed = await post();
  expect(failed.status).toBe(503);
  works = true;
  const mark = prompt.split(' ').at(-1) ?? '';
  const before = asked.get(mark) ?? 0;
  const answers = await Promise.all([1, 2, 3, 4, 5].map(post));
  for (const { status, headers } of answers)
    expect({ status, id: headers['x-generation-id'] }).toEqual({
      status: 200,
      id: failed.headers['x-generation-id'],
    });
  expect((asked.get(mark) ?? 0) - before).toBe(1);
  // A successful generation is not restarted.
  expect((await post()).json).toEqual(answers[0]?.json);
});

it.each(NAMES)('canceling closes the connection to %s before its response ends', async (name) => {
  const kind = PROVIDERS[name] as VendorKind;
  const endless = Array.from({ length: 100 }, (): Step[] => [
    { text: 'Let me think. ' },
    { wait: 100 },
  ]).flat();
  const prompt = promptFor(() => endless);
  const vendor = vendors[KINDS.indexOf(kind)] as Vendor;
  const before = vendor.requests.length;
  const caller = newCaller(running.baseUrl);
  const { json } = await caller.post(
    '/api/v1/generate',
    { prompt, model: name },
    { prefer: 'respond-async' },
  );
  await until(async () => vendor.requests.length > before);
  await caller.send(`/api/v1/generations/${json.id}`, { method: 'DELETE' });
  expect(await vendor.requests.at(-1)?.over).toBe(true);
});

it.each(NAMES.slice(0, 2))(
  'continues with %s after a reset, and keeps the first file when all fail then',
  async (name) => {
    const reset: Step[] = [file('first.md'), HALF, { wait: 50 }, 'reset'];
    const works = await generate(name, (number) => (number === 1 ? reset : WORKS), [{ status: 500 }]);
    expect(works).toMatchObject({ status: 200, paths: ['first.md', 'second.md'] });
    expect(works.attempts).toEqual([`${name} cut_off 1`, `${name} succeeded 1`]);
    const failing = (number: number): Step[] => (number === 1 ? reset : [{ status: 500 }]);
    const alone = await generate(name, failing, [{ status: 500 }]);
    expect(alone).toMatchObject({ status: 200, model: `${name}/test-model`, paths: ['first.md'] });
    expect(alone.generation).toMatchObject({
      status: 'incomplete',
      problems: [expect.stringContaining('ended early'), expect.stringContaining('"from": "')],
    });
    expect(new Set(alone.attempts.map((attempt) => attempt.split(' ')[0]))).toEqual(new Set(NAMES));
  },
);
