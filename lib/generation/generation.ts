import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { ENV } from '../../lambda/platform/env.ts';
import type { Access } from '../access/access.ts';
import { BundledFunction } from '../api/bundled-function.ts';
import type { StageConfig } from '../config.ts';
import { PrivateBucket } from '../storage/private-bucket.ts';
import { providerGrants } from './provider-grants.ts';
import { Workflow } from './workflow.ts';

export interface GenerationProps {
  readonly access: Access;
  readonly providers: StageConfig['providers'];
  readonly generation: StageConfig['generation'];
}

/** How long the API function may hold a request: a response stream of API Gateway lasts 15 minutes, as a function does. */
export const HOLD = Duration.minutes(15);

/** A prompt becomes a project: the job, its state machine, and the function that waits for it. */
export class Generation extends Construct {
  readonly api: BundledFunction;
  readonly #jobs: TableV2;
  readonly #files: PrivateBucket;

  constructor(scope: Construct, id: string, props: GenerationProps) {
    super(scope, id);
    this.#jobs = new TableV2(this, 'Jobs', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      timeToLiveAttribute: 'expiresAt',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // A job is kept for a day; S3 counts whole days, from midnight on.
    this.#files = new PrivateBucket(this, 'Files', {
      lifecycleRules: [{ expiration: Duration.days(2) }],
    });
    const runProvider = this.#runProvider(props);
    const settle = this.#settle();
    // A job ends with its last step or with a cancel, and its usage is recorded there; the API records its calls as well.
    for (const fn of [runProvider, settle]) props.access.usage.grantRecord(fn);
    const { stateMachine } = new Workflow(this, 'Workflow', {
      runProvider,
      settle,
      providerTimeout: Duration.seconds(props.generation.providerTimeoutSeconds),
    });
    this.api = this.#api(props, stateMachine.stateMachineArn);
    stateMachine.grantStartExecution(this.api);
    stateMachine.grantExecution(this.api, 'states:StopExecution');
  }

  #runProvider({ providers, generation }: GenerationProps): BundledFunction {
    const fn = new BundledFunction(this, 'RunProvider', {
      entry: 'generation/run-provider.handler',
      description: 'One step of a generation with one provider',
      // Longer than the state machine waits, which is who ends a step.
      timeout: Duration.seconds(generation.providerTimeoutSeconds + 10),
      memorySize: 512,
      folders: ['lambda/generation/providers/blueprint/templates', 'lambda/generation/instructions'],
    });
    fn.addEnvironment(ENV.providers, JSON.stringify(providers));
    fn.addEnvironment(ENV.deadlines, JSON.stringify(generation));
    this.#grantJobs(fn, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    this.#grantFiles(fn, 's3:GetObject', 's3:PutObject');
    for (const statement of providerGrants(providers)) fn.addToRolePolicy(statement);
    return fn;
  }

  #settle(): BundledFunction {
    const fn = new BundledFunction(this, 'Settle', {
      entry: 'generation/settle.handler',
      description: 'Ends a failed step and decides the next',
      timeout: Duration.seconds(15),
      memorySize: 256,
    });
    this.#grantJobs(fn, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    return fn;
  }

  #api({ access, providers }: GenerationProps, stateMachineArn: string): BundledFunction {
    const fn = new BundledFunction(this, 'Api', {
      entry: 'generation/api.handler',
      description: 'Starts generations and waits for them',
      timeout: HOLD,
      memorySize: 512,
    });
    fn.addEnvironment(ENV.stateMachineArn, stateMachineArn);
    fn.addEnvironment(ENV.providerNames, JSON.stringify(Object.keys(providers)));
    access.grantApi(fn);
    this.#grantJobs(fn, 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem');
    this.#grantFiles(fn, 's3:GetObject');
    return fn;
  }

  #grantJobs(fn: BundledFunction, ...actions: string[]): void {
    fn.addEnvironment(ENV.generationsTable, this.#jobs.tableName);
    this.#jobs.grant(fn, ...actions);
  }

  #grantFiles(fn: BundledFunction, ...actions: string[]): void {
    fn.addEnvironment(ENV.generationsBucket, this.#files.bucketName);
    this.#files.grantObjects(fn, 'generations/*', ...actions);
  }
}
