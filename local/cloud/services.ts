import { join } from 'node:path';
import { readRestApis } from './api-gateway/rest-api.ts';
import { awsEndpoint } from './aws-endpoint.ts';
import { readBucketDeployments } from './bucket-deployment.ts';
import { readDistributions } from './cloudfront/distributions.ts';
import type { EdgeSeconds } from './cloudfront/invalidations.ts';
import { CloudWatch } from './cloudwatch/cloudwatch.ts';
import { Logs } from './cloudwatch/logs.ts';
import { readIssuer } from './cognito.ts';
import { DnsRecords } from './dns.ts';
import { EventBus } from './events/event-bus.ts';
import { noteAllowed } from './iam.ts';
import { functionNamesByRole, readFunctions } from './lambda/functions.ts';
import { Lambda, QUOTA } from './lambda/lambda.ts';
import { Principals } from './roles.ts';
import { SecretProperties, Secrets, SecretsManager } from './secrets-manager.ts';
import { StepFunctions } from './step-functions/step-functions.ts';
import { readBuckets, readTables, withRetained } from './storage.ts';
import { Stack } from './template/stack.ts';
import type { Assembly } from './template/template.ts';

const ACCOUNT_ID = '000000000000';

export interface ServicesSettings {
  /** Port of S3 and DynamoDB. */
  readonly backendPort: number;
  /** Absolute path. */
  readonly stateDir: string;
  /** Receives every log line. */
  readonly log: (line: string) => void;
  /** The durations of CloudFront's invalidations; those of AWS by default. */
  readonly invalidationSeconds?: EdgeSeconds | undefined;
  /** The durations of updates of distributions; by default some seconds, instead of AWS's minutes. */
  readonly updateSeconds?: EdgeSeconds | undefined;
  /** The number of times that EventBridge delivers each event; 1 by default. */
  readonly eventDeliveries?: number | undefined;
  /** The pause before each retry of a function that failed to handle an event; by default one minute, then two. */
  readonly eventRetrySeconds?: number | undefined;
  /** The pause between the runs of each schedule of EventBridge; by default, the periods of the template. */
  readonly scheduleSeconds?: number | undefined;
  /** The period of all alarms; by default, the periods of the template. */
  readonly alarmSeconds?: number | undefined;
  /** Lambda's quota of concurrent executions; by default that of a usual account. */
  readonly concurrentExecutions?: number | undefined;
  /** Absolute path of a folder that outlives the state, for what depends on the template only. */
  readonly cacheDir?: string | undefined;
  /** Environment variables of the machine that functions get, such as npm's registry. */
  readonly machineVariables?: Readonly<Record<string, string>> | undefined;
}

/** The addresses at which the services are reached. */
interface Addresses {
  readonly region: string;
  readonly authority: string;
  readonly control: string;
  /** URL of S3 and DynamoDB. */
  readonly backend: string;
}

/** Reads every service from the template. */
export function readServices(
  assembly: Assembly,
  settings: ServicesSettings,
  { region, authority, control, backend }: Addresses,
) {
  const { stateDir, log, eventRetrySeconds, concurrentExecutions } = settings;
  const secrets = new Secrets(stateDir);
  const secretsManager = new SecretsManager(secrets, stateDir, (id) =>
    id.startsWith('arn:') ? id : `arn:aws:secretsmanager:${region}:${ACCOUNT_ID}:secret:${id}-local1`,
  );
  const stack = new Stack(assembly, {
    accountId: ACCOUNT_ID,
    region,
    frontDoor: authority,
    secretValue: (arn, properties) => secretsManager.current(arn, properties),
  });
  const names = functionNamesByRole(stack);
  const principals = new Principals(stack, secrets, (roleArn) => names.get(roleArn));
  for (const principal of principals.all()) noteAllowed(principal);
  const account = withRetained(
    {
      accountId: ACCOUNT_ID,
      region,
      principals: principals.byAccessKeyId(),
      buckets: readBuckets(stack),
      tables: readTables(stack),
    },
    stateDir,
  );
  const endpoints = { backend, control, dns: stateDir };
  const definitions = readFunctions(stack, principals, endpoints, settings.machineVariables);
  const cloudWatch = new CloudWatch(stack, {
    quota: concurrentExecutions ?? QUOTA,
    periodSeconds: settings.alarmSeconds,
    log,
  });
  const { metrics } = cloudWatch;
  const logs = new Logs(ACCOUNT_ID);
  const groups = new Map(definitions.map(({ name, environment }) => [name, environment.AWS_LAMBDA_LOG_GROUP_NAME]));
  const logLine = (name: string, line: string) => {
    if (metrics.putLine(line)) return;
    logs.write(groups.get(name) ?? name, line);
    log(`  ${name} ${line}`);
  };
  const lambda = new Lambda(definitions, logLine, concurrentExecutions, metrics);
  const shared = { lambda, principals, s3Endpoint: backend };
  const apis = readRestApis(stack, shared, log, metrics);
  const events = new EventBus(stack, lambda, principals, {
    folder: join(stateDir, 'events'),
    log: (line) => log(`EventBridge: ${line}`),
    metrics,
    deliveries: settings.eventDeliveries,
    retryMs: eventRetrySeconds === undefined ? undefined : Array(2).fill(eventRetrySeconds * 1_000),
    scheduleSeconds: settings.scheduleSeconds,
  });
  const stepFunctions = new StepFunctions(stack, lambda, principals, {
    folder: join(stateDir, 'executions'),
    log: (line) => log(`Step Functions: ${line}`),
    publish: (event) => events.publish(event),
    metrics,
    cacheDir: settings.cacheDir,
  });
  const distributions = readDistributions(
    stack,
    { apis, ...shared },
    { ...settings, putMetric: (metric, value) => metrics.put(metric, value) },
    { dns: new DnsRecords(stateDir), tenantsFile: join(stateDir, 'cloudfront', 'tenants.json') },
  );
  const deployments = readBucketDeployments(stack);
  const issuer = readIssuer(stack, secrets, stateDir);
  secretsManager.add(
    stack
      .all('AWS::SecretsManager::Secret', SecretProperties)
      .map((secret) => ({ ...secret, retained: stack.isRetained(secret.logicalId) })),
  );
  stack.refuseUnknownTypes();
  const endpoint = awsEndpoint({
    region,
    principals: account.principals,
    lambda,
    stepFunctions,
    distributions,
    secretsManager,
    logs,
  });
  const { accessKeyId, principal } = principals.operator;
  const operator = { accessKeyId, secretAccessKey: principal.secretAccessKey, region, endpoint: backend };
  return {
    stack,
    cloudWatch,
    account,
    lambda,
    apis,
    stepFunctions,
    events,
    distributions,
    deployments,
    issuer,
    endpoint,
    operator,
  };
}
