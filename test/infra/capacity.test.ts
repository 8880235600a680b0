import { propertiesOf, type Resource, resources, synthesized, type Template } from './synthesized.ts';

const ACL = 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/mine/0123';
const CERTIFICATE = 'arn:aws:acm:us-east-1:111122223333:certificate/sites';
const [byDefault, configured, withWaf, withOwnAcl] = synthesized(
  {},
  {
    concurrency: { sites: 7, invalidations: 1 },
    throttle: {
      rate: 11,
      burst: 12,
      generateRate: 13,
      generateBurst: 14,
      deployRate: 15,
      deployBurst: 16,
      reportRate: 19,
      reportBurst: 20,
    },
    tables: { maxReadRequestUnits: 17, maxWriteRequestUnits: 18 },
  },
  { waf: true, siteDomain: 'sites.example.com', siteCertificateArn: CERTIFICATE },
  { webAclArn: ACL, siteDomain: 'sites.example.com', siteCertificateArn: CERTIFICATE },
) as [Template, Template, Template, Template];

const withoutHash = (id: string) => id.replace(/[0-9A-F]{8}$/, '');

/** The reservations by function. */
function reserved(template: Template): Record<string, number> {
  const found = resources(template, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) => {
    const { ReservedConcurrentExecutions: value } = Properties;
    return value === undefined ? [] : [[withoutHash(id), value] as const];
  });
  return Object.fromEntries(found);
}

describe('reserved concurrency', () => {
  it('leaves a flood on one function no share of another, and 100 of a usual quota of 1,000', () => {
    expect(reserved(byDefault)).toEqual({
      GenerationApi: 300,
      GenerationAttempt: 180,
      DeploymentsSite: 200,
      DeploymentsApi: 50,
      DeploymentsGenerated: 30,
      WebhooksDeliver: 20,
      DeploymentsWithdrawalWithdraw: 5,
      LooksLook: 20,
      McpServer: 30,
      DeploymentsDownload: 20,
      BuildsBuild: 40,
      DeploymentLooksLookDeployment: 5,
    });
    const sum = Object.values(reserved(byDefault)).reduce((all, one) => all + one, 0);
    expect(sum).toBeLessThanOrEqual(900);
  });

  it('comes from the configuration', () => {
    expect(reserved(configured)).toMatchObject({ DeploymentsSite: 7, DeploymentsWithdrawalWithdraw: 1 });
  });
});

describe('the stage of the API', () => {
  const settings = (template: Template) => propertiesOf(template, 'AWS::ApiGateway::Stage')[0].MethodSettings;

  it('throttles every path, and generate and deploy more than others', () => {
    const limit = (HttpMethod: string, ResourcePath: string, rate: number, burst: number) => ({
      HttpMethod,
      ResourcePath,
      DataTraceEnabled: false,
      ThrottlingRateLimit: rate,
      ThrottlingBurstLimit: burst,
    });
    expect(settings(configured)).toEqual([
      limit('*', '/*', 11, 12),
      limit('POST', '/~1api~1v1~1generate', 13, 14),
      limit('POST', '/~1api~1v1~1deploy', 15, 16),
      limit('POST', '/~1api~1v1~1builds', 15, 16),
      limit('POST', '/~1api~1v1~1reports', 19, 20),
      limit('POST', '/~1report', 19, 20),
      limit('POST', '/~1api~1v1~1deploy~1staged', 15, 16),
      limit('GET', '/~1api~1v1~1deploy~1staged~1{id}', 15, 16),
      limit('POST', '/~1api~1v1~1deploy~1staged~1{id}', 15, 16),
    ]);
    expect(settings(byDefault)[0]).toMatchObject({ ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 });
  });
});

describe('tables', () => {
  it('have maxima, and so have their indexes', () => {
    const tables = propertiesOf(configured, 'AWS::DynamoDB::GlobalTable');
    expect(tables.length).toBeGreaterThan(5);
    const write = { MaxWriteRequestUnits: 18 };
    const read = { MaxReadRequestUnits: 17 };
    for (const { WriteOnDemandThroughputSettings, Replicas, GlobalSecondaryIndexes = [] } of tables) {
      const [replica] = Replicas;
      expect(WriteOnDemandThroughputSettings).toEqual(write);
      expect(replica.ReadOnDemandThroughputSettings).toEqual(read);
      for (const index of GlobalSecondaryIndexes)
        expect(index.WriteOnDemandThroughputSettings).toEqual(write);
      for (const index of replica.GlobalSecondaryIndexes ?? [])
        expect(index.ReadOnDemandThroughputSettings).toEqual(read);
    }
    expect(tables.flatMap(({ GlobalSecondaryIndexes = [] }) => GlobalSecondaryIndexes)).toHaveLength(4);
    expect(tables.flatMap(({ Replicas }) => Replicas[0].GlobalSecondaryIndexes ?? [])).toHaveLength(4);
  });
});

describe('the web ACL', () => {
  const acls = resources(withWaf, 'AWS::WAFv2::WebACL');
  const [[id, { Properties: acl }], [sitesId, { Properties: ofSites }]] = acls as [
    [string, Resource],
    [string, Resource],
  ];
  const rule = (name: string) => acl.Rules.find(({ Name }: { Name: string }) => Name === name);
  const rate = (name: string) => rule(name).Statement.RateBasedStatement;

  it('is there on request only, and protects every distribution', () => {
    expect(resources(byDefault, 'AWS::WAFv2::WebACL')).toEqual([]);
    expect(acls).toHaveLength(2);
    const ofAll = (template: Template) =>
      propertiesOf(template, 'AWS::CloudFront::Distribution').map(
        ({ DistributionConfig }) => DistributionConfig.WebACLId,
      );
    const arn = (logicalId: string) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });
    expect(ofAll(withWaf)).toEqual([arn(id), arn(sitesId)]);
    expect(ofAll(withOwnAcl)).toEqual([ACL, ACL]);
    expect(ofAll(byDefault)).toEqual([undefined]);
  });

  it('limits the requests of an address to the API, and those for pages', () => {
    expect(acl).toMatchObject({ Scope: 'CLOUDFRONT', DefaultAction: { Allow: {} } });
    expect(rate('Api')).toMatchObject({ Limit: 600, EvaluationWindowSec: 300, AggregateKeyType: 'IP' });
    expect(rate('Pages')).toMatchObject({ Limit: 6_000, EvaluationWindowSec: 300, AggregateKeyType: 'IP' });
    expect(rate('Pages').ScopeDownStatement).toEqual({
      NotStatement: { Statement: rate('Api').ScopeDownStatement },
    });
    const names = ofSites.Rules.map(({ Name }: { Name: string }) => Name);
    expect(names).toEqual(['OwnCalls', 'Reputation', 'Pages']);
    const content = JSON.parse(acl.CustomResponseBodies.limited.Content);
    expect(content).toEqual({ error: expect.any(String), retryAfter: 300, docs: '/docs#rate-limits' });
  });

  it('inspects no bodies', () => {
    expect(JSON.stringify(acl)).not.toMatch(/"(Body|JsonBody)"|CommonRuleSet/);
    expect(rule('Reputation').Statement.ManagedRuleGroupStatement).toEqual({
      VendorName: 'AWS',
      Name: 'AWSManagedRulesAmazonIpReputationList',
    });
  });

  it('exempts visits of the service first, by a secret that only one function knows', () => {
    const own = rule('OwnCalls');
    expect(own).toMatchObject({ Priority: 0, Action: { Allow: {} } });
    const { FieldToMatch, SearchString, PositionalConstraint } = own.Statement.ByteMatchStatement;
    expect(FieldToMatch).toEqual({ SingleHeader: { Name: 'x-ptp-own-call' } });
    expect(PositionalConstraint).toBe('EXACTLY');
    expect(JSON.stringify(SearchString)).toContain('{{resolve:secretsmanager:');
    const knowing = resources(withWaf, 'AWS::Lambda::Function').filter(
      ([, { Properties }]) => 'OWN_CALL_SECRET_ARN' in (Properties.Environment?.Variables ?? {}),
    );
    expect(knowing.map(([name]) => withoutHash(name))).toEqual(['DeploymentsGenerated']);
    for (const template of [byDefault, withOwnAcl])
      expect(JSON.stringify(template)).not.toContain('OWN_CALL_SECRET');
  });
});
