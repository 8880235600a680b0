import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Cloud } from '../../../local/cloud/cloud.ts';
import { startService } from '../../../local/service.ts';
import { newCaller } from '../../support/cloud/client.ts';
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
const scripts = new Map<string, (kind: VendorKind) => readonly Step[]>();

function scriptOf(kind: VendorKind, request: VendorRequest): readonly Step[] {
  const mark = /case-[\w-]+/.exec(JSON.stringify(request.body))?.[0] ?? '';
  return scripts.get(mark)?.(kind) ?? [];
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

/** Generates with `name` first: its vendor follows `faulty`, the others `others`. */
async function generate(name: string, faulty: readonly Step[], others: readonly Step[]): Promise<Result> {
  const mark = `case-${++cases}-end`;
  scripts.set(mark, (kind) => (PROVIDERS[name] === kind ? faulty : others));
  const prompt = `a page for ${mark}`;
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

describe('a vendor that fails', () => {
  const matrix = FAULTS.map(([fault, steps, outcome], i) => {
    const name = NAMES[i % NAMES.length] as string;
    return { fault, steps, outcome, name };
  });
  let results: Map<string, Promise<Result>>;

  // Most of the time is spent on silent vendors, so as many cases wait together as warm functions can serve.
  beforeAll(() => {
    const limit = pLimit(6);
    const inTurn = (...request: Parameters<typeof generate>) => {
      const result = limit(() => generate(...request));
      // The test that awaits it reports the error.
      result.catch(() => {});
      return result;
    };
    const next = matrix.map(
      ({ fault, steps, name }) => [fault, inTurn(name, steps, WORKS)] as [string, Promise<Result>],
    );
    // What callers get depends on the outcomes only, which `decide` has a table of: one fault of all vendors is enough.
    const overloaded: Step[] = [{ status: 529 }];
    const none = inTurn('provider-a', overloaded, overloaded);
    results = new Map([...next, ['none', none]]);
  });
  const resultOf = (name: string) => results.get(name) as Promise<Result>;

  it.each(matrix)('with $fault: the next provider takes over', async ({ fault, name, outcome }) => {
    const next = nextAfter(name);
    const { status, model, paths, attempts, generation } = await resultOf(fault);
    expect({ status, model, paths }).toEqual({
      status: 200,
      model: `${next}/test-model`,
      paths: ['second.md'],
    });
    expect(attempts).toEqual([`${name} ${outcome} 0`, `${next} succeeded 1`]);
    expect(generation.attempts[0].reason).toEqual(expect.any(String));
    expect(JSON.stringify(generation)).not.toContain('key-of-the-test');
  });

  it('like all others: the error names each attempt', async () => {
    const { status, error, attempts, retryAfter, generation } = await resultOf('none');
    expect([status, retryAfter, generation.status]).toEqual([503, '5', 'failed']);
    expect(attempts).toEqual(NAMES.map((provider) => `${provider} overloaded 0`));
    for (const provider of NAMES) expect(error).toContain(`${provider}: `);
  });
});
