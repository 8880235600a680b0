import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { bundle } from '../../lib/platform/bundle.ts';
import type { PolicyStatement } from '../../local/cloud/account.ts';
import { awsEndpoint, type ControlPlane } from '../../local/cloud/aws-endpoint.ts';
import { Lambda } from '../../local/cloud/lambda/lambda.ts';
import { definitionOf } from './emulated.ts';
import { serve } from './serve.ts';
import { account, allow, clientConfig, REGION, role, startTestBackend } from './test-backend.ts';

const ARN = `arn:aws:lambda:${REGION}:111122223333:function:tenants`;
const BUCKET = 'objects';

/** Returns the ARN of objects of the bucket. */
export const objects = (keys: string) => `arn:aws:s3:::${BUCKET}/${keys}`;

/**
 * Runs a function whose instances serve one tenant each, with three instances and two seconds, beside a bucket.
 * @param entry the file with its handler
 * @param keys the objects that its caller may read and write
 * @param statements what the function itself may do
 */
export async function startTenantFunction(entry: string, keys: string[], ...statements: PolicyStatement[]) {
  const caller = role(
    'caller',
    allow('lambda:InvokeFunction', ARN),
    allow(['s3:GetObject', 's3:PutObject'], keys.map(objects)),
  );
  const own = role('function', ...statements);
  const world = account([caller, own], [{ name: BUCKET, policy: [] }]);
  const codeDir = mkdtempSync(join(tmpdir(), 'tenant-function-'));
  bundle(entry, {}, codeDir);
  const lines: string[] = [];
  const backend = await startTestBackend(world);
  const settings = definitionOf(codeDir, ARN, {
    roleArn: own.arn,
    timeoutSeconds: 4,
    memoryMb: 512,
    reservedConcurrency: 3,
    perTenant: true,
  });
  const lambda = new Lambda([settings], (_, line) => lines.push(line));
  const endpoint = createServer();
  const plane = { region: REGION, principals: world.principals, lambda };
  endpoint.on('request', awsEndpoint(plane as unknown as ControlPlane));
  const { url: control, close } = await serve(endpoint);
  return {
    /** What the function logged. */
    lines,
    /** The options of what calls it: see `BuilderOptions` and `LookerOptions`. */
    ports: {
      s3: new S3Client({ ...clientConfig(backend.url, caller), requestChecksumCalculation: 'WHEN_REQUIRED' }),
      lambda: new LambdaClient(clientConfig(control, caller)),
      bucket: BUCKET,
      functionName: ARN,
      version: 'v1',
    },
    async close() {
      await close();
      await lambda.close();
      await backend.close();
      rmSync(codeDir, { recursive: true });
    },
  };
}

export type TenantFunctionUnderTest = Awaited<ReturnType<typeof startTenantFunction>>;
