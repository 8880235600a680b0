import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceEvent } from '../../local/cloud/events/rules.ts';
import { readFunctions } from '../../local/cloud/lambda/functions.ts';
import { Lambda } from '../../local/cloud/lambda/lambda.ts';
import type { Execution } from '../../local/cloud/step-functions/state-machine.ts';
import { StepFunctions } from '../../local/cloud/step-functions/step-functions.ts';
import { emptyFolder, temporaryFolder } from '../support/at-end.ts';
import { att, functionOf, principalsOf, resource, roleFor, stackOf } from '../support/emulated.ts';

const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:Demo-Machine';

const INVOKE = { FunctionName: `\${Function.Arn}` };

const task = (more: object) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { ...INVOKE, 'Payload.$': '$' },
  OutputPath: '$.Payload',
  ...more,
});

/** First and Third return, Second hangs. An error of Second leads to Third as well. */
const definition = {
  StartAt: 'First',
  States: {
    First: task({ Next: 'Second' }),
    Second: task({
      Next: 'Third',
      Catch: [{ ErrorEquals: ['Runtime.ExitError'], ResultPath: '$.caught', Next: 'Third' }],
    }),
    Third: task({ End: true }),
  },
};

const machineOf = (roleId: string, DefinitionString: unknown) =>
  resource('AWS::StepFunctions::StateMachine', { RoleArn: att(roleId, 'Arn'), DefinitionString });

/** Starts an execution of the machine, named after its input. */
const starter = (roleId: string) => {
  const Start = {
    Type: 'Task',
    Resource: 'arn:aws:states:::states:startExecution',
    Parameters: { StateMachineArn: MACHINE, 'Name.$': '$.name', 'Input.$': '$' },
    End: true,
  };
  return machineOf(roleId, JSON.stringify({ StartAt: 'Start', States: { Start } }));
};

/** States that pass on what they get, one after the other; nothing catches what ends an execution. */
const growing = (...states: object[]) => {
  const States = {
    ...Object.fromEntries(states.map((state, i) => [i, { Next: `${i + 1}`, ...state }])),
    [states.length]: { Type: 'Pass', Result: 'caught', End: true },
  };
  return machineOf('MachineRole', { 'Fn::Sub': JSON.stringify({ StartAt: '0', States }) });
};
const CAUGHT = [{ ErrorEquals: ['States.ALL'], Next: '1' }];

/** Appends its event to a file. Its second invocation never ends. */
const CODE = `import { appendFileSync, readFileSync } from 'node:fs';
  export const handler = async (event) => {
    const file = process.env.CALLS;
    appendFileSync(file, JSON.stringify(event) + '\\n');
    if (readFileSync(file, 'utf8').split('\\n').length === 3) await new Promise(() => {});
    if (event.grow) return 'ü'.repeat(event.grow);
    return { ...event, step: event.step + 1 };
  };`;

const folder = emptyFolder();
const calls = join(folder, 'calls');
const checkpoints = join(folder, 'executions');
let lines: string[];
let events: ServiceEvent[];
let lambdas: Lambda[];

beforeEach(() => {
  mkdirSync(join(folder, 'asset.code'));
  writeFileSync(join(folder, 'asset.code', 'index.mjs'), CODE);
  lines = [];
  events = [];
  lambdas = [];
});
afterEach(() => Promise.all(lambdas.map((lambda) => lambda.close())));

/** Definitions are validated by the first test only. */
const cacheDir = temporaryFolder();

/** Creates the service and resumes executions, like a start of the local cloud. */
function startService(): StepFunctions {
  const template = {
    Resources: {
      Role: roleFor('lambda.amazonaws.com'),
      MachineRole: roleFor('states.amazonaws.com', { Action: 'lambda:InvokeFunction', Resource: '*' }),
      StarterRole: roleFor('states.amazonaws.com', { Action: 'states:StartExecution', Resource: '*' }),
      Starter: starter('StarterRole'),
      Denied: starter('MachineRole'),
      LargeResult: growing(task({ Catch: CAUGHT })),
      LargeInput: growing(task({ Parameters: { ...INVOKE, 'Payload.$': 'States.Array($, $)' }, Catch: CAUGHT })),
      LargeState: growing({ Type: 'Pass', Parameters: { 'a.$': '$', 'b.$': '$' } }, task({})),
      Function: functionOf('code', { Timeout: 60, Environment: { Variables: { CALLS: calls } } }),
      Machine: machineOf('MachineRole', { 'Fn::Sub': JSON.stringify(definition) }),
    },
  };
  const stack = stackOf(template, { directory: folder });
  const principals = principalsOf(stack, folder);
  const endpoints = { backend: 'http://127.0.0.1:1', control: 'http://127.0.0.1:1' };
  const lambda = new Lambda(readFunctions(stack, principals, endpoints), () => {});
  lambdas.push(lambda);
  const service = new StepFunctions(stack, lambda, principals, {
    folder: checkpoints,
    log: (line) => lines.push(line),
    publish: (event) => events.push(event),
    cacheDir,
  });
  service.resume();
  return service;
}

/** Returns the events of the function, whose process appends a line for each. */
const invocations = () =>
  existsSync(calls) ? (readFileSync(calls, 'utf8').match(/.+(?=\n)/g) ?? []).map((line) => JSON.parse(line)) : [];

async function ended(service: StepFunctions, { executionArn }: Execution): Promise<Execution> {
  while (service.describe(executionArn).status === 'RUNNING') await sleep(10);
  return service.describe(executionArn);
}

/** Starts an execution and waits until it hangs in its second state. */
async function startExecution(service: StepFunctions): Promise<Execution> {
  const execution = service.start(MACHINE, 'one', '{"step":1}');
  while (invocations().length < 2) await sleep(10);
  return execution;
}

test('the next start resumes an execution in its last state, whose task fails', async () => {
  const service = startService();
  const execution = await startExecution(service);
  service.close();
  const next = startService();
  expect(next.describe(execution.executionArn)).toEqual(execution);
  expect(next.start(MACHINE, 'one', '{"step":1}')).toEqual(execution);
  const { status, output } = await ended(next, execution);
  const caught = {
    Error: 'Runtime.ExitError',
    Cause: '{"errorType":"Runtime.ExitError","errorMessage":"Runtime exited with error: signal: killed"}',
  };
  expect([status, JSON.parse(output ?? '')]).toEqual(['SUCCEEDED', { step: 3, caught }]);
  expect(invocations()).toEqual([{ step: 1 }, { step: 2 }, { step: 2, caught }]);
  expect(lines).toEqual(['one resumes at Second, which was interrupted']);
});

test('a running execution is returned for the same name and input, and rejected for another input', async () => {
  const service = startService();
  const execution = await startExecution(service);
  expect(service.start(MACHINE, 'one', '{"step":1}')).toBe(execution);
  expect(() => service.start(MACHINE, 'one', '{"step":2}')).toThrow('Execution Already Exists');
  service.stop(execution.executionArn);
  expect(() => service.start(MACHINE, 'one', '{"step":1}')).toThrow('Execution Already Exists');
});

test('an execution that ended is not resumed', async () => {
  const service = startService();
  const execution = await startExecution(service);
  service.stop(execution.executionArn);
  expect(readdirSync(checkpoints)).toEqual([]);
  service.close();
  expect(() => startService().describe(execution.executionArn)).toThrow('Execution Does Not Exist');
});

test('skips executions that cannot be resumed', async () => {
  const service = startService();
  const execution = await startExecution(service);
  service.close();
  const [file = ''] = readdirSync(checkpoints);
  const checkpoint = JSON.parse(readFileSync(join(checkpoints, file), 'utf8'));
  const old = { ...checkpoint, state: 'Gone', execution: { ...execution, executionArn: 'x', name: 'two' } };
  writeFileSync(join(checkpoints, 'old.json'), JSON.stringify(old));
  writeFileSync(join(checkpoints, 'damaged.json'), '{');
  const next = startService();
  expect(lines).toContain(`two cannot be resumed: ${MACHINE} has no state Gone`);
  expect(events).toContainEqual(
    expect.objectContaining({ detail: expect.objectContaining({ name: 'two', status: 'ABORTED' }) }),
  );
  expect((await ended(next, execution)).status).toBe('SUCCEEDED');
});

test('a task starts an execution of another machine, if the role may', async () => {
  const service = startService();
  const input = JSON.stringify({ name: 'two', step: 1 });
  const run = (machine: string) => ended(service, service.start(MACHINE.replace('Demo-Machine', machine), 'x', input));
  expect(await run('Demo-Denied')).toMatchObject({ status: 'FAILED', error: 'AccessDenied' });
  const { status, output = '' } = await run('Demo-Starter');
  const { ExecutionArn } = JSON.parse(output);
  expect([status, ExecutionArn]).toEqual(['SUCCEEDED', `${MACHINE.replace(':stateMachine:', ':execution:')}:two`]);
  expect(service.describe(ExecutionArn)).toMatchObject({ input, status: 'RUNNING' });
});

/** Two bytes each as UTF-8: nearly the limit, and a bit more than half of it. */
const FITS = 131_072 - 100;
const HALF = 65_600;

test.each([
  ['a result', 'LargeResult', { grow: 131_073 }],
  ['the parameters of a task', 'LargeInput', { text: 'ü'.repeat(HALF) }],
  ['the output of a state', 'LargeState', { text: 'ü'.repeat(HALF) }],
])('%s over 256 KB in UTF-8 ends the execution, which nothing catches', async (_, machine, input) => {
  const service = startService();
  const execution = service.start(MACHINE.replace('Demo-Machine', `Demo-${machine}`), 'x', JSON.stringify(input));
  expect(await ended(service, execution)).toMatchObject({
    status: 'FAILED',
    error: 'States.DataLimitExceeded',
  });
});

test('a result of nearly 256 KB is passed on', async () => {
  const service = startService();
  const machine = MACHINE.replace('Demo-Machine', 'Demo-LargeResult');
  const execution = service.start(machine, 'x', JSON.stringify({ grow: FITS }));
  expect(await ended(service, execution)).toMatchObject({ status: 'SUCCEEDED' });
});

test('each change of the status of an execution is an event', async () => {
  const service = startService();
  const execution = await startExecution(service);
  service.stop(execution.executionArn, 'Enough', 'because');
  const { executionArn, stateMachineArn, name, input } = execution;
  const about = { executionArn, stateMachineArn, name, input, inputDetails: { included: true } };
  expect(events).toMatchObject([
    {
      source: 'aws.states',
      resources: [executionArn],
      detail: { ...about, status: 'RUNNING', stopDate: null },
    },
    {
      'detail-type': 'Step Functions Execution Status Change',
      detail: { ...about, status: 'ABORTED', error: 'Enough', cause: 'because', output: null },
    },
  ]);
});
