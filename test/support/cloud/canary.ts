import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { OperatorFile } from '../../../local/cloud/cloud.ts';
import { physicalName, readAssembly } from '../../../local/cloud/template/template.ts';

/** Returns a function that makes one run of the canary of a local service. */
export function canaryOf(stateDir: string): () => Promise<void> {
  const { stackName, template } = readAssembly(join(stateDir, 'cdk.out'));
  const found = Object.entries(template.Resources).find(
    ([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.startsWith('CanaryFunction'),
  );
  if (found === undefined) throw new Error('The stack has no canary');
  const FunctionName = physicalName(stackName, found[0], 64);
  const text = readFileSync(join(stateDir, 'operator.json'), 'utf8');
  const { region, controlEndpoint: endpoint, ...credentials } = JSON.parse(text) as OperatorFile;
  const lambda = new LambdaClient({ region, endpoint, credentials });
  return async () => {
    const { FunctionError } = await lambda.send(new InvokeCommand({ FunctionName, Payload: '{}' }));
    if (FunctionError !== undefined) throw new Error(`The canary failed: ${FunctionError}`);
  };
}
