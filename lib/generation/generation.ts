import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { ENV } from '../../lambda/platform/env.ts';
import type { Access } from '../access/access.ts';
import { BundledFunction } from '../api/bundled-function.ts';
import type { StageConfig } from '../config.ts';
import { PrivateBucket } from '../storage/private-bucket.ts';
import { Workflow } from './workflow.ts';

export interface GenerationProps {
  readonly access: Access;
  readonly providers: StageConfig['providers'];
  readonly generation: StageConfig['generation'];
}

/** How long the API function may hold a request: five minutes of API Gateway's stream, less its own answer. */
export const HOLD = Duration.seconds(300);

/** A prompt becomes a project: the job, its state machine, and the function that waits for it. */
export class Generation extends Construct {
  readonly api: BundledFunction;
  readonly #jobs: TableV2;
  readonly #results: PrivateBucket;

  constructor(scope: Construct, id: string, props: GenerationProps) {
    super(scope, id);
    this.#jobs = new TableV2(this, 'Jobs', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      timeToLiveAttribute: 'expiresAt',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // A job is kept for a day; S3 counts whole days, from midnight on.
    this.#results = new PrivateBucket(this, 'Results', {
      lifecycleRules: [{ expiration: Duration.days(2) }],
    });
    const { stateMachine } = new Workflow(this, 'Workflow', {
      runProvider: this.#runProvider(props),
      settle: this.#settle(),
      providerTimeout: Duration.seconds(props.generation.providerTimeoutSeconds),
    });
    this.api = this.#api(props, stateMachine.stateMachineArn);
    stateMachine.grantStartExecution(this.api);
  }

  #runProvider({ providers, generation }: GenerationProps): BundledFunction {
    const fn = new BundledFunction(this, 'RunProvider', {
      entry: 'generation/run-provider.handler',
      description: 'One attempt of a generation with one provider',
      // Longer than the state machine waits, which is who ends an attempt.
      timeout: Duration.seconds(generation.providerTimeoutSeconds + 10),
      memorySize: 512,
      files: { from: 'lambda/generation/providers/blueprint/templates', as: 'templates' },
    });
    fn.addEnvironment(ENV.providers, JSON.stringify(providers));
    fn.addEnvironment(ENV.providerTimeoutSeconds, String(generation.providerTimeoutSeconds));
    this.#grantJobs(fn, 'dynamodb:UpdateItem');
    this.#grantResults(fn, 's3:PutObject');
    return fn;
  }

  #settle(): BundledFunction {
    const fn = new BundledFunction(this, 'Settle', {
      entry: 'generation/settle.handler',
      description: 'Records a failed attempt and names the next provider',
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
    this.#grantJobs(fn, 'dynamodb:GetItem', 'dynamodb:PutItem');
    this.#grantResults(fn, 's3:GetObject');
    return fn;
  }

  #grantJobs(fn: BundledFunction, ...actions: string[]): void {
    fn.addEnvironment(ENV.generationsTable, this.#jobs.tableName);
    this.#jobs.grant(fn, ...actions);
  }

  #grantResults(fn: BundledFunction, action: string): void {
    fn.addEnvironment(ENV.generationsBucket, this.#results.bucketName);
    this.#results.grantObjects(fn, 'generations/*', action);
  }
}
