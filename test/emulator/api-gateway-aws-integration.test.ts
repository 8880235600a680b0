import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { type RestApi, readRestApis } from '../../local/cloud/api-gateway/rest-api.ts';
import { collect, type HeaderList, header } from '../../local/cloud/http.ts';
import { Lambda } from '../../local/cloud/lambda/lambda.ts';
import { readBuckets } from '../../local/cloud/storage.ts';
import type { Template } from '../../local/cloud/template/template.ts';
import { closeAtEnd, temporaryFolder } from '../support/at-end.ts';
import { att, principalsOf, ref, resource, roleFor, stackOf } from '../support/emulated.ts';
import { testRows } from '../support/rows.ts';
import { ACCOUNT_ID, account, allow, REGION, role, s3As, startTestBackend } from '../support/test-backend.ts';

const Bucket = 'demo-staging';
const reader = role('Reader', allow('s3:*', [`arn:aws:s3:::${Bucket}`, `arn:aws:s3:::${Bucket}/*`]));

const writer = (service: string, keys: string) =>
  roleFor(service, {
    Action: 's3:PutObject',
    Resource: { 'Fn::Join': ['', [att('Staging', 'Arn'), keys]] },
  });

const TARGET = 'staged/{id}';
const METHOD = {
  RestApiId: ref('Api'),
  ResourceId: ref('Upload'),
  HttpMethod: 'POST',
  AuthorizationType: 'NONE',
  RequestParameters: {
    'method.request.header.Content-Type': false,
    'method.request.header.Content-Encoding': false,
    'method.request.header.X-Caller': false,
  },
  MethodResponses: [
    {
      StatusCode: '303',
      ResponseParameters: {
        'method.response.header.Location': true,
        'method.response.header.Access-Control-Allow-Origin': true,
      },
    },
    { StatusCode: '502', ResponseParameters: { 'method.response.header.Access-Control-Allow-Origin': true } },
  ],
};
const ALLOW_ORIGIN = { 'method.response.header.Access-Control-Allow-Origin': "'*'" };
const STAGED = {
  StatusCode: '303',
  SelectionPattern: '200',
  ContentHandling: 'CONVERT_TO_TEXT',
  ResponseParameters: ALLOW_ORIGIN,
  ResponseTemplates: {
    'application/json': '{"id":"$context.requestId"}',
  },
};
const FAILED = {
  StatusCode: '502',
  ContentHandling: 'CONVERT_TO_TEXT',
  ResponseParameters: ALLOW_ORIGIN,
  ResponseTemplates: { 'application/json': '{"error":"S3 rejected it"}' },
};
const INTEGRATION = {
  Type: 'AWS',
  IntegrationHttpMethod: 'PUT',
  Uri: {
    'Fn::Join': [
      '',
      ['arn:', ref('AWS::Partition'), ':apigateway:', ref('AWS::Region'), ':s3:path/', ref('Staging'), `/${TARGET}`],
    ],
  },
  Credentials: { 'Fn::GetAtt': ['Writer', 'Arn'] },
  PassthroughBehavior: 'WHEN_NO_MATCH',
  RequestParameters: {
    'integration.request.path.id': 'context.requestId',
    'integration.request.header.Content-Type': 'method.request.header.Content-Type',
    'integration.request.header.Content-Encoding': 'method.request.header.Content-Encoding',
    'integration.request.header.x-amz-meta-caller': 'method.request.header.X-Caller',
    'integration.request.header.x-amz-meta-source': "'api'",
  },
  IntegrationResponses: [STAGED, FAILED],
};

/** Changes to the template of an API with one method. */
interface Changes {
  readonly method?: object;
  readonly integration?: object;
}

function templateOf({ method, integration }: Changes): Template {
  return {
    Resources: {
      Staging: resource('AWS::S3::Bucket', {}),
      Writer: writer('apigateway.amazonaws.com', '/staged/*'),
      Elsewhere: writer('apigateway.amazonaws.com', '/elsewhere/*'),
      Function: writer('lambda.amazonaws.com', '/staged/*'),
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
      Upload: resource('AWS::ApiGateway::Resource', {
        RestApiId: ref('Api'),
        ParentId: { 'Fn::GetAtt': ['Api', 'RootResourceId'] },
        PathPart: 'upload',
      }),
      Failure: resource('AWS::ApiGateway::GatewayResponse', {
        RestApiId: ref('Api'),
        ResponseType: 'INTEGRATION_FAILURE',
        StatusCode: '502',
        ResponseTemplates: { 'application/json': '{"error":"S3 is unreachable"}' },
      }),
      Method: resource('AWS::ApiGateway::Method', {
        ...METHOD,
        Integration: { ...INTEGRATION, ...integration },
        ...method,
      }),
    },
  };
}

const directory = temporaryFolder();
const { stack, principals } = open({});
const known = account([reader], readBuckets(stack));
const backend = closeAtEnd(
  await startTestBackend({ ...known, principals: { ...known.principals, ...principals.byAccessKeyId() } }),
);
const s3 = s3As(backend.url, reader);

function open(changes: Changes) {
  const account = { directory, accountId: ACCOUNT_ID, region: REGION };
  const stack = stackOf(templateOf(changes), account);
  return { stack, principals: principalsOf(stack, directory) };
}

function apiOf(changes: Changes = {}, s3Endpoint = backend.url): RestApi {
  const { stack, principals } = open(changes);
  const lambda = new Lambda([], () => {});
  const [api] = readRestApis(stack, { lambda, principals, s3Endpoint }, () => {}).values();
  if (api === undefined) throw new Error('no API');
  return api;
}

async function post(api: RestApi, body: string | Buffer, headers: HeaderList = []) {
  const response = await api.handle({
    method: 'POST',
    path: '/live/upload',
    query: '',
    headers,
    body: Readable.from([Buffer.from(body)]),
    peerIp: '192.0.2.1',
  });
  const id = header(response.headers, 'x-amzn-RequestId') ?? '';
  const field = (name: string) => header(response.headers, name);
  return { status: response.status, field, id, text: String(await collect(response.body)) };
}

const keys = async () => (await s3.send(new ListObjectsV2Command({ Bucket }))).Contents?.map(({ Key }) => Key);

describe('an S3 failure', () => {
  test('gets the default integration response when the role may not write there', async () => {
    const before = await keys();
    const response = await post(apiOf({ integration: { Credentials: { 'Fn::GetAtt': ['Elsewhere', 'Arn'] } } }), 'x');
    expect([response.status, response.text]).toEqual([502, '{"error":"S3 rejected it"}']);
    expect(await keys()).toEqual(before);
  });

  test('is detected by a pattern that must match the whole status', async () => {
    const pattern = (SelectionPattern: string) =>
      apiOf({ integration: { IntegrationResponses: [{ ...STAGED, SelectionPattern }, FAILED] } });
    expect((await post(pattern('20'), 'x')).status).toBe(502);
    expect((await post(pattern('2\\d{2}|304'), 'x')).status).toBe(303);
  });

  test('gets the gateway response for a failed integration when S3 is unreachable', async () => {
    const server = await listen(() => {});
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const response = await post(apiOf({}, `http://127.0.0.1:${port}`), 'x');
    expect([response.status, response.text]).toEqual([502, '{"error":"S3 is unreachable"}']);
  });

  test('gets the gateway response for a timeout when S3 does not respond', async () => {
    const server = await listen((socket) => socket.resume());
    const { port } = server.address() as AddressInfo;
    const api = apiOf({ integration: { TimeoutInMillis: 100 } }, `http://127.0.0.1:${port}`);
    expect(await post(api, 'x')).toMatchObject({
      status: 504,
      text: '{"message":"Endpoint request timed out"}',
    });
    server.close();
  });
});

function listen(accept: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer(accept).listen(0, '127.0.0.1', () => resolve(server));
  });
}

const template = (text: string) => ({
  integration: {
    IntegrationResponses: [{ ...STAGED, ResponseTemplates: { 'application/json': text } }, FAILED],
  },
});
const mapped = (target: string, source: string) => ({
  integration: { RequestParameters: { ...INTEGRATION.RequestParameters, [target]: source } },
});

testRows<[string, Changes, string]>([
  ['a VTL directive', template('#if($context.requestId)x#end'), '# in a mapping template is not supported'],
  ['a variable', template('$input.body'), '$input.body in a mapping template is not supported'],
  [
    'a mapping from the body',
    mapped('integration.request.header.x', 'method.request.body.id'),
    'integration.request.header.x: method.request.body.id of Method',
  ],
  [
    'a header that the method does not declare',
    mapped('integration.request.header.x', 'method.request.header.X'),
    'integration.request.header.x: method.request.header.X of Method',
  ],
  [
    'a query parameter of the integration',
    mapped('integration.request.querystring.x', "'1'"),
    'integration.request.querystring.x',
  ],
  ['a path parameter that the URI lacks', mapped('integration.request.path.x', "'1'"), 'do not match its URI'],
  ['a path parameter without a value', { integration: { RequestParameters: {} } }, 'do not match its URI'],
  [
    'a response header that is not declared',
    { method: { MethodResponses: [{ StatusCode: '303' }, { StatusCode: '502' }] } },
    'does not declare method.response.header.Access-Control',
  ],
  [
    'a status that is not declared',
    {
      method: {
        MethodResponses: [{ StatusCode: '303', ResponseParameters: METHOD.MethodResponses[0]?.ResponseParameters }],
      },
    },
    'no method response has the status 502',
  ],
  ['no default response', { integration: { IntegrationResponses: [STAGED] } }, 'exactly one integration response'],
  ['two default responses', { integration: { IntegrationResponses: [FAILED, FAILED] } }, 'exactly one integration'],
  ['another service', { integration: { Uri: 'arn:aws:apigateway:eu-central-1:sqs:path/x/y' } }, 'The integration URI'],
  [
    'a role of another service',
    { integration: { Credentials: { 'Fn::GetAtt': ['Function', 'Arn'] } } },
    'may not assume',
  ],
])('rejects an unsupported template at start-up', (_, changes, message) => {
  expect(() => apiOf(changes)).toThrow(message);
});
