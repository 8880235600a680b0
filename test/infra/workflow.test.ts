import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import type { ProviderName } from '../../lambda/contract/generate.ts';
import type { ProviderConfig } from '../../lambda/contract/providers.ts';
import { startGeneration } from '../../lambda/generation/generate.ts';
import { JobStore } from '../../lambda/generation/jobs.ts';
import { ProjectStore } from '../../lambda/generation/projects.ts';
import { createProvider } from '../../lambda/generation/providers/index.ts';
import { runProvider } from '../../lambda/generation/run.ts';
import { settle } from '../../lambda/generation/settle.ts';
import type { AttemptState, CaughtAttempt } from '../../lambda/generation/workflow.ts';
import type { Account } from '../../local/account.ts';
import { type Backend, startBackend } from '../../local/backend-server.ts';
import { startDynamoDB } from '../support/dynamodb.ts';
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
        { ErrorEquals: ['States.Timeout', 'ProviderTimedOut'], Next: 'AttemptTimedOut' },
        { ErrorEquals: ['States.ALL'], Next: 'AttemptFailed' },
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
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-workflow-'));
  let database: Awaited<ReturnType<typeof startDynamoDB>>;
  let backend: Backend;
  let jobs: JobStore;
  let projects: ProjectStore;
  let machine: StateMachine;

  beforeAll(async () => {
    const anybody = { name: 'test', arn: 'arn:aws:iam::111122223333:role/test', secretAccessKey: 'test' };
    const statements = [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['*'] }] as const;
    const account: Account = {
      accountId: '111122223333',
      region: 'us-east-1',
      principals: { AKIATEST: { ...anybody, statements } },
      buckets: [{ name: 'results', policy: [] }],
      tables: [],
    };
    backend = await startBackend(account, { backendPort: 0, stateDir });
    database = await startDynamoDB('jobs', 'id');
    jobs = new JobStore(database.db, database.table);
    const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'test' };
    projects = new ProjectStore(
      new S3Client({ endpoint: backend.url, region: 'us-east-1', credentials }),
      'results',
    );
    const quick = structuredClone(asl);
    quick.States.RunProvider.TimeoutSeconds = TIMEOUT_SECONDS;
    machine = new StateMachine(quick, { validationOptions: { noValidate: true } });
  });
  afterAll(async () => {
    await Promise.all([backend.close(), database.close()]);
    rmSync(stateDir, { recursive: true, force: true });
  });

  /** Runs a job through the real functions, with providers that behave as they are told. */
  async function execute(scripts: Partial<Record<ProviderName, Script>>, deadlineMs = 200) {
    let runs = 0;
    const tasks: Record<string, (payload: unknown) => Promise<unknown>> = {
      [RUN]: (state) =>
        runProvider(state as AttemptState, `run-${++runs}`, {
          jobs,
          projects,
          provider: (name) =>
            createProvider({ kind: 'scripted', script: scripts[name] ?? 'fail', delayMs: 0 }),
          clock: Date.now,
          deadlineMs,
        }),
      [SETTLE]: (caught) => settle(caught as CaughtAttempt, { jobs, clock: Date.now }),
    };
    let execution: Promise<unknown> = Promise.resolve();
    const { id } = await startGeneration(
      { prompt: 'a page', model: 'auto', duration: 'auto' },
      {
        jobs,
        configured: Object.keys(scripts) as ProviderName[],
        clock: Date.now,
        startExecution: async (_name, input) => {
          const handlers = Object.fromEntries(
            ['RunProvider', 'SettleAttempt'].map((state) => [
              state,
              async (task: { FunctionName: string; Payload: unknown }) => ({
                Payload: await tasks[task.FunctionName]?.(task.Payload),
              }),
            ]),
          );
          execution = machine.run(structuredClone(input) as never, {
            overrides: { taskResourceLocalHandlers: handlers as never },
          }).result;
        },
      },
    );
    const error = await execution.then(
      () => undefined,
      (failure: Error) => (failure.cause as Error).name,
    );
    const job = await jobs.find(id);
    return { error, job, outcomes: job?.attempts.map(({ provider, outcome }) => `${provider} ${outcome}`) };
  }

  it('ends with the project of the first provider', async () => {
    const { error, job, outcomes } = await execute({ 'provider-a': 'answer', 'provider-b': 'fail' });
    expect(error).toBeUndefined();
    expect(job).toMatchObject({
      status: 'succeeded',
      result: { model: 'provider-a/scripted', fileCount: 1 },
    });
    expect(outcomes).toEqual(['provider-a succeeded']);
    expect(await projects.get(job?.id ?? '', job?.result?.run ?? '')).toEqual([
      { path: 'index.html', content: '<!doctype html>\n<title>Scripted</title>\n', language: 'html' },
    ]);
  });

  it('falls back after an error', async () => {
    const { job, outcomes } = await execute({ 'provider-a': 'fail', 'provider-b': 'answer' });
    expect(job).toMatchObject({ status: 'succeeded', result: { model: 'provider-b/scripted' } });
    expect(outcomes).toEqual(['provider-a failed', 'provider-b succeeded']);
  });

  it('falls back after an answer that was cut off', async () => {
    const { outcomes } = await execute({ 'provider-a': 'cut', 'provider-b': 'answer' });
    expect(outcomes).toEqual(['provider-a failed', 'provider-b succeeded']);
  });

  it('falls back after the run’s own deadline', async () => {
    const { job, outcomes } = await execute({ 'provider-a': 'hang', 'provider-c': 'answer' });
    expect(job?.status).toBe('succeeded');
    expect(outcomes).toEqual(['provider-a timed_out', 'provider-c succeeded']);
  });

  it('falls back after the state machine’s timeout, when the run itself hangs', async () => {
    const { job, outcomes } = await execute({ 'provider-a': 'hang', 'provider-b': 'answer' }, 2_000);
    expect(job).toMatchObject({ status: 'succeeded', result: { model: 'provider-b/scripted' } });
    expect(outcomes).toEqual(['provider-a timed_out', 'provider-b succeeded']);
  });

  it('ends as failed when all failed', async () => {
    const { error, job, outcomes } = await execute({
      'provider-a': 'fail',
      'provider-b': 'fail',
      'provider-d': 'cut',
    });
    expect(error).toBe('AllProvidersFailed');
    expect(job?.status).toBe('failed');
    expect(outcomes).toEqual(['provider-a failed', 'provider-b failed', 'provider-d failed']);
  });

  it('ends as timed out only when all timed out', async () => {
    const all = await execute({ 'provider-a': 'hang', 'provider-b': 'hang' });
    expect([all.error, all.job?.status]).toEqual(['GenerationTimedOut', 'timed_out']);
    const some = await execute({ 'provider-a': 'hang', 'provider-b': 'fail' });
    expect([some.error, some.job?.status]).toEqual(['AllProvidersFailed', 'failed']);
  });

  it('a run that was given up on changes nothing any more', async () => {
    const { job } = await execute({ 'provider-a': 'fail' });
    const attempt = { provider: 'provider-a', startedAt: 1, ms: 1, outcome: 'succeeded' } as const;
    const result = {
      model: 'provider-a/late',
      run: 'run-1',
      fileCount: 1,
      outputCharacters: 1,
      finishedAt: 1,
    };
    expect(await jobs.succeed(job?.id ?? '', 'run-1', attempt, result)).toBeUndefined();
    expect((await jobs.find(job?.id ?? ''))?.status).toBe('failed');
  });
});
