import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readRestApis } from '../../local/cloud/api-gateway/rest-api.ts';
import { collect, type HeaderList, header } from '../../local/cloud/http.ts';
import { Lambda } from '../../local/cloud/lambda/lambda.ts';
import { listen } from '../../local/cloud/listen.ts';
import { att, definitionOf, principalsOf, ref, resource, roleFor, stackOf } from '../support/emulated.ts';
import { testRows } from '../support/rows.ts';
import { ACCOUNT_ID, REGION, temporaryFolder } from '../support/test-backend.ts';

const FUNCTION = `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:function:f`;
const gatewayResponse = (ResponseType: string, more: object) =>
  resource('AWS::ApiGateway::GatewayResponse', { RestApiId: ref('Api'), ResponseType, ...more });

const METHOD = {
  RestApiId: ref('Api'),
  ResourceId: ref('Path'),
  HttpMethod: 'POST',
  AuthorizationType: 'CUSTOM',
  AuthorizerId: ref('Authorizer'),
  MethodResponses: [{ StatusCode: '200', ResponseParameters: { 'method.response.header.Left': true } }],
  Integration: {
    Type: 'AWS',
    IntegrationHttpMethod: 'PUT',
    Uri: `arn:aws:apigateway:${REGION}:s3:path/bucket/key`,
    Credentials: att('Writer', 'Arn'),
    IntegrationResponses: [
      {
        StatusCode: '200',
        ContentHandling: 'CONVERT_TO_TEXT',
        ResponseParameters: { 'method.response.header.Left': 'context.authorizer.left' },
        ResponseTemplates: { 'application/json': '{"who":"$context.authorizer.who"}' },
      },
    ],
  },
};
const AUTHORIZER = {
  RestApiId: ref('Api'),
  Name: 'A',
  Type: 'REQUEST',
  AuthorizerUri: `arn:aws:apigateway:${REGION}:lambda:path/2015-03-31/functions/${FUNCTION}/invocations`,
  AuthorizerResultTtlInSeconds: 0,
  IdentitySource: '',
};

/** The code of the authorizer, whose result depends on the header `who`. */
const CODE = `
const policy = (Effect, Resource) => ({ Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }] });
export const handler = async (event) => {
  const { who } = event.headers;
  const context = { who, left: 7, event: JSON.stringify(event) };
  if (who === 'unauthorized') throw new Error('Unauthorized');
  if (who === 'failing') throw new Error('Unauthorized, or so');
  if (who === 'malformed') return { isAuthorized: true };
  if (who === 'allowed elsewhere') return { principalId: 'p', policyDocument: policy('Allow', event.methodArn + '/other'), context };
  return { principalId: 'p', policyDocument: policy(who === 'denied' ? 'Deny' : 'Allow', event.methodArn), context };
};`;

const resources = new AsyncDisposableStack();
let state: Awaited<ReturnType<typeof temporaryFolder>>;
const lambdas: Lambda[] = [];
/** Accepts every object. */
const s3 = createServer((_, response) => response.end());
let s3Endpoint: string;
beforeAll(async () => {
  state = await temporaryFolder();
  s3Endpoint = await listen(s3, 0, resources);
  writeFileSync(join(state.path, 'index.mjs'), CODE);
});
afterAll(async () => {
  await Promise.all(lambdas.map((lambda) => lambda.close()));
  await resources.disposeAsync();
  await state.remove();
});

interface Changes {
  readonly method?: object;
  readonly authorizer?: object;
  /** The ARN that may invoke the function; by default, the authorizer's. */
  readonly source?: string;
}

function apiOf({ method, authorizer, source }: Changes = {}) {
  const template = {
    Resources: {
      Writer: roleFor('apigateway.amazonaws.com'),
      Api: resource('AWS::ApiGateway::RestApi', {
        Name: 'Api',
        BinaryMediaTypes: ['*/*'],
        EndpointConfiguration: { Types: ['REGIONAL'] },
      }),
      Stage: resource('AWS::ApiGateway::Stage', {
        RestApiId: ref('Api'),
        DeploymentId: 'x',
        StageName: 'live',
      }),
      Path: resource('AWS::ApiGateway::Resource', {
        RestApiId: ref('Api'),
        ParentId: { 'Fn::GetAtt': ['Api', 'RootResourceId'] },
        PathPart: 'things',
      }),
      Authorizer: resource('AWS::ApiGateway::Authorizer', { ...AUTHORIZER, ...authorizer }),
      Method: resource('AWS::ApiGateway::Method', { ...METHOD, ...method }),
      Denied: gatewayResponse('ACCESS_DENIED', {
        StatusCode: '429',
        ResponseParameters: { 'gatewayresponse.header.Left': 'context.authorizer.left' },
        ResponseTemplates: { 'application/json': '{"error":"not $context.authorizer.who"}' },
      }),
      Unauthorized: gatewayResponse('UNAUTHORIZED', {
        ResponseParameters: { 'gatewayresponse.header.WWW-Authenticate': "'Bearer'" },
      }),
      Failed: gatewayResponse('AUTHORIZER_CONFIGURATION_ERROR', { StatusCode: '502' }),
    },
  };
  const stack = stackOf(template, { directory: state.path, accountId: ACCOUNT_ID, region: REGION });
  const principals = principalsOf(stack, state.path);
  const any = `arn:aws:execute-api:${REGION}:${ACCOUNT_ID}:*/authorizers/*`;
  const definition = definitionOf(state.path, FUNCTION, {
    policy: [
      {
        Effect: 'Allow' as const,
        Principal: ['apigateway.amazonaws.com'],
        Action: ['lambda:InvokeFunction'],
        Resource: [FUNCTION],
        Condition: { ArnLike: { 'aws:SourceArn': [source ?? any] } },
      },
    ],
  });
  const lambda = new Lambda([definition], () => {});
  lambdas.push(lambda);
  const [api] = readRestApis(stack, { lambda, principals, s3Endpoint }, () => {}).values();
  return async (who: string, path = '/live/things', more: HeaderList = []) => {
    const response = await api?.handle({
      method: 'POST',
      path,
      query: 'a=1',
      headers: [['who', who], ...more],
      body: Readable.from([Buffer.from('the body')]),
      peerIp: '192.0.2.1',
    });
    const field = (name: string) => header(response?.headers ?? [], name);
    return { status: response?.status, field, text: String(await collect(response?.body ?? Buffer.of())) };
  };
}

test('an allowed request gets the response of the integration, which has the authorizer’s context', async () => {
  const { status, field, text } = await apiOf()('allowed');
  expect([status, field('left'), text]).toEqual([200, '7', '{"who":"allowed"}']);
});

test('the authorizer receives the request without its body', async () => {
  const template = { 'application/json': '$context.authorizer.event' };
  const [response] = METHOD.Integration.IntegrationResponses;
  const IntegrationResponses = [{ ...response, ResponseTemplates: template }];
  const api = apiOf({ method: { Integration: { ...METHOD.Integration, IntegrationResponses } } });
  const event = JSON.parse((await api('allowed')).text);
  expect(event).toMatchObject({
    type: 'REQUEST',
    methodArn: expect.stringMatching(/\/live\/POST\/things$/),
    httpMethod: 'POST',
    path: '/things',
    headers: { who: 'allowed' },
    queryStringParameters: { a: '1' },
    requestContext: { requestId: expect.any(String), identity: { sourceIp: '192.0.2.1' } },
  });
  expect(event).not.toHaveProperty('body');
});

test.each(['denied', 'allowed elsewhere'])('%s: rejects with the authorizer’s context', async (who) => {
  const { status, field, text } = await apiOf()(who);
  expect([status, field('left'), text]).toEqual([429, '7', `{"error":"not ${who}"}`]);
});

test('the error Unauthorized is a 401, whose headers keep their names', async () => {
  const { status, field, text } = await apiOf()('unauthorized');
  expect([status, field('www-authenticate'), text]).toEqual([401, 'Bearer', '{"message":"Unauthorized"}']);
});

test('a path without a method is an error about SigV4', async () => {
  const call = apiOf();
  const missing = await call('allowed', '/live/elsewhere');
  expect([missing.status, missing.text]).toEqual([403, '{"message":"Missing Authentication Token"}']);
  const { status, text } = await call('allowed', '/live/elsewhere', [['Authorization', 'Bearer abc']]);
  expect([status, JSON.parse(text)]).toEqual([
    403,
    {
      message: "'abc' not a valid key=value pair (missing equal-sign) in Authorization header: 'Bearer abc'.",
    },
  ]);
});

test.each(['failing', 'malformed'])('%s: the authorizer failed', async (who) => {
  expect((await apiOf()(who)).status).toBe(502);
});

test('an authorizer that API Gateway may not invoke has failed', async () => {
  const source = `arn:aws:execute-api:${REGION}:${ACCOUNT_ID}:*/live/POST/things`;
  expect((await apiOf({ source })('allowed')).status).toBe(502);
});

testRows<[string, Changes, string]>([
  ['a cache', { authorizer: { AuthorizerResultTtlInSeconds: 300 } }, 'AuthorizerResultTtlInSeconds'],
  ['another type', { authorizer: { Type: 'TOKEN' } }, 'Type'],
  ['a missing authorizer', { method: { AuthorizerId: 'x' } }, 'The authorizer of Method does not exist'],
  [
    'the context of an authorizer, without one',
    { method: { AuthorizationType: 'NONE', AuthorizerId: undefined } },
    'context.authorizer.left',
  ],
  [
    'a proxy integration',
    {
      method: {
        Integration: { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: AUTHORIZER.AuthorizerUri },
      },
    },
    'authorizers of proxy integrations are not supported',
  ],
])('rejects an unsupported template at start-up', (_, changes, message) => {
  expect(() => apiOf(changes)).toThrow(message);
});
