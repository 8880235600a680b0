import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CloudFrontClient,
  CreateInvalidationCommand,
  GetInvalidationCommand,
} from '@aws-sdk/client-cloudfront';
import type { Cloud } from '../../local/cloud/cloud.ts';
import { ORIGIN_FAULT } from '../../local/cloud/cloudfront/distribution.ts';
import { runAssembly } from '../../local/service.ts';
import { att, functionOf, ref, resource, roleFor } from '../support/emulated.ts';
import { freePort } from '../support/free-port.ts';
import { takeOriginFaults } from '../support/origin-faults.ts';

const arnOf = (distribution: string) => ({
  'Fn::Sub': `arn:aws:cloudfront::\${AWS::AccountId}:distribution/\${${distribution}}`,
});

/** Returns the requested path, cacheable for long except `/stale`. Fails while the file `BROKEN` exists. */
const SITE = `import { existsSync } from 'node:fs';
let count = 0;
export const handler = async (event) => {
  if (existsSync(process.env.BROKEN)) throw new Error('broken');
  const { pathname } = new URL(event.rawPath, 'http://x');
  return {
    statusCode: 200,
    headers: {
      'cache-control': \`s-maxage=\${pathname.endsWith('/stale') ? 1 : 600}, stale-if-error=60\`,
      'cache-tag': 'all',
    },
    body: [++count, pathname, process.env.SITE_ORIGIN].join(' '),
  };
};`;

/** Prepends the host to the path. */
const REWRITE = `function handler(event) {
  event.request.uri = '/' + event.request.headers.host.value + event.request.uri;
  return event.request;
}`;
const PREFIX = `function handler(event) {
  event.request.uri = '/main' + event.request.uri;
  return event.request;
}`;

const edgeFunction = (Name: string, FunctionCode: string) =>
  resource('AWS::CloudFront::Function', {
    Name,
    AutoPublish: true,
    FunctionCode,
    FunctionConfig: { Runtime: 'cloudfront-js-2.0', Comment: '' },
  });
const distribution = (functionName: string, Aliases: string[]) =>
  resource('AWS::CloudFront::Distribution', {
    DistributionConfig: {
      Enabled: true,
      Aliases,
      CacheTagConfig: { HeaderName: 'cache-tag' },
      CustomErrorResponses: [{ ErrorCode: 502, ErrorCachingMinTTL: 0 }],
      Origins: [
        {
          Id: 'site',
          DomainName: {
            'Fn::Select': [2, { 'Fn::Split': ['/', att('Url', 'FunctionUrl')] }],
          },
          OriginAccessControlId: ref('Access'),
          CustomOriginConfig: { OriginProtocolPolicy: 'https-only' },
        },
      ],
      DefaultCacheBehavior: {
        TargetOriginId: 'site',
        CachePolicyId: '658327ea-f89d-4fab-a63d-7e88639e58f6',
        FunctionAssociations: [
          { EventType: 'viewer-request', FunctionARN: att(functionName, 'FunctionARN') },
        ],
      },
    },
  });
const permissions = (name: string) => {
  const common = {
    FunctionName: att('Site', 'Arn'),
    Principal: 'cloudfront.amazonaws.com',
    SourceArn: arnOf(name),
  };
  return {
    [`${name}Url`]: resource('AWS::Lambda::Permission', {
      ...common,
      Action: 'lambda:InvokeFunctionUrl',
      FunctionUrlAuthType: 'AWS_IAM',
    }),
    [`${name}Invoke`]: resource('AWS::Lambda::Permission', {
      ...common,
      Action: 'lambda:InvokeFunction',
      InvokedViaFunctionUrl: true,
    }),
  };
};

const templateOf = (broken: string) => ({
  Resources: {
    Role: roleFor('lambda.amazonaws.com'),
    Site: functionOf('site', {
      Environment: { Variables: { BROKEN: broken, SITE_ORIGIN: 'https://*.sites.test' } },
    }),
    Url: resource('AWS::Lambda::Url', { TargetFunctionArn: att('Site', 'Arn'), AuthType: 'AWS_IAM' }),
    Access: resource('AWS::CloudFront::OriginAccessControl', {
      OriginAccessControlConfig: {
        Name: 'a',
        OriginAccessControlOriginType: 'lambda',
        SigningBehavior: 'always',
        SigningProtocol: 'sigv4',
      },
    }),
    Prefix: edgeFunction('Prefix', PREFIX),
    Rewrite: edgeFunction('Rewrite', REWRITE),
    Cdn: distribution('Prefix', ['Own.sites.test']),
    Sites: distribution('Rewrite', ['*.sites.test']),
    ...permissions('Cdn'),
    ...permissions('Sites'),
  },
  Outputs: {
    Cdn: { Value: ref('Cdn') },
    Sites: { Value: ref('Sites') },
    CdnName: { Value: att('Cdn', 'DomainName') },
  },
});

const lines: string[] = [];
let directory: string;
let broken: string;
let cloud: Cloud;
let port: number;
let operator: {
  accessKeyId: string;
  secretAccessKey: string;
  controlEndpoint: string;
  outputs: { Cdn: string; Sites: string; CdnName: string };
};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'distributions-'));
  broken = join(directory, 'broken');
  mkdirSync(join(directory, 'asset.site'));
  writeFileSync(join(directory, 'asset.site', 'index.mjs'), SITE);
  cloud = await start(templateOf(broken).Resources);
  port = Number(new URL(cloud.baseUrl).port);
  operator = JSON.parse(readFileSync(join(directory, 'operator.json'), 'utf8'));
});

afterAll(async () => {
  await cloud?.close();
  rmSync(directory, { recursive: true });
});

async function start(Resources: ReturnType<typeof templateOf>['Resources']): Promise<Cloud> {
  const settings = {
    port: await freePort(),
    backendPort: await freePort(),
    stateDir: directory,
    configFile: '',
    invalidationSeconds: { effect: [0, 0.2], completion: [0.1, 0.3] } as const,
  };
  const template = { ...templateOf(broken), Resources };
  return runAssembly({ stackName: 'Demo', template, directory }, settings, (line) => lines.push(line));
}

/** Sends a request with another Host, which fetch does not allow. */
function visit(path: string, host: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number | undefined; body: string; headers: IncomingHttpHeaders }>(
    (resolve, reject) => {
      httpRequest(cloud.baseUrl + path, { method, headers: { ...headers, host } }, async (response) => {
        const body = (await response.toArray()).join('');
        resolve({ status: response.statusCode, body, headers: response.headers });
      })
        .on('error', reject)
        .end();
    },
  );
}

const seen = async (path: string, host: string) => (await visit(path, host)).body.split(' ')[1];
const expire = () => new Promise((done) => setTimeout(done, 1050));

function api() {
  const { accessKeyId, secretAccessKey, controlEndpoint } = operator;
  return new CloudFrontClient({
    region: 'us-east-1',
    endpoint: controlEndpoint,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 1,
  });
}

function createInvalidation(DistributionId: string, CallerReference: string, ...Items: string[]) {
  const InvalidationBatch = { CallerReference, Paths: { Quantity: Items.length, Items } };
  return api().send(new CreateInvalidationCommand({ DistributionId, InvalidationBatch }));
}

/** Invalidates everything, and waits until that is completed. */
async function invalidate(DistributionId: string): Promise<void> {
  const { Invalidation } = await createInvalidation(DistributionId, randomUUID(), '#all');
  for (let status = Invalidation?.Status; status !== 'Completed'; ) {
    expect(status).toBe('InProgress');
    const found = await api().send(new GetInvalidationCommand({ DistributionId, Id: Invalidation?.Id }));
    status = found.Invalidation?.Status;
  }
}

test.each([
  ['one.sites.test', '/one.sites.test/x'],
  ['ONE.Sites.Test:PORT', '/ONE.Sites.Test/x'],
  // A wildcard matches one label.
  ['a.one.sites.test', '/main/x'],
  ['sites.test', '/main/x'],
  // An alias without a wildcard takes precedence.
  ['own.sites.test', '/main/x'],
  ['localhost:PORT', '/main/x'],
  ['127.0.0.1:PORT', '/main/x'],
])('the Host %s selects a distribution, whose function sees it without a port', async (host, path) => {
  expect(await seen('/x', host.replace('PORT', String(port)))).toBe(path);
});

test('the main distribution has the name of the front door, and the other its local address', async () => {
  expect(operator.outputs.CdnName).toBe(`localhost:${port}`);
  expect((await visit('/y', 'localhost')).body).toContain(`http://*.sites.test:${port}`);
});

test('an invalidation affects only its distribution', async () => {
  const both = async () => [
    (await visit('/z', 'localhost')).headers['x-cache'],
    (await visit('/z', 'a.sites.test')).headers['x-cache'],
  ];
  await both();
  await invalidate(operator.outputs.Sites);
  expect(await both()).toEqual(['Hit from cloudfront', 'Miss from cloudfront']);
  await invalidate(operator.outputs.Cdn);
  expect(await both()).toEqual(['Miss from cloudfront', 'Hit from cloudfront']);
  await expect(invalidate('E0NOBODY')).rejects.toMatchObject({ name: 'NoSuchDistribution' });
});

test('each edge has a cache of its own, which the viewer selects', async () => {
  const at = async (edge: string) => {
    const { status, headers, body } = await visit('/edges', 'localhost', { 'x-local-edge': edge });
    return [status, headers['x-amz-cf-pop'], headers['x-cache'], body.split(' ')[0]];
  };
  const [, pop, missed, first] = await at('1');
  expect([pop, missed]).toEqual(['LOC1-P1', 'Miss from cloudfront']);
  expect(await at('1')).toEqual([200, 'LOC1-P1', 'Hit from cloudfront', first]);
  expect((await at('4'))[2]).toBe('Miss from cloudfront');
  const { headers } = await visit('/edges', 'localhost');
  expect([headers['x-amz-cf-pop'], headers['x-cache']]).toEqual(['LOC0-P1', 'Miss from cloudfront']);
  for (const edge of ['5', '-1', 'x', '']) expect((await at(edge))[0]).toBe(400);
});

test('stale pages replace errors of the function until they are invalidated, and the errors are logged', async () => {
  const page = await visit('/stale', 'a.sites.test');
  writeFileSync(broken, '');
  await expire();
  expect(await visit('/stale', 'a.sites.test')).toMatchObject({ status: 200, body: page.body });
  const fault = 'GET /a.sites.test/stale 502';
  expect(takeOriginFaults()).toEqual([fault]);
  expect(lines.filter((line) => line.startsWith(ORIGIN_FAULT))).toEqual([`${ORIGIN_FAULT} ${fault}`]);
  expect(await visit('/never', 'a.sites.test')).toMatchObject({ status: 502 });
  await invalidate(operator.outputs.Sites);
  expect(await visit('/stale', 'a.sites.test')).toMatchObject({ status: 502 });
  rmSync(broken);
  expect(await visit('/stale', 'a.sites.test')).toMatchObject({ status: 200 });
});

test('rejects two distributions without a wildcard', async () => {
  const { Resources } = templateOf(broken);
  const twice = start({ ...Resources, Sites: distribution('Rewrite', ['a.test']) });
  await expect(twice).rejects.toThrow('exactly one AWS::CloudFront::Distribution without a wildcard');
});
