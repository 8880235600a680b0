import { type StackProps as CdkStackProps, CfnOutput, Duration, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { servicePages } from '../web/pages.ts';
import { textExpires } from '../web/security-text.ts';
import { Access } from './access.ts';
import { Api } from './api.ts';
import { Assets } from './assets.ts';
import { Builds } from './builds.ts';
import { Canary } from './canary.ts';
import type { StageConfig } from './config.ts';
import { boundsOf, type Concurrency } from './config-sections.ts';
import { SiteData } from './data.ts';
import { DeploymentLooks } from './deployments/deployment-looks.ts';
import { Deployments } from './deployments/deployments.ts';
import type { Certificates } from './front-door/domains.ts';
import { FrontDoor } from './front-door/front-door.ts';
import { Generation, HOLD } from './generation/generation.ts';
import { limitsOutput } from './limits-output.ts';
import { Looks } from './look.ts';
import { Mcp } from './mcp.ts';
import { EdgeLogs } from './monitoring/edge-logs.ts';
import { Monitoring, traceAll } from './monitoring/monitoring.ts';
import { abuseContact, consoleData, ServicePages } from './pages.ts';
import { BundledFunction } from './platform/bundled-function.ts';
import { keepLogs } from './platform/executions.ts';
import type { Platform } from './platform/native-packages.ts';
import { Rollout } from './platform/rollout.ts';
import { Reports } from './reports.ts';
import { Webhooks } from './webhooks.ts';

interface StackProps extends Pick<CdkStackProps, 'env' | 'crossRegionReferences'> {
  /** Certificates from a stack in the region that CloudFront requires; by default, they are in this stack. */
  readonly certificates?: Certificates | undefined;
  readonly config: StageConfig;
  /** Whether functions reserve the concurrency of the configuration; by default, they do. */
  readonly reservesConcurrency?: boolean;
  /** Whether the stack is in us-east-1, the only region in which CloudFront's logs can be set up. */
  readonly isAtEdgeRegion?: boolean;
  /** Where the functions run; on Lambda by default. */
  readonly platform?: Platform;
}

/** The whole system in one stack: connects the capabilities. */
export class PromptToProjectStack extends Stack {
  /** Gets the alarms that roll a deployment back. */
  readonly rollout: Rollout;

  constructor(scope: Construct, id: string, props: StackProps) {
    const { env, crossRegionReferences = false } = props;
    super(scope, id, {
      ...(env && { env }),
      crossRegionReferences,
      // The stack cannot be deleted until somebody turns this off: docs/operating.md#delete
      terminationProtection: true,
      description: 'Prompts become projects, files become public pages',
    });
    const { config, reservesConcurrency = true, isAtEdgeRegion = false, platform = 'lambda' } = props;
    const concurrency: Concurrency = reservesConcurrency ? config.concurrency : {};

    const access = new Access(this, 'Access', config);
    this.rollout = new Rollout(this, 'Rollout', config);
    const deployments = new Deployments(this, 'Deployments', access, config, concurrency, this.rollout);
    const webhooks = new Webhooks(this, 'Webhooks', config, concurrency);
    webhooks.grantAccept(deployments.api);
    webhooks.grantStart(deployments.api);
    const deploy = deployments.generated;
    const builds = new Builds(this, 'Builds', access, config, concurrency, platform);
    for (const fn of [deployments.api, deploy]) builds.grantBuild(fn);
    const looks = new Looks(this, 'Looks', access, config, concurrency, platform);
    const deploymentLooks = new DeploymentLooks(this, 'DeploymentLooks', deployments, looks, concurrency);
    for (const fn of [deployments.api, deploy]) deploymentLooks.grantStart(fn);
    const generation = new Generation(this, 'Generation', {
      ...config,
      access,
      builds,
      looks,
      deploy,
      webhooks,
      concurrency,
    });
    deployments.grantRead(generation.api);
    deployments.grantSecrets(generation.api);
    for (const fn of [deployments.api, deploy]) generation.grantRead(fn);
    const assets = new Assets(this, 'Assets', access, config);
    assets.grantRead(generation.api);
    const usage = new BundledFunction(this, 'UsageApi', {
      entry: 'usage/api.handler',
      description: 'Handles usage and unknown paths',
      timeout: Duration.seconds(15),
    });
    access.grantApi(usage);
    access.usage.grantRead(usage);

    const reports = new Reports(this, 'Reports', access, deployments, config);
    const data = new SiteData(this, 'Data', access, deployments, webhooks, config);
    const api = new Api(this, 'Api', {
      generation: this.rollout.of(generation.api),
      deployments: this.rollout.of(deployments.api),
      staging: deployments.staging,
      assets: assets.api,
      reports: reports.api,
      data: data.api,
      mcp: new Mcp(this, 'Mcp', { apiGatewayDoor: config.apiGatewayDoor, concurrency }).server,
      usage,
      hold: HOLD,
      rateLimit: config.rateLimit,
      throttle: config.throttle,
      logs: config.logs,
    });
    const frontDoor = new FrontDoor(this, 'FrontDoor', {
      api,
      originSecret: access.originSecret.secretValue,
      siteUrl: deployments.siteUrl,
      downloadUrl: deployments.downloadUrl,
      // Another id than `Console` would replace the bucket.
      pages: new ServicePages(this, 'Console', servicePages(consoleData(config), abuseContact(config))),
      config,
      certificates: props.certificates,
    });
    const { distribution, pagesDistribution, customDomains, baseUrl } = frontDoor;
    access.publishAt(baseUrl);
    webhooks.publishAt(baseUrl);
    deployments.publishThrough(frontDoor);
    reports.publishThrough(frontDoor);
    data.publishThrough(frontDoor);
    if (isAtEdgeRegion && config.logs.edge) new EdgeLogs(this, 'EdgeLogs', frontDoor);
    const after = [frontDoor, api.restApi.deploymentStage, generation.stateMachine];
    const canary = config.canary.enabled ? new Canary(this, 'Canary', access, config, { baseUrl, after }) : undefined;

    if (config.tracing) traceAll(this, api.restApi);
    const monitoring = new Monitoring(this, 'Monitoring', {
      config,
      api: api.restApi,
      generations: generation.stateMachine,
      webhooks: webhooks.stateMachine,
      asyncFunctions: [generation.settle],
      canaryStarts: canary?.starts,
    });
    this.rollout.rollBackOn(monitoring.health);

    this.#output({
      BaseUrl: [baseUrl, 'The URL of the service'],
      ApiKeysTable: [access.keys.tableName, 'For npm run keys -- --stack'],
      UsageTable: [access.usage.table.tableName, 'For npm run keys -- usage --stack'],
      WebhookSecretsTable: [webhooks.secrets.tableName, 'For npm run keys -- webhook-secret --stack'],
      RateLimitsTable: [
        access.windows.tableName,
        'For npm run limits -- --stack, and npm run rotate -- origin --stack',
      ],
      GenerationsTable: [generation.table.tableName, 'For npm run limits -- --stack'],
      Limits: [JSON.stringify(limitsOutput(config)), 'For npm run limits -- --stack'],
      DeploymentsTable: [deployments.table.tableName, 'For npm run takedown -- --stack, and npm run review -- --stack'],
      SitesBucket: [deployments.bucketName, 'For npm run review -- show --picture --stack'],
      IdSecret: [deployments.idSecret.secretArn, 'For npm run takedown -- --address --stack'],
      EdgeSeconds: [String(config.deployments.edgeSeconds), 'For npm run takedown -- --stack'],
      OriginSecret: [access.originSecret.secretArn, 'For npm run rotate -- origin --stack'],
      TokenSecret: [deployments.tokenSecret.secretArn, 'For npm run rotate -- tokens --stack'],
      ...(config.gate.enabled && {
        Gate: [JSON.stringify(boundsOf(config.gate)), 'For npm run review -- --stack'],
      }),
      ...(config.abuse && {
        SecurityTextExpires: [
          new Date(textExpires(Date.now())).toISOString(),
          'When /.well-known/security.txt expires: deploy again before',
        ],
      }),
      Distribution: [distribution.distributionId, 'For npm run rotate -- origin --stack'],
      PagesDistribution: [pagesDistribution.distributionId, 'For npm run takedown -- --stack'],
      PagesTopic: [monitoring.pageTopic.topicArn, 'Alarms that need action at any hour: docs/runbook.md'],
      TicketsTopic: [monitoring.ticketTopic.topicArn, 'Alarms that can wait until the morning: docs/runbook.md'],
      ...(customDomains && {
        TenantsDistribution: [customDomains.distribution.distributionId, 'For npm run takedown -- --stack'],
        DomainTarget: [customDomains.routingEndpoint, 'The name that custom domains point to'],
      }),
    });
    keepLogs(this, config.logs.days);
  }

  /** Adds outputs: their values, and what they are for. */
  #output(outputs: Readonly<Record<string, readonly [value: string, description: string]>>): void {
    for (const [name, [value, description]] of Object.entries(outputs))
      new CfnOutput(this, name, { value, description });
  }
}
