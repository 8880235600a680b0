import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Metrics } from '../../local/cloud/cloudwatch/metrics.ts';
import { EventBus } from '../../local/cloud/events/event-bus.ts';
import { EventPattern, matchesPattern } from '../../local/cloud/events/rules.ts';
import { readFunctions } from '../../local/cloud/lambda/functions.ts';
import { Lambda } from '../../local/cloud/lambda/lambda.ts';
import { Principals } from '../../local/cloud/roles.ts';
import { Secrets } from '../../local/cloud/secrets-manager.ts';
import { Stack } from '../../local/cloud/template/stack.ts';

describe('a pattern', () => {
  const event = { source: 'aws.states', resources: ['a', 'b'], detail: { status: 'FAILED', count: 1 } };
  const matches = (pattern: object) => matchesPattern(EventPattern.parse(pattern), event);

  test('matches an event that has one of the values of each field', () => {
    expect(matches({ source: ['aws.states'] })).toBe(true);
    expect(
      matches({ source: [{ prefix: 'aws.' }], detail: { status: ['ABORTED', 'FAILED'], count: [1] } }),
    ).toBe(true);
    expect(matches({ resources: ['b'] })).toBe(true);
  });

  test('does not match another value, another type or a missing field', () => {
    expect(matches({ source: ['aws.s3'] })).toBe(false);
    expect(matches({ source: ['aws.states'], detail: { status: ['ABORTED'] } })).toBe(false);
    expect(matches({ detail: { count: ['1'] } })).toBe(false);
    expect(matches({ detail: { missing: ['x'] } })).toBe(false);
    expect(matches({ detail: { missing: { deep: ['x'] } } })).toBe(false);
  });

  test('with an operator that the local cloud does not know is rejected', () => {
    expect(EventPattern.safeParse({ source: [{ 'anything-but': 'x' }] }).success).toBe(false);
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

let folder: string;
let lines: string[];
let metrics: Metrics;
const started: { close(): unknown }[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'events-'));
  mkdirSync(join(folder, 'asset.code'));
  writeFileSync(join(folder, 'asset.code', 'index.mjs'), CODE);
  lines = [];
  metrics = new Metrics();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.close()));
  rmSync(folder, { recursive: true, force: true });
});

const arn = (name: string) => ({ 'Fn::GetAtt': [name, 'Arn'] });
const POLICY = { Version: '2012-10-17', Statement: [] };

function template({ permitted = 'Rule', concurrency, retries }: BusOptions) {
  return {
    Resources: {
      ...(retries !== undefined && {
        Config: {
          Type: 'AWS::Lambda::EventInvokeConfig',
          Properties: {
            FunctionName: { Ref: 'Function' },
            Qualifier: '$LATEST',
            MaximumRetryAttempts: retries,
          },
        },
      }),
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: {
          AssumeRolePolicyDocument: {
            ...POLICY,
            Statement: [
              { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } },
            ],
          },
        },
      },
      Function: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          FunctionName: 'handles-events',
          Code: { S3Bucket: 'assets', S3Key: 'code.zip' },
          Handler: 'index.handler',
          Role: arn('Role'),
          Runtime: 'nodejs24.x',
          Timeout: 60,
          ...(concurrency === undefined ? {} : { ReservedConcurrentExecutions: concurrency }),
          Environment: { Variables: { FOLDER: folder } },
        },
      },
      Rule: {
        Type: 'AWS::Events::Rule',
        Properties: {
          EventPattern: { source: ['ours'] },
          Targets: [{ Id: 'Target0', Arn: arn('Function') }],
        },
      },
      Other: { Type: 'AWS::Events::Rule', Properties: { EventPattern: { source: ['others'] } } },
      Permission: {
        Type: 'AWS::Lambda::Permission',
        Properties: {
          Action: 'lambda:InvokeFunction',
          FunctionName: arn('Function'),
          Principal: 'events.amazonaws.com',
          SourceArn: arn(permitted),
        },
      },
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
  const target = {
    accountId: '000000000000',
    region: 'us-east-1',
    frontDoor: 'localhost:1',
    secretValue: () => '',
  };
  const stack = new Stack({ stackName: 'Demo', template: template(options), directory: folder }, target);
  const principals = new Principals(stack, new Secrets(folder), () => undefined);
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

test('an event reaches the target of the rule that matches it', async () => {
  const bus = startBus();
  bus.publish(sent('others'));
  bus.publish(sent('ours'));
  await delivered();
  expect(calls()).toEqual([
    {
      version: '0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      source: 'ours',
      account: '000000000000',
      region: 'us-east-1',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      'detail-type': 'Test',
      resources: [],
      detail: { a: 1 },
    },
  ]);
});

test('an event may come twice, with the same id', async () => {
  startBus({ deliveries: 2 }).publish(sent('ours'));
  await delivered();
  const ids = calls().map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
});

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

test('the next start delivers what the local cloud had not delivered when it ended', async () => {
  const bus = startBus();
  bus.publish(sent('ours'));
  bus.close();
  await Promise.all(started.splice(0).map((one) => one.close()));
  const before = calls().length;
  startBus().resume();
  await delivered();
  expect(calls()).toHaveLength(before + 1);
});

test('a rule with an unsupported target aborts the start', () => {
  const target = {
    accountId: '000000000000',
    region: 'us-east-1',
    frontDoor: 'localhost:1',
    secretValue: () => '',
  };
  const Targets = [{ Id: 'a', Arn: 'arn:aws:sqs:us-east-1:000000000000:queue' }];
  const Rule = { Type: 'AWS::Events::Rule', Properties: { EventPattern: { source: ['ours'] }, Targets } };
  const stack = new Stack(
    { stackName: 'Demo', template: { Resources: { Rule } }, directory: folder },
    target,
  );
  const principals = new Principals(stack, new Secrets(folder), () => undefined);
  expect(() => new EventBus(stack, new Lambda([], () => {}), principals, { folder, log: () => {} })).toThrow(
    'does not support arn:aws:sqs:us-east-1:000000000000:queue as a target of Rule',
  );
});
