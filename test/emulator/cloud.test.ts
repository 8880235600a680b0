import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CloudFrontClient,
  CreateInvalidationCommand,
  GetInvalidationCommand,
} from '@aws-sdk/client-cloudfront';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  DescribeExecutionCommand,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { Account } from '../../local/cloud/account.ts';
import type { Cloud } from '../../local/cloud/cloud.ts';
import { runAssembly, type ServiceSettings } from '../../local/service.ts';
import { att, functionOf, policyOf, ref, resource, roleFor, sub } from '../support/emulated.ts';
import { freePort } from '../support/free-port.ts';

const permission = (name: string) =>
  resource('AWS::Lambda::Permission', {
    Action: 'lambda:InvokeFunction',
    FunctionName: att(name, 'Arn'),
    Principal: 'apigateway.amazonaws.com',
    SourceArn: sub(`arn:aws:execute-api:\${AWS::Region}:\${AWS::AccountId}:\${Api}/live/*/*`),
  });
const path = (name: string) =>
  resource('AWS::ApiGateway::Resource', {
    RestApiId: ref('Api'),
    ParentId: att('Api', 'RootResourceId'),
    PathPart: name,
  });
const method = (resourceId: string, name: string, TimeoutInMillis: number) =>
  resource('AWS::ApiGateway::Method', {
    RestApiId: ref('Api'),
    ResourceId: ref(resourceId),
    HttpMethod: 'ANY',
    AuthorizationType: 'NONE',
    Integration: {
      Type: 'AWS_PROXY',
      IntegrationHttpMethod: 'POST',
      TimeoutInMillis,
      Uri: sub(
        `arn:aws:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/\${${name}.Arn}/invocations`,
      ),
    },
  });
const CACHED = '658327ea-f89d-4fab-a63d-7e88639e58f6';
const UNCACHED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const ALL_BUT_HOST = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

const template = {
  Resources: {
    Role: roleFor('lambda.amazonaws.com', {
      Action: 'states:StartExecution',
      Resource: ref('Machine'),
    }),
    Echo: functionOf('echo', { Timeout: 5 }),
    EchoPermission: permission('Echo'),
    Narrow: functionOf('echo', { Timeout: 5, ReservedConcurrentExecutions: 1 }),
    NarrowPermission: permission('Narrow'),
    Unpermitted: functionOf('echo'),
    Api: resource('AWS::ApiGateway::RestApi', {
      Name: 'Api',
      EndpointConfiguration: { Types: ['REGIONAL'] },
    }),
    Stage: resource('AWS::ApiGateway::Stage', {
      RestApiId: ref('Api'),
      DeploymentId: 'x',
      StageName: 'live',
    }),
    EchoPath: path('echo'),
    EchoMethod: method('EchoPath', 'Echo', 2500),
    NarrowPath: path('narrow'),
    NarrowMethod: method('NarrowPath', 'Narrow', 20_000),
    ClosedPath: path('closed'),
    ClosedMethod: method('ClosedPath', 'Unpermitted', 1000),
    MachineRole: roleFor('states.amazonaws.com', {
      Action: 'lambda:InvokeFunction',
      Resource: att('Echo', 'Arn'),
    }),
    Machine: resource('AWS::StepFunctions::StateMachine', {
      RoleArn: att('MachineRole', 'Arn'),
      DefinitionString: sub(
        JSON.stringify({
          StartAt: 'Task',
          States: {
            Task: {
              Type: 'Task',
              Resource: 'arn:aws:states:::lambda:invoke',
              Parameters: { FunctionName: `\${Echo.Arn}`, 'Payload.$': '$' },
              End: true,
            },
          },
        }),
      ),
    }),
    Site: resource('AWS::S3::Bucket', {}),
    SitePolicy: resource('AWS::S3::BucketPolicy', {
      Bucket: ref('Site'),
      PolicyDocument: policyOf({
        Action: 's3:GetObject',
        Principal: { Service: 'cloudfront.amazonaws.com' },
        Resource: sub(`\${Site.Arn}/*`),
        Condition: {
          StringEquals: {
            'AWS:SourceArn': sub(`arn:aws:cloudfront::\${AWS::AccountId}:distribution/\${Cdn}`),
          },
        },
      }),
    }),
    Access: resource('AWS::CloudFront::OriginAccessControl', {
      OriginAccessControlConfig: {
        Name: 'a',
        OriginAccessControlOriginType: 's3',
        SigningBehavior: 'always',
        SigningProtocol: 'sigv4',
      },
    }),
    Cdn: resource('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        Enabled: true,
        DefaultRootObject: 'index.html',
        CacheTagConfig: { HeaderName: 'x-amz-meta-cache-tag' },
        Origins: [
          {
            Id: 'site',
            DomainName: att('Site', 'RegionalDomainName'),
            OriginAccessControlId: ref('Access'),
            S3OriginConfig: {},
          },
          {
            Id: 'api',
            DomainName: sub(`\${Api}.execute-api.\${AWS::Region}.amazonaws.com`),
            OriginPath: '/live',
            OriginCustomHeaders: [{ HeaderName: 'x-origin', HeaderValue: 'ours' }],
            CustomOriginConfig: { OriginProtocolPolicy: 'https-only' },
          },
        ],
        DefaultCacheBehavior: { TargetOriginId: 'site', CachePolicyId: CACHED },
        CacheBehaviors: ['/echo', '/closed', '/nothing', '/narrow'].map((PathPattern) => ({
          PathPattern,
          TargetOriginId: 'api',
          AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
          CachePolicyId: UNCACHED,
          OriginRequestPolicyId: ALL_BUT_HOST,
        })),
      },
    }),
  },
};

const ECHO = `export const handler = async (event) => {
  if (event.queryStringParameters?.ms) await new Promise((done) => setTimeout(done, Number(event.queryStringParameters.ms)));
  if (event.queryStringParameters?.busy) {
    console.log('busy');
    for (const end = Date.now() + 100; Date.now() < end; );
  }
  if (event.queryStringParameters?.bad) return { status: 200 };
  const odd = event.queryStringParameters?.header;
  return { statusCode: 200, headers: { 'WWW-Authenticate': 'x', ...(odd && { 'X-Odd': odd }) }, body: JSON.stringify(event) };
};`;

let directory: string;
let cloud: Cloud;
let account: Account;
let control: string;
let operatorKeys: { accessKeyId: string; secretAccessKey: string; region: string; endpoint: string };
const lines: string[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cloud-'));
  mkdirSync(join(directory, 'asset.echo'));
  writeFileSync(join(directory, 'asset.echo', 'index.mjs'), ECHO);
  const settings: ServiceSettings = {
    port: await freePort(),
    backendPort: await freePort(),
    stateDir: directory,
    configFile: '',
    invalidationSeconds: { effect: [0, 0], completion: [0, 0] },
  };
  cloud = await runAssembly({ stackName: 'Demo', template, directory }, settings, (line) => lines.push(line));
  account = JSON.parse(readFileSync(join(directory, 'account.json'), 'utf8'));
  operatorKeys = JSON.parse(readFileSync(join(directory, 'operator.json'), 'utf8'));
  control = JSON.parse(readFileSync(join(directory, 'operator.json'), 'utf8')).controlEndpoint;
});

afterAll(async () => {
  await cloud?.close();
  rmSync(directory, { recursive: true });
});

const get = (url: string, init?: RequestInit) => fetch(cloud.baseUrl + url, init);

describe('through the front door', () => {
  test('a function gets the event of a proxy integration, with the viewer’s address from CloudFront only', async () => {
    const response = await get('/echo?a=1&a=2', {
      method: 'POST',
      body: 'hi',
      headers: { 'x-origin': 'forged', 'content-type': 'text/plain', 'x-local-edge': '2' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-amz-cf-pop')).toBe('LOC2-P1');
    expect(response.headers.get('x-amzn-remapped-www-authenticate')).toBe('x');
    const event = await response.json();
    expect(event).not.toMatchObject({ headers: { 'x-local-edge': '2' } });
    expect(event).toMatchObject({
      resource: '/echo',
      path: '/echo',
      httpMethod: 'POST',
      multiValueQueryStringParameters: { a: ['1', '2'] },
      headers: { 'x-origin': 'ours', 'X-Forwarded-For': '127.0.0.1, 198.51.100.1' },
      requestContext: { identity: { sourceIp: '198.51.100.1' }, stage: 'live', path: '/live/echo' },
      body: 'hi',
      isBase64Encoded: false,
    });
  });

  test.each([
    ['/echo?bad=1', 502, 'Internal server error'],
    ['/echo?ms=3000', 504, 'Endpoint request timed out'],
    ['/closed', 500, 'Internal server error'],
    ['/nothing', 403, 'Missing Authentication Token'],
  ])('%s returns %i', async (url, status, message) => {
    const response = await get(url);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ message });
  });

  test('a function with reserved concurrency rejects more invocations, while another one responds', async () => {
    const narrow = Array.from({ length: 5 }, () => get('/narrow?ms=1500'));
    expect((await get('/echo')).status).toBe(200);
    const responses = await Promise.all(narrow);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 500, 500, 500, 500]);
    const rejected = responses.find(({ status }) => status === 500);
    expect(await rejected?.json()).toEqual({ message: 'Internal server error' });
    expect((await get('/narrow')).status).toBe(200);
  });

  test('a crash of a function is a 502, and the next request succeeds', async () => {
    const crashed = get('/echo?ms=4000');
    let over = false;
    void crashed.finally(() => {
      over = true;
    });
    // The first crash may come before the function runs.
    while (!over) {
      await new Promise((done) => setTimeout(done, 100));
      await cloud.crash('Echo');
    }
    expect((await crashed).status).toBe(502);
    expect((await get('/echo')).status).toBe(200);
  });

  test('a request does not wait for those of disconnected clients, which still run', async () => {
    const begun = () => lines.filter((line) => line.endsWith('Echo busy')).length;
    const client = new AbortController();
    const abandoned = Array.from({ length: 12 }, () => get('/echo?busy=1', { signal: client.signal }));
    await Promise.race(abandoned);
    client.abort();
    await Promise.allSettled(abandoned);
    expect((await get('/echo')).status).toBe(200);
    expect(begun()).toBeLessThan(9);
    while (begun() < 12) await new Promise((done) => setTimeout(done, 20));
  });

  test('an invalid response header is a 502, and affects no other request', async () => {
    const odd = await get(`/echo?header=${encodeURIComponent('a … b')}`);
    expect(odd.status).toBe(502);
    expect(lines.join('\n')).toContain('ERR_INVALID_CHAR');
    expect((await get('/echo?header=fine')).headers.get('x-odd')).toBe('fine');
  });

  test('an API is reachable by its own host name', async () => {
    const api = await hostOf();
    expect(await raw('/live/echo', api)).toMatchObject({ status: 200 });
    expect(await raw('/other/echo', api)).toMatchObject({ status: 403 });
    const event = JSON.parse((await raw('/live/echo', api)).body);
    expect(event.requestContext.identity.sourceIp).toBe('127.0.0.1');
  });

  test('pages come from the bucket and are cached until an invalidation of their tag', async () => {
    const s3 = new S3Client({ ...operatorKeys, credentials: operatorKeys, forcePathStyle: true });
    const put = (Body: string) =>
      s3.send(
        new PutObjectCommand({
          Bucket: 'demo-site',
          Key: 'index.html',
          Body,
          ContentType: 'text/html',
          Metadata: { 'cache-tag': 'home' },
        }),
      );
    const visit = async () => {
      const response = await get('/');
      return [await response.text(), response.headers.get('x-cache')];
    };
    await put('one');
    expect(await visit()).toEqual(['one', 'Miss from cloudfront']);
    await put('two');
    expect(await visit()).toEqual(['one', 'Hit from cloudfront']);
    const etag = (await get('/')).headers.get('etag') ?? '';
    expect((await get('/', { headers: { 'if-none-match': etag } })).status).toBe(304);
    await invalidate('#home');
    expect(await visit()).toEqual(['two', 'Miss from cloudfront']);
    // The policy lets CloudFront read objects, not list them.
    expect((await get('/missing')).status).toBe(403);
    expect((await get('/', { method: 'POST' })).status).toBe(403);
    s3.destroy();
  });
});

describe('the endpoint of the AWS services', () => {
  const asRole = () => {
    const [accessKeyId = '', principal] =
      Object.entries(account.principals).find(([, { name }]) => name === 'Unpermitted') ?? [];
    return { accessKeyId, secretAccessKey: principal?.secretAccessKey ?? '' };
  };
  const states = (credentials = operatorKeys as { accessKeyId: string; secretAccessKey: string }) =>
    new SFNClient({ region: 'us-east-1', endpoint: control, credentials, maxAttempts: 1 });
  const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine:Demo-Machine';
  const start = (name: string, input: object, stateMachineArn = machine) =>
    states(asRole()).send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
  test('rejects calls that policies do not allow, and names unsupported calls', async () => {
    const { executionArn } = await start('owned', {});
    const denied = states(asRole()).send(new DescribeExecutionCommand({ executionArn }));
    await expect(denied).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining('is not authorized to perform: states:DescribeExecution'),
    });
    await expect(invalidate('/*', asRole())).rejects.toMatchObject({ name: 'AccessDenied' });
    const found = cloudFront(asRole()).send(new GetInvalidationCommand({ DistributionId: 'E', Id: 'I' }));
    await expect(found).rejects.toMatchObject({
      name: 'AccessDenied',
      message: expect.stringContaining('cloudfront:GetInvalidation on resource: arn:aws:cloudfront::'),
    });
    const unknown = states().send(new ListExecutionsCommand({ stateMachineArn: machine }));
    await expect(unknown).rejects.toThrow('The local cloud does not support AWSStepFunctions.ListExecutions');
    const forged = states({ ...asRole(), secretAccessKey: 'forged' }).send(
      new DescribeExecutionCommand({ executionArn }),
    );
    await expect(forged).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
  });
});

type Keys = { accessKeyId: string; secretAccessKey: string };
const cloudFront = (credentials: Keys) =>
  new CloudFrontClient({ region: 'us-east-1', endpoint: control, credentials });

async function invalidate(item: string, credentials: Keys = operatorKeys) {
  const DistributionId = JSON.stringify(account.buckets).match(/distribution\/(E[A-Z0-9]+)/)?.[1];
  const Paths = { Quantity: 1, Items: [item] };
  const InvalidationBatch = { CallerReference: item, Paths };
  await cloudFront(credentials).send(new CreateInvalidationCommand({ DistributionId, InvalidationBatch }));
}

async function hostOf(): Promise<string> {
  const event = await (await get('/echo')).json();
  return (event as { requestContext: { domainName: string } }).requestContext.domainName;
}

/** Sends a request with another Host, which fetch does not allow. */
function raw(url: string, host: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    httpRequest(cloud.baseUrl + url, { headers: { host } }, async (response) => {
      resolve({ status: response.statusCode, body: (await response.toArray()).join('') });
    })
      .on('error', reject)
      .end();
  });
}
