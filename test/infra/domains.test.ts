import { propertiesOf, type Resource, resources, synthesized, type Template } from './synthesized.ts';

const [without, template] = synthesized(
  { siteDomain: 'sites.localhost' },
  { siteDomain: 'sites.localhost', customDomains: true, waf: true },
) as [Template, Template];

const tenants = resources(template, 'AWS::CloudFront::Distribution').find(
  ([, { Properties }]) => Properties.DistributionConfig.ConnectionMode === 'tenant-only',
) as [string, Resource];

it('has nothing for tenants unless the configuration asks for it', () => {
  expect(resources(without, 'AWS::CloudFront::ConnectionGroup')).toEqual([]);
  expect(JSON.stringify(without)).not.toMatch(
    /tenant-only|DistributionTenant|DomainTarget|TENANTS_DISTRIBUTION/,
  );
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
    ],
    WebACLId: expect.anything(),
  });
  const sites = resources(template, 'AWS::CloudFront::Distribution').map(
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
  const permissions = propertiesOf(template, 'AWS::Lambda::Permission').filter(({ SourceArn }) =>
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
  const granted = propertiesOf(template, 'AWS::IAM::Policy').flatMap(({ PolicyName, PolicyDocument }) =>
    (PolicyDocument.Statement as { Action: string | string[]; Resource: unknown; Condition?: object }[])
      .filter(({ Action }) =>
        /DistributionTenant|acm:|ManagedCert|VerifyDns|TagResource/.test(String(Action)),
      )
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
    'Settle acm:RequestCertificate * aws:CalledViaLast',
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

it('tells operators where domains point to, and is ASCII only', () => {
  expect(template.Outputs).toMatchObject({ DomainTarget: {}, TenantsDistribution: {} });
  expect(JSON.stringify(template).match(/.{0,40}[^ -~].{0,40}/g)).toBeNull();
});
