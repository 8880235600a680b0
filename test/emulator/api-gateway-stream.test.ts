import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { LambdaIntegration } from '../../local/cloud/api-gateway/lambda-integration.ts';
import { collect } from '../../local/cloud/http.ts';
import { Lambda } from '../../local/cloud/lambda/lambda.ts';
import { closeAtEnd, temporaryFolder } from '../support/at-end.ts';
import { definitionOf } from '../support/emulated.ts';
import { ACCOUNT_ID, REGION } from '../support/test-backend.ts';

const FUNCTION = `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:function:f`;
const CODE = `export const handler = awslambda.streamifyResponse(async ({ path }, stream) => {
  const out = awslambda.HttpResponseStream.from(stream, { statusCode: path === '/full' ? 200 : 304 });
  out.write('');
  out.end(path === '/full' ? 'a body' : undefined);
});`;

const codeDir = temporaryFolder();
writeFileSync(join(codeDir, 'index.mjs'), CODE);
const lambda = closeAtEnd(new Lambda([definitionOf(codeDir, FUNCTION)], () => {}));

/** Returns the response of the function through a streaming integration. */
function respond(path: string) {
  const statements = [{ Effect: 'Allow' as const, Action: ['lambda:InvokeFunction'], Resource: ['*'] }];
  const principal = { name: 'me', arn: 'arn:aws:iam::1:role/me', secretAccessKey: 's', statements };
  const integration = new LambdaIntegration(
    {
      Type: 'AWS_PROXY',
      IntegrationHttpMethod: 'POST',
      Uri: `arn:aws:apigateway:${REGION}:lambda:path/2021-11-15/functions/${FUNCTION}/response-streaming-invocations`,
      ResponseTransferMode: 'STREAM',
      TimeoutInMillis: 60_000,
    },
    lambda,
    { accessKeyId: 'A', principal },
  );
  const request = { method: 'GET', path, query: '', headers: [], body: Readable.from([]), peerIp: '::1' };
  const context = {
    accountId: ACCOUNT_ID,
    apiId: 'a',
    domainName: 'a.example',
    stage: 'live',
    requestId: 'r',
    methodArn: `arn:aws:execute-api:${REGION}:${ACCOUNT_ID}:a/live/GET/`,
  };
  const match = { resourceId: 'r', resourcePath: '/', pathParameters: {}, methods: new Map() };
  return integration.respond({ request, path, body: Buffer.of(), match, context });
}

it('breaks off a response without a body, which AWS may not end', async () => {
  const { status, body } = await respond('/empty');
  expect(status).toBe(304);
  await expect(collect(body)).rejects.toThrow('a streamed response needs a body');
});
