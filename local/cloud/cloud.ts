import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { readRestApis } from './api-gateway/rest-api.ts';
import { awsEndpoint } from './aws-endpoint.ts';
import { deployBucket, readBucketDeployments } from './bucket-deployment.ts';
import { readDistributions } from './cloudfront/distributions.ts';
import type { EdgeSeconds } from './cloudfront/invalidations.ts';
import { CloudWatch } from './cloudwatch/cloudwatch.ts';
import { Logs } from './cloudwatch/logs.ts';
import { readIssuer } from './cognito/user-pool.ts';
import { DnsRecords } from './dns/records.ts';
import { listenDns } from './dns/server.ts';
import { EventBus } from './events/event-bus.ts';
import { frontDoor } from './front-door.ts';
import { noteAllowed } from './grants.ts';
import { QUOTA } from './lambda/account-concurrency.ts';
import { functionNamesByRole, readFunctions } from './lambda/functions.ts';
import { Lambda } from './lambda/lambda.ts';
import { HOST, listen } from './listen.ts';
import { type StackResources, stackResources, withRetained } from './retained.ts';
import { Principals } from './roles.ts';
import { SecretProperties, Secrets } from './secrets.ts';
import { SecretsManager } from './secrets-manager.ts';
import { StepFunctions } from './step-functions/step-functions.ts';
import { readBuckets, readTables } from './storage.ts';
import { Stack } from './template/stack.ts';
import type { Assembly } from './template/template.ts';

const ACCOUNT_ID = '000000000000';

/** Credentials and addresses for the operator's commands, in `<state dir>/operator.json`. */
export interface OperatorFile {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** Address of S3 and DynamoDB. */
  readonly endpoint: string;
  /** Address of Lambda, Step Functions, CloudFront and Secrets Manager. */
  readonly controlEndpoint: string;
  /** The stack's outputs by name, and the secret of its OAuth client. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly stackName: string;
  readonly resources: StackResources;
}

/** A running local cloud. */
export interface Cloud {
  readonly baseUrl: string;
  /**
   * Kills every environment of a function, as a crash of its host would.
   * @param functionName a part of the function's name in log lines
   */
  crash(functionName: string): Promise<void>;
  /** Refuses every invocation of a function, as if it had no concurrency, until the returned function is called. */
  throttle(functionName: string): () => void;
  /** What the services and functions measured, and the alarms. */
  readonly cloudWatch: CloudWatch;
  /** Kills S3 and DynamoDB. */
  killBackend(): Promise<void>;
  /** Stops the backend, every function and every listener. */
  close(): Promise<void>;
}

/** S3 and DynamoDB in their own process. */
export interface Backend {
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface CloudSettings {
  /** Port of CloudFront and API Gateway. */
  readonly port: number;
  /** Port of S3 and DynamoDB. */
  readonly backendPort: number;
  /** Absolute path. */
  readonly stateDir: string;
  /** Starts the backend of the account in `<state dir>/account.json`. */
  readonly startBackend: (region: string) => Promise<Backend>;
  /** Receives every log line. */
  readonly log: (line: string) => void;
  /** How long invalidations of CloudFront take; as on AWS by default. */
  readonly invalidationSeconds?: EdgeSeconds | undefined;
  /** How long updates of distributions take; by default some seconds, in place of AWS's minutes. */
  readonly updateSeconds?: EdgeSeconds | undefined;
  /** How often EventBridge delivers each event; once by default. */
  readonly eventDeliveries?: number | undefined;
  /** How often schedules of EventBridge fire; by default, as often as the template says. */
  readonly scheduleSeconds?: number | undefined;
  /** How long the periods of alarms are; by default, as long as the template says. */
  readonly alarmSeconds?: number | undefined;
  /** Lambda's quota of concurrent executions; by default that of a usual account. */
  readonly concurrentExecutions?: number | undefined;
  /** Environment variables of the machine that functions get, such as npm's registry. */
  readonly machineVariables?: Readonly<Record<string, string>> | undefined;
}

/**
 * Runs a cloud assembly: every resource of its template, behind the ports of `settings`.
 * @throws Error that names a resource or property that the emulator does not support
 */
export async function runCloud(assembly: Assembly, settings: CloudSettings): Promise<Cloud> {
  const resources = new AsyncDisposableStack();
  try {
    return await start(assembly, settings, resources);
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

async function start(
  assembly: Assembly,
  settings: CloudSettings,
  resources: AsyncDisposableStack,
): Promise<Cloud> {
  const { port, stateDir, log } = settings;
  const region = process.env.AWS_REGION ?? 'us-east-1';
  const authority = `localhost:${port}`;
  // The endpoint listens before its services exist, because functions need its address.
  const endpoint = createServer();
  const control = await listen(endpoint, 0, resources);
  const dns = new DnsRecords(stateDir);
  const dnsServer = await listenDns(dns, resources, log);
  const services = readServices(assembly, settings, { region, authority, control, dns, dnsServer });
  const {
    stack,
    cloudWatch,
    lambda,
    stepFunctions,
    events,
    distributions,
    deployments,
    issuer,
    apis,
    account,
  } = services;
  resources.defer(() => lambda.close());
  cloudWatch.start();
  resources.defer(() => cloudWatch.close());
  endpoint.on('request', services.endpoint);

  const operator = { ...services.operator, region, endpoint: services.backendUrl };
  // On AWS, operators read the client's secret from Cognito.
  const [client] = issuer?.clients ?? [];
  const outputs = { ...stack.outputs(), ...(client && { OAuthClientSecret: client.secret }) };
  const physicalIds = stackResources(stack, stateDir);
  writeState(stateDir, 'account.json', account);
  writeState(stateDir, 'operator.json', {
    ...operator,
    stackName: assembly.stackName,
    controlEndpoint: control,
    outputs,
    resources: physicalIds,
  } satisfies OperatorFile);

  const backend = await settings.startBackend(region);
  resources.defer(() => backend.stop());
  const s3 = new S3Client({
    region,
    endpoint: operator.endpoint,
    forcePathStyle: true,
    credentials: operator,
  });
  for (const deployment of deployments) await deployBucket(deployment, stack, s3);
  s3.destroy();

  events.resume();
  events.schedule();
  resources.defer(() => events.close());
  stepFunctions.resume();
  resources.defer(() => stepFunctions.close());
  await listen(frontDoor(distributions, apis, issuer, log), port, resources);
  log(`Backend (S3 and DynamoDB) on ${operator.endpoint}, state in ${stateDir}`);
  return {
    baseUrl: `http://${authority}`,
    cloudWatch,
    crash: (functionName) => lambda.crash(functionName),
    throttle: (functionName) => lambda.throttle(functionName),
    killBackend: () => backend.kill(),
    close: () => resources.disposeAsync(),
  };
}

interface Addresses {
  readonly region: string;
  readonly authority: string;
  readonly control: string;
  readonly dns: DnsRecords;
  readonly dnsServer: string;
}

/** Reads every service from the template. */
function readServices(
  assembly: Assembly,
  {
    backendPort,
    stateDir,
    log,
    invalidationSeconds,
    updateSeconds,
    eventDeliveries,
    scheduleSeconds,
    alarmSeconds,
    concurrentExecutions,
    machineVariables,
  }: CloudSettings,
  { region, authority, control, dns, dnsServer }: Addresses,
) {
  const backendUrl = `http://${HOST}:${backendPort}`;
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
  const endpoints = { backend: backendUrl, control, dns: dnsServer };
  const definitions = readFunctions(stack, principals, endpoints, machineVariables);
  const cloudWatch = new CloudWatch(stack, {
    quota: concurrentExecutions ?? QUOTA,
    periodSeconds: alarmSeconds,
    log,
  });
  const { metrics } = cloudWatch;
  const logs = new Logs(ACCOUNT_ID);
  const groups = new Map(
    definitions.map(({ name, environment }) => [name, environment.AWS_LAMBDA_LOG_GROUP_NAME]),
  );
  const logLine = (name: string, line: string) => {
    if (metrics.putLine(line)) return;
    logs.write(groups.get(name) ?? name, line);
    log(`  ${name} ${line}`);
  };
  const lambda = new Lambda(definitions, logLine, concurrentExecutions, metrics);
  const shared = { lambda, principals, s3Endpoint: backendUrl };
  const apis = readRestApis(stack, shared, log, metrics);
  const events = new EventBus(stack, lambda, principals, {
    folder: join(stateDir, 'events'),
    log: (line) => log(`EventBridge: ${line}`),
    metrics,
    deliveries: eventDeliveries,
    scheduleSeconds,
  });
  const stepFunctions = new StepFunctions(stack, lambda, principals, {
    folder: join(stateDir, 'executions'),
    log: (line) => log(`Step Functions: ${line}`),
    publish: (event) => events.publish(event),
    metrics,
  });
  const distributions = readDistributions(
    stack,
    { apis, ...shared },
    { log, invalidationSeconds, updateSeconds },
    { dns, tenantsFile: join(stateDir, 'cloudfront', 'tenants.json') },
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
  const operator = { accessKeyId, secretAccessKey: principal.secretAccessKey };
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
    backendUrl,
  };
}

/** Writes a file that only its owner can read, since it contains secrets. */
function writeState(stateDir: string, name: string, value: unknown): void {
  writeFileSync(join(stateDir, name), `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}
