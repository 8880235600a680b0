import { existsSync } from 'node:fs';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { type FunctionUrl, FunctionUrlAuthType, InvokeMode, SystemLogLevel } from 'aws-cdk-lib/aws-lambda';
import { HttpMethods } from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENV } from '../../lambda/platform/env.ts';
import type { Access } from '../access.ts';
import type { StageConfig } from '../config.ts';
import { boundsOf, type Concurrency } from '../config-sections.ts';
import type { CustomDomains } from '../front-door/domains.ts';
import { BundledFunction } from '../platform/bundled-function.ts';
import { FetchedSecret } from '../platform/fetched-secret.ts';
import type { Rollout } from '../platform/rollout.ts';
import { DataTable, PrivateBucket, type Protection, recoverable } from '../platform/storage.ts';
import { Domains } from './domains.ts';
import { Staging } from './staging.ts';
import { Views, type ViewsConfig } from './views.ts';
import { Withdrawal } from './withdrawal.ts';

type DeploymentsConfig = Protection & ViewsConfig & Pick<StageConfig, 'gate'>;

/** The name of the list of bad URLs beside the bundles. */
const BAD_URLS = 'bad-urls.txt';

/** The distributions that serve the pages. */
interface PublishingFrontDoor {
  /** The base URL of the service. */
  readonly baseUrl: string;
  readonly pagesDistribution: Distribution;
  /** `https://*.<siteDomain>` if every deployment has its own origin. */
  readonly siteOrigin: string | undefined;
  /** The distribution of custom domains, if the stage has them. */
  readonly customDomains: CustomDomains | undefined;
  /** Exempts the visit after a deploy from the web ACL. */
  readonly ownCallSecret: FetchedSecret | undefined;
}

/** Public pages from files: the archives, the pointers, the API that writes them and the functions that serve them. */
export class Deployments extends Construct {
  readonly api: BundledFunction;
  /** Deploys the project of a generation. */
  readonly generated: BundledFunction;
  /** Stores bodies that are too large for a Lambda event. */
  readonly staging: Staging;
  /** Serves `/d/*`; only a distribution may call it. */
  readonly siteUrl: FunctionUrl;
  /** Serves `/d/<id>.zip`; only a distribution may call it. */
  readonly downloadUrl: FunctionUrl;
  /** Derives ids, and the tokens of version 0. */
  readonly idSecret: FetchedSecret;
  /** Derives the tokens of deployments, one version after the other. */
  readonly tokenSecret: FetchedSecret;
  readonly #site: BundledFunction;
  readonly #sweep: BundledFunction;
  readonly #deployments: DataTable;
  readonly #archives: PrivateBucket;
  readonly #withdrawal: Withdrawal;
  readonly #config: StageConfig['deployments'];
  readonly #gate: StageConfig['gate'];
  readonly #concurrency: Concurrency;

  constructor(
    scope: Construct,
    id: string,
    access: Access,
    config: DeploymentsConfig,
    concurrency: Concurrency,
    rollout: Rollout,
  ) {
    super(scope, id);
    this.#config = config.deployments;
    this.#gate = config.gate;
    this.#concurrency = concurrency;
    this.#deployments = new DataTable(this, 'Deployments', config, {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      // Only records of requests have this attribute; deployments never expire.
      timeToLiveAttribute: 'expiresAt',
      listedBy: 'listOwner',
      ends: true,
    });
    this.#archives = new PrivateBucket(this, 'Archives', {
      versioned: true,
      lifecycleRules: [
        recoverable('sites/'),
        // Earlier versions of a body that waits for its deploy are not needed. S3 removes the delete markers by itself.
        {
          prefix: 'staged/',
          expiration: Duration.days(1),
          noncurrentVersionExpiration: Duration.days(1),
        },
      ],
      // Pages of every origin may follow the redirect to a presigned URL, with the headers that the request to the API had.
      cors: [{ allowedOrigins: ['*'], allowedMethods: [HttpMethods.GET], allowedHeaders: ['*'], maxAge: 7200 }],
    });
    this.idSecret = new FetchedSecret(this, 'ProjectIdSecret', {
      description: 'Derives the ids of projects and generations and the tokens of deployments: never change it',
      // Without it, the retained deployments could no longer be found.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.tokenSecret = new FetchedSecret(this, 'TokenSecret', {
      description: 'Derives the tokens of deployments by version: changed by npm run rotate -- tokens only',
      key: '1',
      // Without it, the retained deployments could no longer be managed.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.#withdrawal = new Withdrawal(this, 'Withdrawal', concurrency);
    const views = new Views(this, 'Views', config);
    this.api = this.#api(access);
    views.grantRead(this.api);
    this.generated = this.#generated();
    const sweep = new Sweep(this, 'Sweep');
    this.#sweep = sweep.fn;
    this.#connect(sweep.fn);
    this.#deployments.grant(sweep.fn, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    this.#deployments.grantEnded(sweep.fn);
    this.#archives.grantObjects(sweep.fn, 'sites/*', 's3:DeleteObject');
    views.grantDeleteSalts(sweep.fn);
    this.staging = new Staging(this, 'Staging', this.#archives, access);
    this.#site = this.#reader('Site', 'Serves deployed pages');
    this.#site.addEnvironment(ENV.edgeSeconds, String(this.#config.edgeSeconds));
    views.grantCount(this.#site);
    this.siteUrl = rollout.of(this.#site).addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM });
    const download = this.#reader('Download', 'Serves deployed versions as zip');
    access.grantZips(download);
    this.downloadUrl = download.addFunctionUrl({
      authType: FunctionUrlAuthType.AWS_IAM,
      invokeMode: InvokeMode.RESPONSE_STREAM,
    });
  }

  /** Deletes what has expired. */
  get sweep(): BundledFunction {
    return this.#sweep;
  }

  get table(): DataTable {
    return this.#deployments;
  }

  /** The name of the bucket with the archives, and what browsers saw of them. */
  get bucketName(): string {
    return this.#archives.bucketName;
  }

  /** Tells the functions where the pages are, and lets deletions invalidate them there. */
  publishThrough(frontDoor: PublishingFrontDoor): void {
    const { baseUrl, pagesDistribution, siteOrigin, customDomains, ownCallSecret } = frontDoor;
    this.#withdrawal.grantInvalidation(pagesDistribution);
    if (customDomains) this.#addDomains(customDomains);
    this.generated.addEnvironment(ENV.baseUrl, baseUrl);
    ownCallSecret?.grantFetch(this.generated, ENV.ownCallSecretArn);
    if (siteOrigin === undefined) return;
    for (const fn of [this.api, this.generated, this.#site]) fn.addEnvironment(ENV.siteOrigin, siteOrigin);
  }

  #addDomains(customDomains: CustomDomains): void {
    const domains = new Domains(this, 'Domains', customDomains);
    this.#connect(domains.fn);
    this.#deployments.grant(domains.fn, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    for (const fn of [this.api, this.#sweep]) domains.grantStart(fn);
    this.#withdrawal.grantTenants();
  }

  #api(access: Access): BundledFunction {
    const fn = new BundledFunction(this, 'Api', {
      entry: 'deployments/api.handler',
      description: 'Deploys files',
      timeout: Duration.seconds(29),
      // The request, its text, the files, their archive and that of the live version are in memory at once, 10 MB each.
      memorySize: 1024,
      files: this.#listedUrls(),
      concurrency: this.#concurrency.deployments,
    });
    access.grantApi(fn);
    this.#grantDeploy(fn);
    this.#deployments.grant(fn, 'dynamodb:PutItem');
    this.#deployments.grantList(fn);
    this.#archives.grantObjects(fn, 'staged/*', 's3:GetObject');
    return fn;
  }

  #generated(): BundledFunction {
    const fn = new BundledFunction(this, 'Generated', {
      entry: 'deployments/deploy-generation.handler',
      description: 'Deploys the project of a generation and loads the page',
      // A build, and the visit of the page.
      timeout: Duration.seconds(90),
      memorySize: 1024,
      files: this.#listedUrls(),
      concurrency: this.#concurrency.generatedDeploys,
    });
    this.#grantDeploy(fn);
    return fn;
  }

  #grantDeploy(fn: BundledFunction): void {
    fn.emitMetrics();
    fn.addEnvironment(ENV.anonymousDays, String(this.#config.anonymousDays));
    fn.addEnvironment(ENV.edgeSeconds, String(this.#config.edgeSeconds));
    fn.addEnvironment(ENV.invalidationsPerMonth, String(this.#config.invalidationsPerMonth));
    this.#withdrawal.grantStart(fn);
    this.#bound(fn);
    if (this.#gate.badUrls !== undefined) fn.addEnvironment(ENV.badUrls, BAD_URLS);
    this.grantSecrets(fn);
    this.#connect(fn);
    this.#deployments.grant(fn, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    this.#archives.grantObjects(fn, 'sites/*', 's3:GetObject', 's3:PutObject', 's3:DeleteObject');
  }

  #reader(id: 'Site' | 'Download', description: string): BundledFunction {
    const entry = `visits/${id.toLowerCase()}.handler`;
    const fn = new BundledFunction(this, id, {
      entry,
      description,
      timeout: Duration.seconds(id === 'Site' ? 15 : 60),
      concurrency: id === 'Site' ? this.#concurrency.sites : this.#concurrency.downloads,
      // START and REPORT of each visit would cost as much as its request.
      ...(id === 'Site' ? { systemLogLevelV2: SystemLogLevel.WARN } : {}),
    });
    fn.emitMetrics();
    this.grantRead(fn);
    this.#bound(fn);
    return fn;
  }

  /** Tells a function which pages are held. */
  #bound(fn: BundledFunction): void {
    if (this.#gate.enabled) fn.addEnvironment(ENV.gate, JSON.stringify(boundsOf(this.#gate)));
  }

  #listedUrls(): Record<string, string> {
    const { enabled, badUrls } = this.#gate;
    if (!enabled || badUrls === undefined) return {};
    if (!existsSync(badUrls)) throw new Error(`gate.badUrls names ${badUrls}, which does not exist`);
    return { [BAD_URLS]: badUrls };
  }

  /** Lets a function read deployments and their archives. */
  grantRead(fn: BundledFunction): void {
    this.#connect(fn);
    this.#deployments.grant(fn, 'dynamodb:GetItem');
    this.#archives.grantObjects(fn, 'sites/*', 's3:GetObject');
  }

  /** Lets a function read deployments, and tells it which pages are held. */
  grantReadPointers(fn: BundledFunction): void {
    fn.addEnvironment(ENV.deploymentsTable, this.#deployments.tableName);
    this.#deployments.grant(fn, 'dynamodb:GetItem');
    this.#bound(fn);
  }

  /** Lets a function read deployments, and store what a browser saw of them. */
  grantLook(fn: BundledFunction): void {
    this.grantRead(fn);
    this.#archives.grantObjects(fn, 'sites/*.look', 's3:PutObject', 's3:DeleteObject');
  }

  /** Lets a function read deployments, and count reports of them in the same table. */
  grantReport(fn: BundledFunction): void {
    fn.addEnvironment(ENV.deploymentsTable, this.#deployments.tableName);
    this.#deployments.grant(fn, 'dynamodb:GetItem', 'dynamodb:PutItem');
  }

  /** Lets a function derive ids and tokens. */
  grantSecrets(fn: BundledFunction): void {
    this.idSecret.grantFetch(fn, ENV.idSecretArn);
    this.tokenSecret.grantFetch(fn, ENV.tokenSecretArn);
  }

  #connect(fn: BundledFunction): void {
    fn.addEnvironment(ENV.deploymentsTable, this.#deployments.tableName);
    fn.addEnvironment(ENV.sitesBucket, this.#archives.bucketName);
  }
}

/** Deletes what has expired, once an hour. The TTL of DynamoDB takes days, and deletes no objects. */
class Sweep extends Construct {
  readonly fn: BundledFunction;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.fn = new BundledFunction(this, 'Function', {
      entry: 'deployments/sweep.handler',
      description: 'Deletes what has expired',
      timeout: Duration.minutes(10),
    });
    new Rule(this, 'Hourly', {
      description: 'Deletes what has expired',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new LambdaFunction(this.fn)],
    });
  }
}
