import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { main as keysMain } from '../../cli/keys.ts';
import { takeDifferences } from '../support/cloud/check-responses.ts';
import { operate } from '../support/cloud/keys.ts';
import { type FaultyCloud, startFaultyCloud } from '../support/faults/cloud.ts';
import { type Entry, isSuccess, KINDS, type Kind, Responses } from '../support/faults/record.ts';
import { Traffic } from '../support/faults/traffic.ts';
import { takeOriginFaults } from '../support/origin-faults.ts';

/** The statuses of requests that fail, by what they are for. */
type Refusals = Readonly<Partial<{ [kind in Kind]: readonly number[] }>>;

interface Fault {
  readonly name: string;
  /** All other requests succeed. */
  readonly refusals: Refusals;
  /** Injects the fault. @returns a function that ends it */
  start(cloud: FaultyCloud): () => void;
}

const KILL_MS = 700;
const KILLED = ['DeploymentsApi', 'GenerationApi', 'GenerationAttempt', 'DeploymentsSite', 'AssetsApi'];

const FAULTS: readonly Fault[] = [
  {
    name: 'DynamoDB throttles',
    refusals: {
      deploy: [502],
      'new deploy': [502],
      settings: [502],
      read: [502],
      visit: [503],
      generate: [503],
      'generate async': [503],
      asset: [503],
    },
    start: ({ failing }) => {
      failing.dynamoDb = 'throttles';
      return () => {
        failing.dynamoDb = 'works';
      };
    },
  },
  {
    name: 'S3 fails',
    refusals: {
      deploy: [502],
      'new deploy': [502],
      visit: [503],
      generate: [503],
      asset: [503],
      upload: [500],
      read: [502],
    },
    start: ({ failing }) => {
      failing.s3 = 'fails';
      return () => {
        failing.s3 = 'works';
      };
    },
  },
  {
    name: 'S3 takes a second',
    refusals: { visit: [503] },
    start: ({ failing }) => {
      failing.s3 = 'is slow';
      return () => {
        failing.s3 = 'works';
      };
    },
  },
  {
    name: 'Step Functions refuses',
    refusals: { generate: [503], 'generate async': [503] },
    start: ({ failing }) => {
      failing.stepFunctions = true;
      return () => {
        failing.stepFunctions = false;
      };
    },
  },
  {
    name: 'a provider fails every other time',
    refusals: {},
    start: ({ failing }) => {
      failing.provider = true;
      return () => {
        failing.provider = false;
      };
    },
  },
  {
    name: 'functions are killed',
    refusals: {
      deploy: [503],
      'new deploy': [503],
      settings: [503],
      read: [503],
      visit: [502, 503],
      // Their responses are streams, which can break off.
      generate: [0, 503],
      'generate async': [0, 503],
      asset: [503],
    },
    start: ({ crash }) => {
      const timer = setInterval(() => void Promise.all(KILLED.map(crash)), KILL_MS);
      return () => clearInterval(timer);
    },
  },
  {
    name: 'the deploy function has no concurrency',
    refusals: { deploy: [503], 'new deploy': [503], settings: [503], read: [503] },
    start: ({ throttle }) => throttle('DeploymentsApi'),
  },
];

const FAULT_MS = 1_500;
/** Everything works again if nothing fails for so long. */
const CALM_MS = 1_000;
/** On a quiet machine, it takes less than 5 s. */
const LONGEST_MS = 180_000;
/** S3 and CloudFront respond to these themselves. */
const WITHOUT_RETRY_AFTER: readonly Kind[] = ['upload', 'visit'];

const seed = Number(process.env.SEED ?? Math.trunc(Math.random() * 2 ** 31));
const shuffled = fc.shuffledSubarray([...FAULTS], { minLength: FAULTS.length });
const [order = []] = fc.sample(shuffled, { seed, numRuns: 1 });

let cloud: FaultyCloud;
let traffic: Traffic;
const responses = new Responses();
beforeAll(async () => {
  cloud = await startFaultyCloud();
  const create = ['create', '--name', 'soak', '--scopes', 'assets:write'];
  const key = (await operate(keysMain, create, cloud.stateDir)).trimEnd();
  traffic = new Traffic(cloud.baseUrl, responses, key);
  await traffic.start();
  await untilCalm(performance.now());
});
afterAll(async () => {
  await traffic?.stop();
  await cloud?.close();
});

/** Waits until nothing has failed for some time, and something of each kind has succeeded. @returns when the last request failed */
async function untilCalm(from: number): Promise<number> {
  for (;;) {
    traffic.check();
    const ended = responses.since(from);
    const failedAt = ended.findLast((entry) => !isSuccess(entry))?.endedAt ?? from;
    const works = new Set(ended.filter(({ endedAt }) => endedAt > failedAt).map(({ kind }) => kind));
    if (works.size === KINDS.length && performance.now() - failedAt > CALM_MS) return failedAt;
    if (performance.now() - from > LONGEST_MS) throw new Error(`Does not recover: ${summary(ended)}`);
    await sleep(50);
  }
}

/** Injects a fault for some seconds. @returns the responses until everything works again, and how long that took */
async function inject(fault: Fault): Promise<{ entries: Entry[]; recoveryMs: number }> {
  const begin = performance.now();
  const stop = fault.start(cloud);
  await sleep(FAULT_MS);
  stop();
  const end = performance.now();
  const recovered = await untilCalm(end);
  const entries = responses.since(begin).filter(({ endedAt }) => endedAt <= recovered);
  return { entries, recoveryMs: Math.round(recovered - end) };
}

/** Returns the responses that a fault does not explain. */
function unexpected(entries: readonly Entry[], { refusals }: Fault): string[] {
  const isExpected = (entry: Entry) => {
    const { kind, status, retryAfter = '' } = entry;
    if (isSuccess(entry)) return true;
    const saysWhen = WITHOUT_RETRY_AFTER.includes(kind) || status === 0 || /^[1-9]\d*$/.test(retryAfter);
    return saysWhen && refusals[kind]?.includes(status) === true;
  };
  return entries
    .filter((entry) => !isExpected(entry))
    .map(({ kind, status, retryAfter }) => `${kind} ${status}, Retry-After ${retryAfter}`);
}

/** Returns how many responses of each kind had which status. */
function summary(entries: readonly Entry[]): string {
  const counts = new Map<string, number>();
  for (const { kind, status } of entries) counts.set(`${kind} ${status}`, (counts.get(`${kind} ${status}`) ?? 0) + 1);
  return Array.from(counts, ([what, count]) => `${count} ${what}`)
    .toSorted()
    .join(', ');
}

it('each fault has its outcome, everything works after its end, and nothing is lost', async () => {
  const table = [`SEED=${seed}`];
  for (const fault of order) {
    const { entries, recoveryMs } = await inject(fault);
    table.push(`${fault.name} | ${recoveryMs} ms | ${entries.length}: ${summary(entries)}`);
    const wrong = unexpected(entries, fault);
    expect({ seed, fault: fault.name, wrong }).toEqual({ seed, fault: fault.name, wrong: [] });
  }
  await traffic.stop();
  table.push(`kept: ${JSON.stringify(await traffic.expectKept())}`);
  console.info(table.join('\n'));
  takeOriginFaults();
  expect(takeDifferences()).toEqual([]);
}, 1_800_000);
