import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BackendProcess } from '../../../local/backend-process.ts';
import type { OperatorFile } from '../../../local/cloud/cloud.ts';
import { type Edit, NO_RATE_LIMIT, startVariant, type Variant } from '../cloud/variant.ts';
import { type Refusal, startFaultProxy } from '../fault-proxy.ts';
import { freePort } from '../free-port.ts';
import { type Step, startVendor, type Vendor } from '../vendors/index.ts';

const WORKS: Step[] = [{ text: '<file path="index.html">\n<p>Hello</p>\n</file>\n<done/>\n' }, { finish: 'complete' }];
const THROTTLED = { status: 400, body: '{"__type":"ThrottlingException","message":"Rate exceeded"}' };
const FAILED = { status: 500, body: '<Error><Code>InternalError</Code><Message>Try again</Message></Error>' };
const S3_DELAY_MS = 1_000;

/** What fails outside of functions. */
export interface Failing {
  dynamoDb: 'works' | 'throttles';
  s3: 'works' | 'fails' | 'is slow';
  stepFunctions: boolean;
  /** Whether the provider that is called first fails every other request. */
  provider: boolean;
}

/** A local cloud between whose functions and services faults can be injected. */
export interface FaultyCloud extends Variant {
  readonly failing: Failing;
}

/** @param variables replace those of functions */
export async function startFaultyCloud(variables: object = {}): Promise<FaultyCloud> {
  const failing: Failing = { dynamoDb: 'works', s3: 'works', stepFunctions: false, provider: false };
  const vendor = await startVendor('openai-compatible', (number) =>
    failing.provider && number % 2 === 1 ? [{ status: 500 }] : WORKS,
  );
  const stepFunctions = await startFaultProxy(
    () => controlEndpoint(variant),
    async () => (failing.stepFunctions ? THROTTLED : undefined),
  );
  const edit: Edit = (properties, type) => {
    const { Variables } = (properties.Environment ?? {}) as { Variables?: Record<string, string> };
    if (type === 'AWS::Lambda::Function' && Variables) Variables.AWS_ENDPOINT_URL_SFN = stepFunctions.url;
  };
  const variant: Variant = await startVariant({ ...NO_RATE_LIMIT, ...providers(vendor), ...variables }, {}, edit);
  const storage = await insertProxy(variant, failing);
  const close = async () => {
    await stepFunctions.close();
    await storage.close();
    await variant.close();
    await vendor.close();
  };
  return { ...variant, failing, close };
}

function providers({ baseUrl }: Vendor) {
  const model = { kind: 'openai-compatible', model: 'm', baseUrl };
  return {
    PROVIDERS: { 'provider-a': model, 'provider-b': { kind: 'blueprint' } },
    // More than run at the same time, unless slots are not given back.
    RUNNING: { anonymous: 20, key: 20, service: 100 },
  };
}

function controlEndpoint({ stateDir }: Variant): string {
  const file = readFileSync(join(stateDir, 'operator.json'), 'utf8');
  return (JSON.parse(file) as OperatorFile).controlEndpoint;
}

/** Restarts S3 and DynamoDB on another port, with a proxy on theirs. */
async function insertProxy(
  { killBackend, stateDir, backendPort }: Variant,
  failing: Failing,
): Promise<{ close(): Promise<void> }> {
  await killBackend();
  const moved = { port: 0, configFile: '', stateDir, backendPort: await freePort() };
  const backend = await BackendProcess.start(moved, process.env.AWS_REGION ?? 'us-east-1', () => {});
  const fault = async (isDynamoDb: boolean): Promise<Refusal | undefined> => {
    if (isDynamoDb) return failing.dynamoDb === 'throttles' ? THROTTLED : undefined;
    if (failing.s3 === 'is slow') await sleep(S3_DELAY_MS);
    return failing.s3 === 'fails' ? FAILED : undefined;
  };
  const proxy = await startFaultProxy(
    () => `http://127.0.0.1:${moved.backendPort}`,
    // Requests to DynamoDB name their operation.
    ({ headers }) => fault(headers['x-amz-target'] !== undefined),
    backendPort,
  );
  return {
    close: async () => {
      await proxy.close();
      await backend.stop();
    },
  };
}
