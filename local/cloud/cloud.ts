import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { deployBucket } from './bucket-deployment.ts';
import type { CloudWatch } from './cloudwatch/cloudwatch.ts';
import type { PutMetric } from './cloudwatch/metrics.ts';
import { frontDoor } from './front-door.ts';
import { HOST, listen } from './listen.ts';
import { readServices, type ServicesSettings } from './services.ts';
import { type StackResources, stackResources } from './storage.ts';
import type { Assembly } from './template/template.ts';

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
  crash(functionName: string): Promise<number>;
  /** Refuses every invocation of a function, as if it had no concurrency, until the returned function is called. */
  throttle(functionName: string): () => void;
  /** Returns the environment variables of a function; `LAMBDA_TASK_ROOT` is the folder of its code. */
  environmentOf(functionName: string): Readonly<Record<string, string>>;
  /** The metrics of services and functions, and the alarms. */
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

export interface CloudSettings extends ServicesSettings {
  /** Port of CloudFront and API Gateway. */
  readonly port: number;
  /** Starts the backend of the account in `<state dir>/account.json`, which puts its metrics. */
  readonly startBackend: (region: string, putMetric: PutMetric) => Promise<Backend>;
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

async function start(assembly: Assembly, settings: CloudSettings, resources: AsyncDisposableStack): Promise<Cloud> {
  const { port, stateDir, log } = settings;
  const region = process.env.AWS_REGION ?? 'us-east-1';
  const authority = `localhost:${port}`;
  // The endpoint listens before its services exist, because functions need its address.
  const endpoint = createServer();
  const control = await listen(endpoint, 0, resources);
  const backendUrl = `http://${HOST}:${settings.backendPort}`;
  const services = readServices(assembly, settings, { region, authority, control, backend: backendUrl });
  const { stack, cloudWatch, lambda, stepFunctions, events, distributions, issuer, apis, operator } = services;
  resources.defer(() => lambda.close());
  cloudWatch.start();
  resources.defer(() => cloudWatch.close());
  endpoint.on('request', services.endpoint);

  // On AWS, operators read the client's secret from Cognito.
  const [client] = issuer?.clients ?? [];
  const outputs = { ...stack.outputs(), ...(client && { OAuthClientSecret: client.secret }) };
  writeState(stateDir, 'account.json', services.account);
  writeState(stateDir, 'operator.json', {
    ...operator,
    stackName: assembly.stackName,
    controlEndpoint: control,
    outputs,
    resources: stackResources(stack, stateDir),
  } satisfies OperatorFile);

  const backend = await settings.startBackend(region, (metric, value) => cloudWatch.metrics.put(metric, value));
  resources.defer(() => backend.stop());
  const s3 = new S3Client({ region, endpoint: backendUrl, forcePathStyle: true, credentials: operator });
  await Promise.all(services.deployments.map((deployment) => deployBucket(deployment, stack, s3)));
  s3.destroy();

  events.resume();
  events.schedule();
  resources.defer(() => events.close());
  stepFunctions.resume();
  resources.defer(() => stepFunctions.close());
  await listen(frontDoor(distributions, apis, issuer, log), port, resources);
  log(`Backend (S3 and DynamoDB) on ${backendUrl}, state in ${stateDir}`);
  return {
    baseUrl: `http://${authority}`,
    cloudWatch,
    crash: (functionName) => lambda.crash(functionName),
    throttle: (functionName) => lambda.throttle(functionName),
    environmentOf: (functionName) => lambda.environmentOf(functionName),
    killBackend: () => backend.kill(),
    close: () => resources.disposeAsync(),
  };
}

/** Writes a file that only its owner can read, since it contains secrets. */
function writeState(stateDir: string, name: string, value: unknown): void {
  writeFileSync(join(stateDir, name), `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}
