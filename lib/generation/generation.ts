import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type * as z from 'zod';
import type { ConfigOf, ProviderConfig, ProvidersConfig } from '../../lambda/contract/providers.ts';
import type { siteFeatures } from '../../lambda/contract/site-features.ts';
import { ENV } from '../../lambda/platform/env.ts';
import { LOOK_SECONDS } from '../../lambda/stored/looks/looker.ts';
import type { Access } from '../access.ts';
import { budgetsOf } from '../budgets.ts';
import type { Builds } from '../builds.ts';
import type { StageConfig } from '../config.ts';
import type { Concurrency } from '../config-sections.ts';
import type { Looks } from '../look.ts';
import { BundledFunction } from '../platform/bundled-function.ts';
import { ListedTable, PrivateBucket } from '../platform/storage.ts';
import type { Webhooks } from '../webhooks.ts';
import { Workflow } from './workflow.ts';

interface GenerationProps {
  readonly access: Access;
  readonly builds: Builds;
  readonly looks: Looks;
  readonly providers: StageConfig['providers'];
  readonly generation: StageConfig['generation'];
  readonly prices: StageConfig['prices'];
  readonly budgets: StageConfig['budgets'];
  readonly tables: StageConfig['tables'];
  readonly routing: StageConfig['routing'];
  readonly look: StageConfig['look'];
  readonly data: StageConfig['data'];
  readonly siteDomain?: StageConfig['siteDomain'];
  /** Deploys the project of a generation. */
  readonly deploy: IFunction;
  readonly webhooks: Webhooks;
  readonly concurrency: Concurrency;
}

/** How long the API function may hold a request: the maximum of response streams in API Gateway and Lambda. */
export const HOLD = Duration.minutes(15);

/** How long the build of what an attempt wrote may take, after the provider's time: that of the build function, and its start. */
const BUILD_SECONDS = 30;

/** Returns how long an attempt may take, with the check of what it wrote. */
function attemptSeconds({ generation, look }: Pick<GenerationProps, 'generation' | 'look'>): number {
  return generation.providerTimeoutSeconds + BUILD_SECONDS + (look.enabled ? LOOK_SECONDS : 0);
}

/** Turns prompts into projects: the table of generations, their state machine, and the API. */
export class Generation extends Construct {
  readonly api: BundledFunction;
  readonly stateMachine: StateMachine;
  /** Ends generations whose execution died. A lost event is never repeated. */
  readonly settle: BundledFunction;
  readonly #generations: ListedTable;
  readonly #files: PrivateBucket;

  constructor(scope: Construct, id: string, props: GenerationProps) {
    super(scope, id);
    // Another id than `Jobs` would replace the table.
    this.#generations = new ListedTable(this, 'Jobs', props, {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
      // Anonymous generations have no owner.
      listedBy: 'owner',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // A generation expires after a day. S3 counts whole days from the next midnight.
    this.#files = new PrivateBucket(this, 'Files', {
      lifecycleRules: [{ expiration: Duration.days(2) }],
    });
    const attempt = this.#attempt(props);
    const settle = this.#settle(props);
    this.settle = settle;
    // A generation's usage is recorded where it ends: in an attempt, in its settling, or in the API's cancel.
    for (const fn of [attempt, settle]) {
      props.access.usage.grantRecord(fn);
      fn.emitMetrics();
    }
    props.webhooks.grantStart(settle);
    const { stateMachine } = new Workflow(this, 'Workflow', {
      attempt,
      settle,
      deploy: props.deploy,
      deliveries: props.webhooks.stateMachine,
      attemptTimeout: Duration.seconds(attemptSeconds(props)),
    });
    this.stateMachine = stateMachine;
    this.api = this.#api(props, stateMachine.stateMachineArn);
    stateMachine.grantStartExecution(this.api);
    stateMachine.grantExecution(this.api, 'states:StopExecution');
  }

  get table(): ListedTable {
    return this.#generations;
  }

  #attempt(props: GenerationProps): BundledFunction {
    const { access, providers, generation, prices, concurrency } = props;
    const fn = new BundledFunction(this, 'Attempt', {
      entry: 'generation/attempt/attempt.handler',
      description: 'Makes one attempt of a generation: calls one provider',
      // The state machine's timeout ends the attempt first.
      timeout: Duration.seconds(attemptSeconds(props) + 10),
      folders: ['blueprints', 'lambda/generation/instructions'],
      concurrency: concurrency.attempts,
    });
    fn.addEnvironment(ENV.providers, JSON.stringify(providers));
    fn.addEnvironment(ENV.prices, JSON.stringify(usedPrices(providers, prices)));
    fn.addEnvironment(ENV.budgets, JSON.stringify(budgetsOf(props)));
    access.grantClose(fn);
    // A project in source is checked by its build.
    props.builds.grantBuild(fn);
    props.looks.grantLook(fn);
    fn.addEnvironment(ENV.deadlines, JSON.stringify(generation));
    fn.addEnvironment(ENV.lookModels, props.look.models);
    const sites: z.output<typeof siteFeatures> = {
      data: props.data !== false,
      ownOrigins: props.siteDomain !== undefined,
    };
    fn.addEnvironment(ENV.sites, JSON.stringify(sites));
    this.#grantGenerations(fn, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    this.#grantFiles(fn, 's3:GetObject', 's3:PutObject');
    for (const statement of providerGrants(providers)) fn.addToRolePolicy(statement);
    return fn;
  }

  #settle({ generation }: GenerationProps): BundledFunction {
    const fn = new BundledFunction(this, 'Settle', {
      entry: 'generation/attempt/settle.handler',
      description: 'Ends a failed attempt, a deploy or a generation whose execution died',
      timeout: Duration.seconds(15),
    });
    fn.addEnvironment(ENV.deadlines, JSON.stringify(generation));
    this.#grantGenerations(fn, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    // A repair that ended early is undone: files of the project that it changed are stored again.
    this.#grantFiles(fn, 's3:GetObject', 's3:PutObject');
    return fn;
  }

  #api(props: GenerationProps, stateMachineArn: string): BundledFunction {
    const { access, providers, generation, prices, routing, webhooks, concurrency } = props;
    const fn = new BundledFunction(this, 'Api', {
      entry: 'generation/api/api.handler',
      description: 'Starts generations and waits for them',
      timeout: HOLD,
      concurrency: concurrency.generationApi,
    });
    fn.addEnvironment(ENV.stateMachineArn, stateMachineArn);
    fn.addEnvironment(ENV.providers, JSON.stringify(providers));
    fn.addEnvironment(ENV.prices, JSON.stringify(usedPrices(providers, prices)));
    fn.addEnvironment(ENV.routing, routing);
    fn.addEnvironment(ENV.running, JSON.stringify(generation.running));
    fn.addEnvironment(ENV.anonymousGeneration, JSON.stringify(generation.anonymous));
    access.grantApi(fn);
    webhooks.grantAccept(fn);
    this.#grantGenerations(fn, 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem');
    this.#generations.grantList(fn);
    // The project to change is stored before the generation starts.
    this.#grantFiles(fn, 's3:GetObject', 's3:PutObject');
    return fn;
  }

  /** Lets a function read generations and their projects. */
  grantRead(fn: BundledFunction): void {
    this.#grantGenerations(fn, 'dynamodb:GetItem');
    this.#grantFiles(fn, 's3:GetObject');
  }

  #grantGenerations(fn: BundledFunction, ...actions: string[]): void {
    fn.addEnvironment(ENV.generationsTable, this.#generations.tableName);
    this.#generations.grant(fn, ...actions);
  }

  #grantFiles(fn: BundledFunction, ...actions: string[]): void {
    fn.addEnvironment(ENV.generationsBucket, this.#files.bucketName);
    this.#files.grantObjects(fn, 'generations/*', ...actions);
  }
}

/** Returns the prices of the configured models: the environment of a function has a maximum of 4 KB. */
function usedPrices(providers: StageConfig['providers'], prices: StageConfig['prices']): StageConfig['prices'] {
  const models = new Set(Object.values(providers).map((config) => ('model' in config ? config.model : '')));
  return Object.fromEntries(Object.entries(prices).filter(([model]) => models.has(model)));
}

/** The geography that prefixes the model id in the id of an inference profile. */
const GEOGRAPHY = /^(?:us|us-gov|eu|apac|jp|au|ca|global)\.(.+)$/;

/** Returns the permissions for the configured providers: their API keys and Bedrock models. */
function providerGrants(providers: ProvidersConfig): PolicyStatement[] {
  return Object.values(providers).flatMap((config: ProviderConfig) => {
    if (config.kind === 'bedrock') return [bedrockGrant(config)];
    return 'apiKey' in config && config.apiKey ? [secretGrant(config.apiKey)] : [];
  });
}

/** Secrets Manager adds a hyphen and six characters to a secret's name. */
function secretGrant(name: string): PolicyStatement {
  return new PolicyStatement({
    actions: ['secretsmanager:GetSecretValue'],
    resources: [`arn:${Aws.PARTITION}:secretsmanager:${Aws.REGION}:${Aws.ACCOUNT_ID}:secret:${name}-??????`],
  });
}

/**
 * Grants a model, or an inference profile such as `us.anthropic.…`, which also requires the model in every region that
 * the profile may route to (Amazon Bedrock, "Prerequisites for inference profiles").
 */
function bedrockGrant({ model, region = Aws.REGION }: ConfigOf<'bedrock'>): PolicyStatement {
  const base = GEOGRAPHY.exec(model)?.[1];
  const foundation = (where: string) => `arn:${Aws.PARTITION}:bedrock:${where}::foundation-model/${base ?? model}`;
  return new PolicyStatement({
    actions: ['bedrock:InvokeModelWithResponseStream'],
    resources: base
      ? [`arn:${Aws.PARTITION}:bedrock:${region}:${Aws.ACCOUNT_ID}:inference-profile/${model}`, foundation('*')]
      : [foundation(region)],
  });
}
