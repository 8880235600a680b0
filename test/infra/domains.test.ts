import { CERTIFICATES } from './stages.ts';
import { propertiesOf, type Resource, resources, type Template, templateOf } from './templates.ts';

const full = templateOf('full');
const lean = templateOf('lean');
const zones = templateOf('zones');

const distributions = (
  template: Template,
): Record<string, { id: string; certificate: { AcmCertificateArn: { Ref: string } } }> =>
  Object.fromEntries(
    resources(template, 'AWS::CloudFront::Distribution').map(([id, { Properties }]) => [
      Properties.DistributionConfig.Aliases?.[0],
      { id, certificate: Properties.DistributionConfig.ViewerCertificate },
    ]),
  );
const records = (template: Template) =>
  propertiesOf(template, 'AWS::Route53::RecordSet').map(({ Name, Type, HostedZoneId, AliasTarget }) => [
    Name,
    Type,
    HostedZoneId,
    AliasTarget.DNSName['Fn::GetAtt'][0],
  ]);

it('creates certificates that ACM validates in the zones of the domains', () => {
  const certificates = resources(zones, 'AWS::CertificateManager::Certificate');
  const validated = certificates.map(([, { Properties }]) => [
    Properties.DomainName,
    Properties.ValidationMethod,
    Properties.DomainValidationOptions,
  ]);
  expect(validated).toEqual([
    ['ptp.example.com', 'DNS', [{ DomainName: 'ptp.example.com', HostedZoneId: 'Z1' }]],
    ['*.ptp-sites.net', 'DNS', [{ DomainName: '*.ptp-sites.net', HostedZoneId: 'Z2' }]],
  ]);
  // ACM rejects tags with an asterisk.
  for (const [, { Properties }] of certificates)
    expect(Properties.Tags).toEqual([{ Key: 'Name', Value: expect.stringMatching(/^[\w/]+$/) }]);
  const used = Object.values(distributions(zones)).map(({ certificate }) => certificate.AcmCertificateArn.Ref);
  expect(used).toEqual(certificates.map(([id]) => id));
});

it('creates A and AAAA aliases in the zones, and no outputs with records', () => {
  const { 'ptp.example.com': service, '*.ptp-sites.net': sites } = distributions(zones);
  expect(records(zones)).toEqual([
    ['ptp.example.com.', 'A', 'Z1', service?.id],
    ['ptp.example.com.', 'AAAA', 'Z1', service?.id],
    ['*.ptp-sites.net.', 'A', 'Z2', sites?.id],
    ['*.ptp-sites.net.', 'AAAA', 'Z2', sites?.id],
  ]);
  expect(zones.Outputs).not.toHaveProperty('DomainRecord');
  expect(zones.Outputs).not.toHaveProperty('SiteDomainRecord');
});

it('uses configured certificates, and outputs the records to create without a zone', () => {
  expect(resources(full, 'AWS::CertificateManager::Certificate')).toEqual([]);
  const { 'ptp.example.com': service, '*.sites.example.net': sites } = distributions(full);
  expect(service?.certificate).toMatchObject({ AcmCertificateArn: CERTIFICATES.service });
  expect(sites?.certificate).toMatchObject({ AcmCertificateArn: CERTIFICATES.sites });
  expect(records(full)).toEqual([]);
  const value = (text: string, id: string | undefined) => ({
    Value: { 'Fn::Join': ['', [text, { 'Fn::GetAtt': [id, 'DomainName'] }]] },
  });
  expect(full.Outputs).toMatchObject({
    DomainRecord: value('ptp.example.com CNAME ', service?.id),
    SiteDomainRecord: value('*.sites.example.net CNAME ', sites?.id),
  });
});

it('keeps the resources of a stage to which zones are added', () => {
  // The id of a version is made from its function's properties.
  const added = Object.entries(zones.Resources).filter(
    ([id, { Type }]) => !(id in full.Resources) && Type !== 'AWS::Lambda::Version',
  );
  expect(new Set(added.map(([, { Type }]) => Type))).toEqual(
    new Set(['AWS::CertificateManager::Certificate', 'AWS::Route53::RecordSet']),
  );
});

const tenants = resources(full, 'AWS::CloudFront::Distribution').find(
  ([, { Properties }]) => Properties.DistributionConfig.ConnectionMode === 'tenant-only',
) as [string, Resource];

it('has nothing for tenants unless the configuration asks for it', () => {
  expect(resources(lean, 'AWS::CloudFront::ConnectionGroup')).toEqual([]);
  expect(JSON.stringify(lean)).not.toMatch(/tenant-only|DistributionTenant|DomainTarget|TENANTS_DISTRIBUTION/);
});

it('has a distribution without what multi-tenant ones do not support, whose origin path names the deployment', () => {
  const config = tenants[1].Properties.DistributionConfig;
  for (const unsupported of ['Aliases', 'IPV6Enabled', 'Logging', 'PriceClass', 'ViewerCertificate'])
    expect(config).not.toHaveProperty(unsupported);
  expect(config).toMatchObject({
    Enabled: true,
    CacheTagConfig: { HeaderName: 'cache-tag' },
    TenantConfig: {
      ParameterDefinitions: [{ Name: 'deployment', Definition: { StringSchema: { Required: true } } }],
    },
    Origins: [
      {
        OriginPath: '/own/{{deployment}}',
        OriginCustomHeaders: [{ HeaderName: 'x-ptp-base-url' }],
        CustomOriginConfig: { OriginProtocolPolicy: 'https-only' },
      },
      { OriginPath: '/api/data/own/{{deployment}}' },
    ],
    WebACLId: expect.anything(),
  });
  const sites = resources(full, 'AWS::CloudFront::Distribution').map(
    ([, { Properties }]) => Properties.DistributionConfig.DefaultCacheBehavior,
  );
  const { CachePolicyId, OriginRequestPolicyId } = config.DefaultCacheBehavior;
  // Those of pages on their own origins.
  expect(sites).toContainEqual(
    expect.objectContaining({
      CachePolicyId,
      OriginRequestPolicyId,
      TargetOriginId: expect.not.stringContaining('Tenants'),
    }),
  );
});

it('lets the distribution, and so its tenants, call the site function only', () => {
  const permissions = propertiesOf(full, 'AWS::Lambda::Permission').filter(({ SourceArn }) =>
    JSON.stringify(SourceArn ?? '').includes(tenants[0]),
  );
  expect(permissions.map(({ Action }) => Action).toSorted()).toEqual([
    'lambda:InvokeFunction',
    'lambda:InvokeFunctionUrl',
  ]);
  for (const { FunctionName, Principal } of permissions) {
    expect(JSON.stringify(FunctionName)).toContain('DeploymentsSite');
    expect(Principal).toBe('cloudfront.amazonaws.com');
  }
});

it('grants actions on tenants to three functions, limited to the tenants of the stack where IAM allows it', () => {
  const granted = propertiesOf(full, 'AWS::IAM::Policy').flatMap(({ PolicyName, PolicyDocument }) =>
    (PolicyDocument.Statement as { Action: string | string[]; Resource: unknown; Condition?: object }[])
      .filter(({ Action }) => /DistributionTenant|acm:|ManagedCert|VerifyDns|TagResource/.test(String(Action)))
      .flatMap(({ Action, Resource: on, Condition }) =>
        [Action].flat().map((action) => ({
          action,
          by: /(Settle|Withdraw|ReportsApi)Role/.exec(PolicyName)?.[1],
          on: on === '*' ? '*' : /:([a-z-]+)\/\*/.exec(JSON.stringify(on))?.[1],
          key: Object.keys(Object.values(Condition ?? {})[0] ?? {})[0],
        })),
      ),
  );
  const rows = granted.map(({ action, by, on, key }) => [by, action, on, key].join(' ').trim());
  expect(rows.toSorted()).toEqual([
    'ReportsApi cloudfront:GetDistributionTenant distribution-tenant',
    'Settle acm:DescribeCertificate certificate',
    'Settle acm:RequestCertificate * aws:ViaAWSService',
    'Settle cloudfront:CreateDistributionTenant * aws:RequestTag/stack',
    'Settle cloudfront:DeleteDistributionTenant distribution-tenant aws:ResourceTag/stack',
    'Settle cloudfront:GetDistributionTenant distribution-tenant',
    'Settle cloudfront:GetManagedCertificateDetails distribution-tenant',
    'Settle cloudfront:TagResource distribution-tenant aws:RequestTag/stack',
    'Settle cloudfront:UpdateDistributionTenant distribution-tenant aws:ResourceTag/stack',
    'Settle cloudfront:VerifyDnsConfiguration distribution-tenant',
    'Withdraw cloudfront:CreateInvalidationForDistributionTenant distribution-tenant',
    'Withdraw cloudfront:GetInvalidationForDistributionTenant distribution-tenant',
  ]);
});
