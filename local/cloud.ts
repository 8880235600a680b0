import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import type { Account } from './account.ts';
import { readRestApis } from './api-gateway/rest-api.ts';
import { awsEndpoint } from './aws-endpoint.ts';
import { BackendProcess } from './backend-process.ts';
import { deployBucket, readBucketDeployments } from './bucket-deployment.ts';
import { readDistributions } from './cloudfront/distributions.ts';
import { readIssuer } from './cognito/user-pool.ts';
import { frontDoor } from './front-door.ts';
import { functionNamesByRole, readFunctions } from './lambda/functions.ts';
import { Lambda } from './lambda/lambda.ts';
import { Principals } from './roles.ts';
import { SecretProperties, Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import { emptyState, lockState } from './state-lock.ts';
import { StepFunctions } from './step-functions.ts';
import { readBuckets, readTables } from './storage.ts';
import { synthesize } from './synth.ts';
import { Stack } from './template/stack.ts';
import type { Assembly } from './template/template.ts';

const ACCOUNT_ID = '000000000000';
const HOST = '127.0.0.1';

/** What operators' commands need, in `<state dir>/operator.json`. */
export interface OperatorFile {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** The deployment backend's address. */
  readonly endpoint: string;
  /** Step Functions, CloudFront and Secrets Manager. */
  readonly controlEndpoint: string;
  /** The stack's outputs, by name, and the secret of its OAuth client. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** A running local cloud. */
export interface Cloud {
  readonly baseUrl: string;
  /**
   * Ends every environment of a function in the middle of what it does, as a crash of its host would.
   * @param functionName a part of the function's name, as log lines call it
   */
  crash(functionName: string): Promise<void>;
  /** Ends the deployment backend likewise. */
  killBackend(): Promise<void>;
  /** Ends the backend, every function and every listener. */
  close(): Promise<void>;
}

export interface CloudOptions {
  /** Begins with an empty state folder. */
  readonly fresh?: boolean;
  /** Gets every line that a person would read; the console by default. */
  readonly log?: (line: string) => void;
}

/**
 * Synthesizes the stack of this repository and runs it; the state folder is its own until it is closed. Rejects with one
 * message that says what to do.
 */
export async function startCloud(
  settings: Settings,
  { fresh, log = console.log }: CloudOptions = {},
): Promise<Cloud> {
  // Before anything is touched that a cloud already running from the same folder needs.
  const unlock = await lockState(settings.stateDir);
  try {
    await refuseTakenPort('PORT', settings.port);
    await refuseTakenPort('BACKEND_PORT', settings.backendPort);
    if (fresh) emptyState(settings.stateDir);
    log('Synthesizing the stack …');
    const assembly = await synthesize(join(settings.stateDir, 'cdk.out'), settings.configFile);
    const cloud = await runAssembly(assembly, settings, log);
    return { ...cloud, close: () => cloud.close().finally(unlock) };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Runs a cloud assembly: everything of `startCloud` but the synthesis. */
export async function runAssembly(
  assembly: Assembly,
  settings: Settings,
  log: (line: string) => void,
): Promise<Cloud> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    return { ...(await run(assembly, settings, log, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function run(
  assembly: Assembly,
  settings: Settings,
  log: (line: string) => void,
  closers: (() => Promise<unknown>)[],
): Promise<Omit<Cloud, 'close'>> {
  const region = process.env.AWS_REGION ?? 'us-east-1';
  const authority = `localhost:${settings.port}`;
  const backendUrl = `http://${HOST}:${settings.backendPort}`;
  const secrets = new Secrets(settings.stateDir);
  const stack = new Stack(assembly, {
    accountId: ACCOUNT_ID,
    region,
    frontDoor: authority,
    secretValue: (arn, properties) => secrets.secretString(arn, properties),
  });
  const names = functionNamesByRole(stack);
  const principals = new Principals(stack, secrets, (roleArn) => names.get(roleArn));
  const account: Account = {
    accountId: ACCOUNT_ID,
    region,
    principals: principals.byAccessKeyId(),
    buckets: readBuckets(stack),
    tables: readTables(stack),
  };
  const secretArns = new Map(
    stack
      .all('AWS::SecretsManager::Secret', SecretProperties)
      .map(({ ref, properties }) => [ref, properties]),
  );

  // Functions must know the endpoint's address before there is anything behind it.
  const endpoint = createServer();
  const control = await listen(endpoint, 0, closers);

  const definitions = readFunctions(stack, principals, { backend: backendUrl, control });
  const lambda = new Lambda(definitions, (name, line) => log(`  ${name} ${line}`));
  closers.push(() => lambda.close());
  const services = { lambda, principals, s3Endpoint: backendUrl };
  const apis = readRestApis(stack, services, log);
  const checkpoints = join(settings.stateDir, 'executions');
  const stepFunctions = new StepFunctions(stack, lambda, principals, checkpoints, (line) =>
    log(`Step Functions: ${line}`),
  );
  const distributions = readDistributions(stack, { apis, ...services }, log);
  const deployments = readBucketDeployments(stack);
  const issuer = readIssuer(stack, secrets, settings.stateDir);
  stack.refuseUnknownTypes();
  // A secret that operators make on AWS, such as a vendor's API key, is a variable of this process's environment.
  const secretValue = (id: string) =>
    secretArns.has(id) ? secrets.secretString(id, secretArns.get(id)) : process.env[id] || undefined;
  const secretArn = (id: string) =>
    id.startsWith('arn:') ? id : `arn:aws:secretsmanager:${region}:${ACCOUNT_ID}:secret:${id}-local1`;
  const { principals: byKey } = account;
  endpoint.on(
    'request',
    awsEndpoint({ region, principals: byKey, stepFunctions, distributions, secretArn, secretValue }),
  );

  const { accessKeyId, principal } = principals.operator;
  const operator = { accessKeyId, secretAccessKey: principal.secretAccessKey, region, endpoint: backendUrl };
  writeState(settings, 'account.json', account);
  // On AWS, Cognito tells the secret of a client to whoever may ask.
  const [client] = issuer?.clients ?? [];
  const outputs = { ...stack.outputs(), ...(client && { OAuthClientSecret: client.secret }) };
  const operatorFile: OperatorFile = { ...operator, controlEndpoint: control, outputs };
  writeState(settings, 'operator.json', operatorFile);

  const backend = await BackendProcess.start(settings, region, log);
  closers.push(() => backend.stop());
  const s3 = new S3Client({ region, endpoint: backendUrl, forcePathStyle: true, credentials: operator });
  for (const deployment of deployments) await deployBucket(deployment, stack, s3);
  s3.destroy();

  stepFunctions.resume();
  closers.push(async () => stepFunctions.close());
  await listen(frontDoor(distributions, apis, issuer, log), settings.port, closers);
  log(`Backend (S3 and DynamoDB) on ${backendUrl}, state in ${settings.stateDir}`);
  for (const api of apis.values())
    log(`API Gateway without CloudFront: curl -H 'Host: ${api.domainName}' http://${authority}/…`);
  return {
    baseUrl: `http://${authority}`,
    crash: (functionName) => lambda.crash(functionName),
    killBackend: () => backend.kill(),
  };
}

/** Both files hold secrets of the local account. */
function writeState(settings: Settings, name: string, value: unknown): void {
  writeFileSync(join(settings.stateDir, name), `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}

async function refuseTakenPort(variable: string, port: number): Promise<void> {
  const probe = createServer();
  await bind(probe, port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is in use: stop what listens there, or set ${variable} to another port.`);
  });
  await new Promise((resolve) => probe.close(resolve));
}

async function listen(server: Server, port: number, closers: (() => Promise<unknown>)[]): Promise<string> {
  await bind(server, port);
  closers.push(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  return `http://${HOST}:${(server.address() as AddressInfo).port}`;
}

function bind(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
}
