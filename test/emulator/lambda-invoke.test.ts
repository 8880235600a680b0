import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvokeCommand, type InvokeCommandInput, LambdaClient } from '@aws-sdk/client-lambda';
import { awsEndpoint, type ControlPlane } from '../../local/cloud/aws-endpoint.ts';
import { Lambda } from '../../local/cloud/lambda/lambda.ts';
import { closeAtEnd, temporaryFolder } from '../support/at-end.ts';
import { definitionOf } from '../support/emulated.ts';
import { serve } from '../support/serve.ts';
import { account, allow, apiError, clientConfig, REGION, role } from '../support/test-backend.ts';

const arnOf = (name: string) => `arn:aws:lambda:${REGION}:111122223333:function:${name}`;
const caller = role('caller', allow('lambda:InvokeFunction', ['open', 'isolated'].map(arnOf)));
const stranger = role('stranger', allow('lambda:InvokeFunction', arnOf('other')));
const world = account([caller, stranger]);

const codeDir = temporaryFolder();
const file = (name: string) => join(codeDir, name);

/** Returns its event, its tenant and the number of its invocations in this environment; or does what the event says. */
const CODE = `import { existsSync, writeFileSync } from 'node:fs';
  let runs = 0;
  export const handler = async (event, { tenantId }) => {
    if (event.begun) writeFileSync(event.begun, '');
    while (event.until && !existsSync(event.until)) await new Promise((done) => setTimeout(done, 20));
    return { event, tenantId, runs: ++runs };
  };`;
writeFileSync(join(codeDir, 'index.mjs'), CODE);

const definition = (name: string, perTenant: boolean) =>
  definitionOf(codeDir, arnOf(name), { reservedConcurrency: 2, perTenant });
const lambda = closeAtEnd(new Lambda([definition('open', false), definition('isolated', true)], () => {}));
const plane = { region: REGION, principals: world.principals, lambda };
const { url } = closeAtEnd(await serve(createServer(awsEndpoint(plane as unknown as ControlPlane))));

function as(principal: typeof caller) {
  const client = new LambdaClient(clientConfig(url, principal));
  return async (input: InvokeCommandInput): Promise<unknown> => {
    const { Payload = new Uint8Array() } = await client.send(new InvokeCommand(input));
    return JSON.parse(Buffer.from(Payload).toString());
  };
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));

it('runs the invocations of a tenant in environments of its own', async () => {
  const invoke = (TenantId: string) => as(caller)({ FunctionName: 'isolated', TenantId });
  expect(await invoke('blue')).toMatchObject({ tenantId: 'blue', runs: 1 });
  // An idle environment ends soon.
  expect(await invoke('blue')).toMatchObject({ tenantId: 'blue', runs: 2 });
  expect(await invoke('green')).toMatchObject({ tenantId: 'green', runs: 1 });
});

it.each<[string, InvokeCommandInput, number, string]>([
  ['a function that does not exist', { FunctionName: 'none' }, 404, 'ResourceNotFoundException'],
  ['no tenant of a function with tenants', { FunctionName: 'isolated' }, 400, 'InvalidParameterValueException'],
  ['a tenant of a function without', { FunctionName: 'open', TenantId: 'a' }, 400, 'InvalidParameterValueException'],
  ['no JSON', { FunctionName: 'open', Payload: Buffer.from('{') }, 400, 'InvalidRequestContentException'],
  ['6 MB', { FunctionName: 'open', Payload: json('x'.repeat(6_291_456)) }, 413, 'RequestTooLargeException'],
  ['another type', { FunctionName: 'open', InvocationType: 'Event' }, 501, 'NotImplemented'],
])('refuses %s', async (_, input, status, name) => {
  await expect(as(caller)(input)).rejects.toMatchObject(apiError(status, name));
});

it('refuses callers without permission, and invocations beyond the reserved concurrency', async () => {
  const denied = as(stranger)({ FunctionName: 'open' });
  await expect(denied).rejects.toMatchObject(apiError(403, 'AccessDeniedException'));
  const invoke = as(caller);
  const waiting = ['a', 'b'].map((TenantId) => {
    const event = { begun: file(TenantId), until: file('over') };
    return invoke({ FunctionName: 'isolated', TenantId, Payload: json(event) });
  });
  while (!existsSync(file('a')) || !existsSync(file('b'))) await sleep(20);
  await expect(invoke({ FunctionName: 'isolated', TenantId: 'c' })).rejects.toMatchObject({
    ...apiError(429, 'TooManyRequestsException'),
    Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
  });
  writeFileSync(file('over'), '');
  await Promise.all(waiting);
});
