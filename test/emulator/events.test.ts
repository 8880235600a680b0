import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Metrics } from '../../local/cloud/cloudwatch/metrics.ts';
import { EventBus } from '../../local/cloud/events/event-bus.ts';
import { EventPattern, matchesPattern } from '../../local/cloud/events/rules.ts';
import { readFunctions } from '../../local/cloud/lambda/functions.ts';
import { Lambda } from '../../local/cloud/lambda/lambda.ts';
import { emptyFolder } from '../support/at-end.ts';
import { att, functionOf, principalsOf, ref, resource, roleFor, stackOf } from '../support/emulated.ts';

describe('a pattern', () => {
  const event = { source: 'aws.states', resources: ['a', 'b'], detail: { status: 'FAILED', count: 1 } };
  const matches = (pattern: object) => matchesPattern(EventPattern.parse(pattern), event);

  test('does not match another value, another type or a missing field', () => {
    expect(matches({ source: ['aws.s3'] })).toBe(false);
    expect(matches({ source: ['aws.states'], detail: { status: ['ABORTED'] } })).toBe(false);
    expect(matches({ detail: { count: ['1'] } })).toBe(false);
    expect(matches({ detail: { missing: ['x'] } })).toBe(false);
    expect(matches({ detail: { missing: { deep: ['x'] } } })).toBe(false);
  });

  test('with an operator that the local cloud does not know is rejected', () => {
    expect(EventPattern.safeParse({ source: [{ prefix: 'x' }] }).success).toBe(false);
    expect(EventPattern.safeParse({ source: [] }).success).toBe(false);
  });
});

/** Appends its event to a file. Fails while the file `broken` exists, and once if `fail` exists. */
const CODE = `import { appendFileSync, existsSync, rmSync } from 'node:fs';
  export const handler = async (event) => {
    appendFileSync(process.env.FOLDER + '/calls', JSON.stringify(event) + '\\n');
    if (existsSync(process.env.FOLDER + '/broken')) throw new Error('broken');
    if (!existsSync(process.env.FOLDER + '/fail')) return;
    rmSync(process.env.FOLDER + '/fail');
    throw new Error('planned');
  };`;

const folder = emptyFolder();
let lines: string[];
let metrics: Metrics;
const started: { close(): unknown }[] = [];
beforeEach(() => {
  mkdirSync(join(folder, 'asset.code'));
  writeFileSync(join(folder, 'asset.code', 'index.mjs'), CODE);
  lines = [];
  metrics = new Metrics();
});
afterEach(() => Promise.all(started.splice(0).map((one) => one.close())));

function template({ permitted = 'Rule', concurrency, retries }: BusOptions) {
  const invokeConfig = {
    FunctionName: ref('Function'),
    Qualifier: '$LATEST',
    MaximumRetryAttempts: retries,
  };
  return {
    Resources: {
      ...(retries !== undefined && { Config: resource('AWS::Lambda::EventInvokeConfig', invokeConfig) }),
      Role: roleFor('lambda.amazonaws.com'),
      Function: functionOf('code', {
        FunctionName: 'handles-events',
        Timeout: 60,
        ...(concurrency === undefined ? {} : { ReservedConcurrentExecutions: concurrency }),
        Environment: { Variables: { FOLDER: folder } },
      }),
      Rule: resource('AWS::Events::Rule', {
        EventPattern: { source: ['ours'] },
        Targets: [{ Id: 'Target0', Arn: att('Function', 'Arn') }],
      }),
      Other: resource('AWS::Events::Rule', { EventPattern: { source: ['others'] } }),
      Permission: resource('AWS::Lambda::Permission', {
        Action: 'lambda:InvokeFunction',
        FunctionName: att('Function', 'Arn'),
        Principal: 'events.amazonaws.com',
        SourceArn: att(permitted, 'Arn'),
      }),
    },
  };
}

interface BusOptions {
  readonly permitted?: string;
  readonly deliveries?: number;
  /** How long events of a throttled function are kept. */
  readonly throttledMs?: number;
  readonly concurrency?: number;
  /** `MaximumRetryAttempts` of the function. */
  readonly retries?: number;
}

function startBus(options: BusOptions = {}): EventBus {
  const stack = stackOf(template(options), { directory: folder });
  const principals = principalsOf(stack, folder);
  const endpoints = { backend: 'http://127.0.0.1:1', control: 'http://127.0.0.1:1' };
  const lambda = new Lambda(readFunctions(stack, principals, endpoints), () => {});
  const bus = new EventBus(stack, lambda, principals, {
    folder: join(folder, 'events'),
    log: (line) => lines.push(line),
    metrics,
    deliveries: options.deliveries ?? 1,
    retryMs: [10, 10],
    throttled: { firstMs: 10, longestMs: 40, totalMs: options.throttledMs ?? 60_000 },
  });
  started.push(lambda, bus);
  return bus;
}

const sent = (source: string) => ({ source, 'detail-type': 'Test', resources: [], detail: { a: 1 } });

const calls = () =>
  existsSync(join(folder, 'calls'))
    ? (readFileSync(join(folder, 'calls'), 'utf8').match(/.+(?=\n)/g) ?? []).map((line) => JSON.parse(line))
    : [];

/** Waits until nothing is left to deliver. */
async function delivered(): Promise<void> {
  while (readdirSync(join(folder, 'events')).length > 0) await sleep(10);
}

test('a function that fails gets the event again', async () => {
  writeFileSync(join(folder, 'fail'), '');
  startBus().publish(sent('ours'));
  await delivered();
  expect(calls()).toHaveLength(2);
  expect(lines).toEqual([expect.stringMatching(/^Rule did not deliver Test: .*planned/)]);
});

test('a failed function does not get the event again if its configuration allows no retries', async () => {
  writeFileSync(join(folder, 'fail'), '');
  startBus({ retries: 0 }).publish(sent('ours'));
  await delivered();
  expect(calls()).toHaveLength(1);
});

/** Returns how many events of the function were dropped. */
function dropped(): number | undefined {
  const dimensions = { FunctionName: 'handles-events' };
  const metric = { namespace: 'AWS/Lambda', name: 'AsyncEventsDropped', dimensions };
  return metrics.statistic(metric, 'Sum', 0, Date.now());
}

test('an event is dropped after three failures of its function', async () => {
  writeFileSync(join(folder, 'broken'), '');
  startBus().publish(sent('ours'));
  await delivered();
  expect(calls()).toHaveLength(3);
  expect(dropped()).toBe(1);
});

test('a function that is throttled gets all events in the end, however often that is', async () => {
  const bus = startBus({ deliveries: 12, concurrency: 1 });
  bus.publish(sent('ours'));
  await delivered();
  expect(calls()).toHaveLength(12);
  expect(lines).toEqual([]);
});

test('an event is dropped when its function has been throttled for too long', async () => {
  startBus({ concurrency: 0, throttledMs: 30 }).publish(sent('ours'));
  await delivered();
  expect(lines).toHaveLength(1);
  expect(dropped()).toBe(1);
});

test('a function that permits another rule gets no event', async () => {
  startBus({ permitted: 'Other' }).publish(sent('ours'));
  await delivered();
  expect(calls()).toEqual([]);
  expect(dropped()).toBeUndefined();
  expect(lines).toEqual([expect.stringContaining('is not authorized to perform: lambda:InvokeFunction')]);
});

test('a rule with an unsupported target aborts the start', () => {
  const Targets = [{ Id: 'a', Arn: 'arn:aws:sqs:us-east-1:000000000000:queue' }];
  const Rule = resource('AWS::Events::Rule', { EventPattern: { source: ['ours'] }, Targets });
  const stack = stackOf({ Resources: { Rule } });
  const principals = principalsOf(stack, folder);
  expect(() => new EventBus(stack, new Lambda([], () => {}), principals, { folder, log: () => {} })).toThrow(
    'does not support arn:aws:sqs:us-east-1:000000000000:queue as a target of Rule',
  );
});
