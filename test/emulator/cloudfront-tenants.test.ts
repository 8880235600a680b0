import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  CloudFrontClient,
  CreateDistributionTenantCommand,
  type CreateDistributionTenantCommandInput,
  GetDistributionTenantByDomainCommand,
  GetDistributionTenantCommand,
  GetManagedCertificateDetailsCommand,
  UpdateDistributionTenantCommand,
  VerifyDnsConfigurationCommand,
} from '@aws-sdk/client-cloudfront';
import { awsEndpoint, type ControlPlane } from '../../local/cloud/aws-endpoint.ts';
import type { Behavior } from '../../local/cloud/cloudfront/behavior.ts';
import { Distribution } from '../../local/cloud/cloudfront/distribution.ts';
import { Distributions } from '../../local/cloud/cloudfront/distributions.ts';
import type { DistributionConfig } from '../../local/cloud/cloudfront/properties.ts';
import { ConnectionGroups } from '../../local/cloud/cloudfront/tenant.ts';
import { Tenants } from '../../local/cloud/cloudfront/tenants.ts';
import { DnsRecords } from '../../local/cloud/dns.ts';
import type { HttpRequest } from '../../local/cloud/http.ts';
import { closeAtEnd, temporaryFolder } from '../support/at-end.ts';
import { serve } from '../support/serve.ts';
import { account, allow, apiError, clientConfig, REGION, role } from '../support/test-backend.ts';

const ACCOUNT = '111122223333';
const ENDPOINT = 'd1.cloudfront.net';
const tenantsArn = `arn:aws:cloudfront::${ACCOUNT}:distribution-tenant/*`;
const owner = role('owner', {
  ...allow('cloudfront:*', '*'),
  Action: ['cloudfront:*', 'acm:RequestCertificate', 'acm:DescribeCertificate'],
});
/** May do nothing to tenants with other tags than its own. */
const tagged = role('tagged', {
  ...allow('cloudfront:UpdateDistributionTenant', tenantsArn),
  Condition: { StringEquals: { 'aws:ResourceTag/stack': ['theirs'] } },
});
const withoutAcm = role('without-acm', allow('cloudfront:*', '*'));
const world = account([owner, tagged, withoutAcm]);

const NONE = { mode: 'none', names: [] } as const;
const folder = temporaryFolder();
/** Requests that reached the origin. */
let reached: string[] = [];
let open: (() => Distributions) | undefined;
let distributions: Distributions;
const server = createServer((...exchange) =>
  awsEndpoint({ region: REGION, principals: world.principals, distributions } as unknown as ControlPlane)(...exchange),
);

const config = (mode: 'direct' | 'tenant-only') =>
  ({
    ConnectionMode: mode,
    Origins: [],
    Aliases: mode === 'direct' ? ['taken.example.com'] : [],
    CustomErrorResponses: [],
    CacheTagConfig: { HeaderName: 'cache-tag' },
    DefaultRootObject: '',
    ...(mode === 'tenant-only' && {
      TenantConfig: {
        ParameterDefinitions: [{ Name: 'site', Definition: { StringSchema: { Required: true } } }],
      },
    }),
  }) as unknown as DistributionConfig;

const behavior = {
  pattern: /.*/,
  allowedMethods: ['GET'],
  cachePolicy: {
    headers: NONE,
    query: NONE,
    cookies: NONE,
    encodings: [],
    minTtl: 0,
    defaultTtl: 60,
    maxTtl: 60,
  },
  originRequestPolicy: { headers: NONE, query: NONE, cookies: NONE },
  responseHeadersPolicy: [],
  originProperties: { Id: 'o', DomainName: 'o.test', OriginPath: '/own/{{site}}', OriginCustomHeaders: [] },
  origin: {
    handle: async ({ path }: HttpRequest) => {
      reached.push(path);
      return { status: 200, headers: [['cache-tag', 'all']], body: Buffer.from(path), servedBy: 'o' };
    },
  },
} as unknown as Behavior;

const { url } = closeAtEnd(await serve(server));
const as = (principal: typeof owner) => new CloudFrontClient({ ...clientConfig(url, principal), maxAttempts: 1 });
const client = as(owner);

/** Effects take seconds: the clock stands still until tests put it forward. Signatures are valid for minutes. */
const SECONDS = { effect: [2, 3], completion: [4, 5] } as const;
const now = Date.now;
let ahead = 0;
const pass = (seconds: number) => {
  ahead += seconds * 1000;
};

let count = 0;
afterEach(() => jest.restoreAllMocks());
beforeEach(() => {
  ahead = 0;
  const begun = now();
  jest.spyOn(Date, 'now').mockImplementation(() => begun + ahead);
  const stateDir = join(folder, String(count++));
  const settings = { log: () => undefined, updateSeconds: SECONDS, invalidationSeconds: SECONDS };
  const groups = new ConnectionGroups([{ id: 'cg_1', routingEndpoint: ENDPOINT }], new DnsRecords(folder));
  open = () => {
    const main = new Distribution('EMAIN', 'd.test', config('direct'), [behavior], settings);
    const all = [main, new Distribution('E1', '', config('tenant-only'), [behavior], settings)];
    const file = join(stateDir, 'tenants.json');
    const tenants = new Tenants({ accountId: ACCOUNT, file, distributions: all, groups, settings });
    return new Distributions(main, all, tenants, ACCOUNT);
  };
  distributions = open();
  reached = [];
  setDns({});
});

function setDns(records: object): void {
  writeFileSync(join(folder, 'dns.json'), JSON.stringify(records));
}

const input = (domain: string, more: object = {}): CreateDistributionTenantCommandInput => ({
  DistributionId: 'E1',
  ConnectionGroupId: 'cg_1',
  Name: domain,
  Domains: [{ Domain: domain }],
  Parameters: [{ Name: 'site', Value: 'abc' }],
  Tags: { Items: [{ Key: 'stack', Value: 'mine' }] },
  ManagedCertificateRequest: { ValidationTokenHost: 'cloudfront', PrimaryDomainName: domain },
  Enabled: true,
  ...more,
});
const create = (domain: string, more: object = {}) =>
  client.send(new CreateDistributionTenantCommand(input(domain, more)));
const get = (Identifier: string) => client.send(new GetDistributionTenantCommand({ Identifier }));

const certificateOf = async (Identifier: string) =>
  (await client.send(new GetManagedCertificateDetailsCommand({ Identifier }))).ManagedCertificateDetails;

/** Creates a tenant, waits for its certificate, and puts that to use. */
async function activate(domain: string): Promise<string> {
  const { DistributionTenant: { Id = '' } = {}, ETag } = await create(domain);
  expect((await certificateOf(Id))?.CertificateStatus).toBe('pending-validation');
  pass(3);
  const certificate = await certificateOf(Id);
  expect(certificate?.CertificateStatus).toBe('issued');
  const Certificate = { Arn: certificate?.CertificateArn };
  await client.send(new UpdateDistributionTenantCommand({ Id, IfMatch: ETag, Customizations: { Certificate } }));
  pass(5);
  return Id;
}

async function visit(host: string, path = '/', edge = 0): Promise<[number, string]> {
  const { status, body } = await distributions.forHost(host).handle({
    method: 'GET',
    path,
    query: '',
    headers: [
      ['Host', host],
      ['X-Local-Edge', String(edge)],
    ],
    body: Readable.from([]),
    peerIp: '192.0.2.1',
  });
  return [status, String(body)];
}

it('requires that the domain points to the connection group: by CNAME records, or by a TXT record', async () => {
  await expect(create('a.example.com')).rejects.toMatchObject({
    ...apiError(400, 'InvalidArgument'),
    message: expect.stringContaining('Could not verify Domain Name ownership'),
  });
  setDns({
    'a.example.com': { CNAME: 'b.example.com' },
    'b.example.com': { CNAME: `${ENDPOINT}.` },
    '_cf-challenge.example.com': { TXT: ['other', ENDPOINT] },
  });
  await create('a.example.com');
  await create('example.com');
  const verify = async () =>
    (await client.send(new VerifyDnsConfigurationCommand({ Identifier: 'a.example.com' }))).DnsConfigurationList;
  expect(await verify()).toEqual([{ Domain: 'a.example.com', Status: 'valid-configuration' }]);
  setDns({ 'a.example.com': { CNAME: 'elsewhere.example.net' } });
  expect(await verify()).toMatchObject([{ Status: 'invalid-configuration', Reason: expect.any(String) }]);
});

it('issues no certificate for a domain that stopped pointing here', async () => {
  setDns({ 'a.example.com': { CNAME: ENDPOINT } });
  await create('a.example.com');
  setDns({});
  pass(5);
  const pending = await certificateOf('a.example.com');
  expect(pending?.CertificateStatus).toBe('pending-validation');
  const { DistributionTenant: { Id } = {}, ETag } = await get('a.example.com');
  const Customizations = { Certificate: { Arn: pending?.CertificateArn } };
  await expect(
    client.send(new UpdateDistributionTenantCommand({ Id, IfMatch: ETag, Customizations })),
  ).rejects.toMatchObject(apiError(400, 'InvalidArgument'));
});

it('refuses what AWS refuses, and what the local cloud does not know', async () => {
  await create('a.localhost');
  const refused = async (domain: string, more: object, name: string, status: number) =>
    expect([more, await create(domain, more).catch((error) => error)]).toEqual([
      more,
      expect.objectContaining(apiError(status, name)),
    ]);
  await refused('b.localhost', { Name: 'a.localhost' }, 'EntityAlreadyExists', 409);
  await refused('a.localhost', { Name: 'b' }, 'InvalidArgument', 400);
  await refused('taken.example.com', {}, 'CNAMEAlreadyExists', 409);
  await refused('b.localhost', { Parameters: [] }, 'InvalidArgument', 400);
  await refused('b.localhost', { Parameters: [{ Name: 'other', Value: 'x' }] }, 'InvalidArgument', 400);
  await refused('b.localhost', { DistributionId: 'E9' }, 'EntityNotFound', 404);
  await refused('b.localhost', { DistributionId: 'EMAIN' }, 'InvalidAssociation', 400);
  await refused('*.localhost', {}, 'InvalidArgument', 400);
  await refused('b.localhost', { ManagedCertificateRequest: undefined }, 'InvalidArgument', 400);
  const selfHosted = { ManagedCertificateRequest: { ValidationTokenHost: 'self-hosted' } };
  await refused('b.localhost', selfHosted, 'InvalidArgument', 400);
  await refused('b.localhost', { Customizations: { WebAcl: { Action: 'disable' } } }, 'InvalidArgument', 400);
  await expect(client.send(new GetDistributionTenantByDomainCommand({ Domain: 'a.localhost' }))).rejects.toMatchObject(
    apiError(501, 'NotImplemented'),
  );
});

it('asks IAM for each call: with the tags of the tenant, and for what CloudFront does on behalf of the caller', async () => {
  await expect(as(withoutAcm).send(new CreateDistributionTenantCommand(input('a.localhost')))).rejects.toMatchObject({
    ...apiError(403, 'AccessDenied'),
    message: expect.stringContaining('acm:'),
  });
  const { DistributionTenant: { Id } = {}, ETag } = await create('a.localhost');
  await expect(
    as(tagged).send(new UpdateDistributionTenantCommand({ Id, IfMatch: ETag, Enabled: false })),
  ).rejects.toMatchObject(apiError(403, 'AccessDenied'));
  await create('b.localhost', { Tags: { Items: [{ Key: 'stack', Value: 'theirs' }] } });
  const theirs = await get('b.localhost');
  await as(tagged).send(
    new UpdateDistributionTenantCommand({
      Id: theirs.DistributionTenant?.Id,
      IfMatch: theirs.ETag,
      Enabled: false,
    }),
  );
});

it('keeps its tenants for the next run', async () => {
  await activate('a.localhost');
  if (open) distributions = open();
  expect(await visit('a.localhost', '/x')).toEqual([200, '/own/abc/x']);
});
