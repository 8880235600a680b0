import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import type { ProviderName } from '../../lambda/contract/generate.ts';
import type { ProviderConfig } from '../../lambda/contract/providers.ts';
import { attemptsOf, filesOf, modelOf } from '../../lambda/generation/job.ts';
import { scripted } from '../../lambda/generation/providers/scripted.ts';
import { runStep } from '../../lambda/generation/run.ts';
import { settle } from '../../lambda/generation/settle.ts';
import type { CaughtStep, StepState } from '../../lambda/generation/workflow.ts';
import { type Stores, startGeneration, startStores } from '../support/generation.ts';
import { type Resource, resources, synthesized } from './synthesized.ts';

type Script = Extract<ProviderConfig, { kind: 'scripted' }>['script'];
// biome-ignore lint/suspicious/noExplicitAny: states of several types
type States = Record<string, any>;

const RUN = 'arn:aws:lambda:us-east-1:111122223333:function:run-provider';
const SETTLE = 'arn:aws:lambda:us-east-1:111122223333:function:settle';

/** The state machine's definition in the template, with the functions' names filled in. */
function definition(): StateMachineDefinition & { States: States } {
  const [[, { Properties }]] = resources(synthesized(), 'AWS::StepFunctions::StateMachine') as [
    [string, Resource],
  ];
  const parts: (string | object)[] = Properties.DefinitionString['Fn::Join'][1];
  const text = parts.map((part) => {
    if (typeof part === 'string') return part;
    if ('Ref' in part) return 'aws';
    return JSON.stringify(part).includes('RunProvider') ? RUN : SETTLE;
  });
  return JSON.parse(text.join(''));
}

const asl = definition();

describe('the definition', () => {
  it('gives a provider two minutes, and catches a timeout apart from an error', () => {
    expect(asl.States.RunProvider).toMatchObject({
      TimeoutSeconds: 120,
      Catch: [
        { ErrorEquals: ['States.Timeout', 'ProviderTimedOut'], Next: 'StepTimedOut' },
        { ErrorEquals: ['States.ALL'], Next: 'StepFailed' },
      ],
    });
  });

  it('takes the timeout from the configuration', () => {
    const [entry] = resources(
      synthesized({ generation: { providerTimeoutSeconds: 77 } }),
      'AWS::StepFunctions::StateMachine',
    );
    expect(JSON.stringify(entry)).toContain('\\"TimeoutSeconds\\":77');
  });

  it('has one state that runs a provider, however many there are', () => {
    const invoking = Object.values(asl.States).filter(({ Parameters }) => Parameters?.FunctionName === RUN);
    expect(invoking).toHaveLength(1);
  });
});

describe('an execution', () => {
  const TIMEOUT_SECONDS = 0.4;
  let stores: Stores;
  let machine: StateMachine;

  beforeAll(async () => {
    stores = await startStores();
    const quick = structuredClone(asl);
    quick.States.RunProvider.TimeoutSeconds = TIMEOUT_SECONDS;
    machine = new StateMachine(quick, { validationOptions: { noValidate: true } });
  });
  afterAll(() => stores.close());

  /** Runs a job through the real functions, with providers that behave as they are told. */
  async function execute(scripts: Partial<Record<ProviderName, Script>>, totalMs = 200) {
    const { jobs, files, cooldowns } = stores;
    let runs = 0;
    const tasks: Record<string, (payload: unknown) => Promise<unknown>> = {
      [RUN]: (state) =>
        runStep(state as StepState, `run-${++runs}`, {
          jobs,
          files,
          cooldowns,
          provider: (name) => scripted({ kind: 'scripted', script: scripts[name] ?? 'fail', delayMs: 0 }),
          clock: Date.now,
          deadlines: { totalMs, firstMs: 10_000, stallMs: 10_000 },
        }),
      [SETTLE]: (caught) => settle(caught as CaughtStep, { jobs, clock: Date.now }),
    };
    let execution: Promise<unknown> = Promise.resolve();
    const { id } = await startGeneration(
      { prompt: 'a page', model: 'auto', duration: 'auto' },
      { caller: { id: 'address:192.0.2.1' } },
      {
        jobs,
        cooldowns,
        configured: Object.keys(scripts) as ProviderName[],
        secret: 'secret',
        clock: Date.now,
        stopExecution: async () => {},
        startExecution: async (_name, input) => {
          const invoke = async (task: { FunctionName: string; Payload: unknown }) => ({
            Payload: await tasks[task.FunctionName]?.(task.Payload),
          });
          const handlers = { RunProvider: invoke, SettleStep: invoke };
          const overrides = { taskResourceLocalHandlers: handlers as never };
          execution = machine.run(structuredClone(input) as never, { overrides }).result;
        },
      },
    );
    const error = await execution.then(
      () => undefined,
      (failure: Error) => (failure.cause as Error).name,
    );
    const job = await jobs.existing(id);
    const outcomes = attemptsOf(job).map(({ provider, outcome }) => `${provider} ${outcome}`);
    return { error, job, outcomes, model: modelOf(job) };
  }

  it('ends with the project of the first provider', async () => {
    const { error, job, outcomes, model } = await execute({ 'provider-a': 'answer', 'provider-b': 'fail' });
    expect(error).toBeUndefined();
    expect(job).toMatchObject({ status: 'succeeded', step: 2 });
    expect(model).toBe('provider-a/scripted');
    expect(outcomes).toEqual(['provider-a succeeded']);
    expect(await stores.files.contents(filesOf(job))).toMatchObject([
      { path: 'index.html', content: '<!doctype html>\n<title>Scripted</title>\n', language: 'html' },
    ]);
  });

  it('falls back after an error', async () => {
    const { job, outcomes, model } = await execute({ 'provider-a': 'fail', 'provider-b': 'answer' });
    expect([job.status, model]).toEqual(['succeeded', 'provider-b/scripted']);
    expect(outcomes).toEqual(['provider-a failed', 'provider-b succeeded']);
  });

  it('falls back after an answer without a complete file', async () => {
    const { outcomes } = await execute({ 'provider-a': 'cut', 'provider-b': 'answer' });
    expect(outcomes).toEqual(['provider-a unusable', 'provider-b succeeded']);
  });

  it('falls back after the run’s own deadline', async () => {
    const { job, outcomes } = await execute({ 'provider-a': 'hang', 'provider-c': 'answer' });
    expect(job.status).toBe('succeeded');
    expect(outcomes).toEqual(['provider-a timed_out', 'provider-c succeeded']);
  });

  it('falls back after the state machine’s timeout, when the run itself hangs', async () => {
    const { job, outcomes, model } = await execute({ 'provider-a': 'hang', 'provider-b': 'answer' }, 2_000);
    expect([job.status, model]).toEqual(['succeeded', 'provider-b/scripted']);
    expect(outcomes).toEqual(['provider-a timed_out', 'provider-b succeeded']);
  });

  it('ends as failed when all failed', async () => {
    const { error, job, outcomes } = await execute({
      'provider-a': 'fail',
      'provider-b': 'fail',
      'provider-d': 'cut',
    });
    expect(error).toBe('AllProvidersFailed');
    expect(job.status).toBe('failed');
    expect(outcomes).toEqual(['provider-a failed', 'provider-b failed', 'provider-d unusable']);
  });

  it('ends as timed out only when all timed out', async () => {
    const all = await execute({ 'provider-a': 'hang', 'provider-b': 'hang' });
    expect([all.error, all.job.status]).toEqual(['GenerationTimedOut', 'timed_out']);
    const some = await execute({ 'provider-a': 'hang', 'provider-b': 'fail' });
    expect([some.error, some.job.status]).toEqual(['AllProvidersFailed', 'failed']);
  });
});
