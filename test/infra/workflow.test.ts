import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import type { ProviderName } from '../../lambda/contract/generate.ts';
import type { ProviderConfig } from '../../lambda/contract/providers.ts';
import { runAttempt } from '../../lambda/generation/attempt/attempt.ts';
import { settleAttempt, settleDeploy } from '../../lambda/generation/attempt/settle.ts';
import type { DeployedState, FailedAttempt, Generation, WorkflowState } from '../../lambda/generation/generation.ts';
import { attemptsOf, modelOf } from '../../lambda/generation/generation-log.ts';
import { scriptedProvider } from '../../lambda/generation/providers/index.ts';
import type { Provider, ProviderEvent } from '../../lambda/generation/providers/provider.ts';
import type { DeployOutcome, DeployTarget } from '../../lambda/stored/generations.ts';
import { filesOf } from '../../lambda/stored/projects/stored-project.ts';
import { NO_LOOKS, type Stores, stageOf, startGeneration, startStores, UNLIMITED } from '../support/generation.ts';
import { logLines } from '../support/log-lines.ts';
import { propertiesOf, type Resource, resources, type Template, templateOf } from './templates.ts';

type Script = Extract<ProviderConfig, { kind: 'scripted' }>['script'];
const notUsed = () => Promise.reject(new Error('not used'));
// biome-ignore lint/suspicious/noExplicitAny: states of several types
type States = Record<string, any>;

const ATTEMPT = 'arn:aws:lambda:us-east-1:111122223333:function:attempt';
const SETTLE = 'arn:aws:lambda:us-east-1:111122223333:function:settle';
const DEPLOY = 'arn:aws:lambda:us-east-1:111122223333:function:deploy';
const DELIVERIES = 'arn:aws:states:us-east-1:111122223333:stateMachine:deliveries';
const RECEIVER = { url: 'https://user.example/hook', owner: 'key:a' };

const template = templateOf('byDefault');
const other = templateOf('lean');

/** The state machine of generations in a template. */
function workflow(from: Template): Resource {
  const [found] = resources(from, 'AWS::StepFunctions::StateMachine').filter(([id]) =>
    id.startsWith('GenerationWorkflow'),
  );
  return (found as [string, Resource])[1];
}

/** Its definition, with the functions' names filled in. */
function definition(): StateMachineDefinition & { States: States } {
  const { Properties } = workflow(template);
  const parts: (string | object)[] = Properties.DefinitionString['Fn::Join'][1];
  const text = parts.map((part) => {
    if (typeof part === 'string') return part;
    if ('Ref' in part) return part.Ref === 'AWS::Partition' ? 'aws' : DELIVERIES;
    if (JSON.stringify(part).includes('Generated')) return DEPLOY;
    return JSON.stringify(part).includes('Attempt') ? ATTEMPT : SETTLE;
  });
  return JSON.parse(text.join(''));
}

const asl = definition();

describe('the definition', () => {
  it('gives a provider two minutes, a build half a minute and a look 80 s, and distinguishes timeouts from errors', () => {
    expect(asl.States.Attempt).toMatchObject({
      TimeoutSeconds: 230,
      Catch: [
        { ErrorEquals: ['States.Timeout', 'ProviderTimedOut'], Next: 'AttemptTimedOut' },
        { ErrorEquals: ['States.ALL'], Next: 'AttemptFailed' },
      ],
    });
  });

  it('takes the timeout from the configuration', () => {
    expect(JSON.stringify(workflow(other))).toContain('\\"TimeoutSeconds\\":187');
  });

  it('retries a throttled function for a minute on average, with jitter', () => {
    for (const state of ['Attempt', 'Deploy']) {
      const { ErrorEquals, IntervalSeconds, BackoffRate, MaxDelaySeconds, MaxAttempts, JitterStrategy } =
        asl.States[state].Retry[0];
      expect([state, ErrorEquals, JitterStrategy]).toEqual([state, ['Lambda.TooManyRequestsException'], 'FULL']);
      const longest = Array.from({ length: MaxAttempts }, (_, failed) =>
        Math.min(IntervalSeconds * BackoffRate ** failed, MaxDelaySeconds),
      );
      // With full jitter, a pause is half as long on average.
      const mean = longest.reduce((sum, pause) => sum + pause, 0) / 2;
      expect(mean).toBeGreaterThanOrEqual(60);
      expect(mean).toBeLessThanOrEqual(90);
    }
  });

  it('settles with one retrier for all errors, since only the first that matches an error applies', () => {
    for (const state of ['SettleAttempt', 'SettleDeploy']) {
      const [retrier, ...others] = asl.States[state].Retry;
      expect([state, others]).toEqual([state, []]);
      expect(retrier).toMatchObject({ ErrorEquals: ['States.ALL'], MaxAttempts: 12 });
    }
  });
});

it('settles an execution that ends without success, wherever it ends', () => {
  const rules = propertiesOf(template, 'AWS::Events::Rule').filter(({ EventPattern }) => EventPattern);
  const [[machineId] = ['']] = resources(template, 'AWS::StepFunctions::StateMachine').filter(([id]) =>
    id.startsWith('GenerationWorkflow'),
  );
  expect(rules.map(({ EventPattern }) => EventPattern.detail)).toEqual([
    { stateMachineArn: [{ Ref: machineId }], status: ['FAILED', 'TIMED_OUT', 'ABORTED'] },
  ]);
});

const TARGET: DeployTarget = {
  owner: 'anonymous',
  deployer: undefined,
  names: { id: 'abcdefghijkl', version: 'version-0001' },
  holdsToken: false,
};

async function* refusing(): AsyncGenerator<ProviderEvent> {
  yield { type: 'end', reason: 'refused' };
}

async function* chatting(): AsyncGenerator<ProviderEvent> {
  yield { type: 'text', text: 'Which page do you want?' };
  yield { type: 'end', reason: 'complete' };
}

describe('an execution', () => {
  let stores: Stores;

  beforeAll(async () => {
    stores = await startStores();
  });

  /** Returns the state machine with another timeout of attempts, without pauses before retries. */
  function machineOf(timeoutSeconds: number): StateMachine {
    const quick = structuredClone(asl);
    quick.States.Attempt.TimeoutSeconds = timeoutSeconds;
    for (const { Retry = [] } of Object.values(quick.States)) {
      for (const retry of Retry) Object.assign(retry, { IntervalSeconds: 0 });
    }
    for (const retry of [...quick.States.Deploy.Retry, ...quick.States.Notify.Retry])
      Object.assign(retry, { MaxAttempts: 1 });
    return new StateMachine(quick, { validationOptions: { noValidate: true } });
  }

  interface Circumstances {
    /** The deadline of the attempt's own function. */
    readonly totalMs?: number;
    /** The timeout of its state. */
    readonly timeoutSeconds?: number;
    /** How often each function is throttled before it runs. */
    readonly throttled?: number;
    /** The deadline of the first token. */
    readonly firstMs?: number;
    /** Writes the answers of all providers, whatever their script is. */
    readonly write?: Provider['write'];
    readonly deploy?: () => Promise<DeployOutcome>;
    readonly notify?: (task: object) => Promise<object>;
  }

  /** Runs a generation through the real functions, with scripted providers. */
  async function execute(
    scripts: Partial<Record<ProviderName, Script>>,
    {
      totalMs = 60_000,
      firstMs = 60_000,
      timeoutSeconds = 60,
      throttled = 0,
      write,
      deploy,
      notify,
    }: Circumstances = {},
  ) {
    const machine = machineOf(timeoutSeconds);
    const { generations, files, providerStore, usage, builder } = stores;
    let invocations = 0;
    const tasks: Record<string, (payload: unknown) => Promise<unknown>> = {
      [ATTEMPT]: (state) =>
        runAttempt(state as WorkflowState, `invocation-${++invocations}`, {
          generations,
          files,
          providerStore,
          usage,
          builder,
          ...NO_LOOKS,
          provider: (name) => ({
            ...scriptedProvider({ kind: 'scripted', script: scripts[name] ?? 'fail', delayMs: 0 }),
            ...(write && { write }),
          }),
          ...UNLIMITED,
          clock: Date.now,
          deadlines: { totalMs, firstMs, stallMs: 60_000 },
        }),
      [SETTLE]: (caught) =>
        settleAttempt(caught as FailedAttempt, {
          generations,
          files: async () => files,
          usage,
          providerStore,
          clock: Date.now,
          roundMs: totalMs,
        }),
      [DEPLOY]: async (state) => ({ ...(state as WorkflowState), deployed: await deploy?.() }),
    };
    let execution: Promise<unknown> = Promise.resolve();
    const { id } = await startGeneration(
      { prompt: 'a page', model: 'auto', duration: 'auto' },
      { caller: { id: 'address:192.0.2.1' }, receiver: notify && RECEIVER },
      {
        generations,
        providerStore,
        usage,
        files: { putBase: notUsed, putImage: notUsed },
        ...stageOf(Object.keys(scripts)),
        idSecret: async () => 's',
        clock: Date.now,
        stopExecution: async () => {},
        startExecution: async (_name, input) => {
          const refusals = new Map<string, number>();
          const invoke = async (task: { FunctionName: string; Payload: unknown }) => {
            const refused = refusals.get(task.FunctionName) ?? 0;
            refusals.set(task.FunctionName, refused + 1);
            if (refused < throttled)
              throw Object.assign(new Error('Rate Exceeded.'), { name: 'Lambda.TooManyRequestsException' });
            return { Payload: await tasks[task.FunctionName]?.(task.Payload) };
          };
          const settleDeployed = async (task: { Payload: unknown }) => ({
            Payload: await settleDeploy(task.Payload as DeployedState, {
              generations,
              usage,
              providerStore,
              clock: Date.now,
            }),
          });
          const handlers = {
            Attempt: invoke,
            SettleAttempt: invoke,
            Deploy: invoke,
            SettleDeploy: settleDeployed,
            Notify: notify,
          };
          const overrides = { taskResourceLocalHandlers: handlers as never };
          execution = machine.run(structuredClone(input) as never, { overrides }).result;
        },
      },
      { deploy: deploy && TARGET },
    );
    const error = await execution.then(
      () => undefined,
      (failure: Error) => (failure.cause as Error).name,
    );
    const generation = await generations.get(id);
    const outcomes = attemptsOf(generation).map(({ provider, outcome }) => `${provider} ${outcome}`);
    return { error, generation, outcomes, model: modelOf(generation) };
  }

  it('waits for its turn while attempts are throttled, without settling or another provider', async () => {
    const { generation, outcomes } = await execute(
      { 'provider-a': 'answer', 'provider-b': 'answer' },
      { throttled: 15 },
    );
    expect(generation.status).toBe('succeeded');
    expect(outcomes).toEqual(['provider-a succeeded']);
  });

  it('continues an output that was cut off, and falls back once that adds nothing', async () => {
    const { outcomes } = await execute({ 'provider-a': 'cut', 'provider-b': 'answer' });
    expect(outcomes).toEqual(['provider-a cut_off', 'provider-a cut_off', 'provider-b succeeded']);
  });

  it('falls back after the deadline of the attempt', async () => {
    const { generation, outcomes } = await execute(
      { 'provider-a': 'hang', 'provider-c': 'answer' },
      { totalMs: 1_000 },
    );
    expect(generation.status).toBe('succeeded');
    expect(outcomes).toEqual(['provider-a timed_out', 'provider-c succeeded']);
  });

  it('falls back after the timeout of the state machine when the attempt hangs', async () => {
    const { generation, outcomes, model } = await execute(
      { 'provider-a': 'hang', 'provider-b': 'answer' },
      { timeoutSeconds: 1, totalMs: 2_000 },
    );
    expect([generation.status, model]).toEqual(['succeeded', 'provider-b/scripted']);
    expect(outcomes).toEqual(['provider-a timed_out', 'provider-b succeeded']);
  });

  it('keeps the project when the deploy fails without an outcome', async () => {
    const unreachable = () => Promise.reject(new Error('unreachable'));
    const { error, generation } = await execute({ 'provider-a': 'answer' }, { deploy: unreachable });
    expect(error).toBeUndefined();
    expect(generation).toMatchObject({ status: 'succeeded', deployed: { status: 502 } });
    expect(filesOf(generation)).toHaveLength(1);
  });

  it('does not deploy without a project', async () => {
    const { generation } = await execute(
      { 'provider-a': 'fail' },
      {
        deploy: () => Promise.reject(new Error('no')),
      },
    );
    expect(generation.status).toBe('failed');
    expect(generation.deployed).toBeUndefined();
  });

  it.each<[string, Partial<Record<ProviderName, Script>>, Circumstances, Generation['status'], string]>([
    ['refused', { 'provider-a': 'answer' }, { write: refusing }, 'failed', 'refused'],
    ['answered without a file', { 'provider-a': 'answer' }, { write: chatting }, 'failed', 'unusable unusable'],
    [
      'was cut off, and another failed',
      { 'provider-a': 'cut', 'provider-b': 'fail' },
      {},
      'failed',
      'cut_off cut_off failed failed',
    ],
    ['took too long', { 'provider-a': 'hang' }, { totalMs: 100 }, 'timed_out', 'timed_out'],
  ])(
    'ends without an error, which would be an alarm, when a provider %s',
    async (_, scripts, circumstances, status, outcomes) => {
      process.env.METRICS_NAMESPACE = 'stage';
      const { error, generation } = await execute(scripts, circumstances);
      expect([error, generation.status]).toEqual([undefined, status]);
      expect(logLines.filter((line) => line.includes('"UnansweredPrompts":1'))).toHaveLength(
        outcomes === 'refused' ? 0 : 1,
      );
      expect(
        attemptsOf(generation)
          .map(({ outcome }) => outcome)
          .join(' '),
      ).toBe(outcomes);
    },
  );

  it('ends as timed out only when all providers timed out', async () => {
    const all = await execute({ 'provider-a': 'hang', 'provider-b': 'hang' }, { firstMs: 100 });
    expect([all.error, all.generation.status]).toEqual(['GenerationTimedOut', 'timed_out']);
    const some = await execute({ 'provider-a': 'hang', 'provider-b': 'fail' }, { firstMs: 100 });
    expect([some.error, some.generation.status]).toEqual(['AllProvidersFailed', 'failed']);
  });

  it.each([
    [{ 'provider-a': 'answer' }, 'succeeded', undefined],
    [{ 'provider-a': 'fail' }, 'failed', 'AllProvidersFailed'],
    [{ 'provider-a': 'hang' }, 'timed_out', 'GenerationTimedOut'],
  ] as const)('of %j starts one delivery, and then ends as %s', async (scripts, status, error) => {
    const started: object[] = [];
    const notify = async (task: object) => ({ started: started.push(task) });
    const firstMs = status === 'timed_out' ? 100 : 60_000;
    const { generation, ...end } = await execute(scripts, { firstMs, notify });
    expect([generation.status, end.error]).toEqual([status, error]);
    const { id, attempt, finishedAt = 0 } = generation;
    expect(started).toEqual([
      {
        StateMachineArn: DELIVERIES,
        Name: `generation-${id}-${attempt - 1}`,
        Input: {
          id: `generation-${id}-${attempt - 1}`,
          ...RECEIVER,
          event: {
            type: `generation.${status}`,
            timestamp: new Date(finishedAt).toISOString(),
            data: { id, status, url: `/api/v1/generations/${id}` },
          },
        },
      },
    ]);
  });

  it('notifies after the deploy, of its outcome', async () => {
    const deployed: object[] = [];
    const notify = async (task: { Input?: { event?: { data?: object } } }) => ({
      started: deployed.push(task.Input?.event?.data ?? {}),
    });
    const outcome = { status: 451, error: 'Taken down' };
    await execute({ 'provider-a': 'answer' }, { deploy: async () => outcome, notify });
    expect(deployed).toMatchObject([{ status: 'succeeded', deploymentError: outcome }]);
  });

  it('ends although the delivery cannot be started', async () => {
    const unreachable = () => Promise.reject(new Error('unreachable'));
    const { error, generation } = await execute({ 'provider-a': 'answer' }, { notify: unreachable });
    expect([error, generation.status]).toEqual([undefined, 'succeeded']);
  });
});
