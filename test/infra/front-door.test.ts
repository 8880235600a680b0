import { CERTIFICATES, OWN_ACL, STAGE_NAMES } from './stages.ts';
import {
  propertiesOf,
  type Resource,
  resourceOf,
  resources,
  type Template,
  templateOf,
  withoutHash,
} from './templates.ts';

const template = templateOf('byDefault');
const all = (type: string) => resources(template, type);
const full = templateOf('full');
const lean = templateOf('lean');

it('is ASCII only, with comments that CloudFront accepts: services refuse other descriptions', () => {
  for (const one of STAGE_NAMES.map(templateOf)) {
    const json = JSON.stringify(one);
    expect(json.match(/.{0,40}[^ -~].{0,40}/g)).toBeNull();
    for (const [, comment = ''] of json.matchAll(/"Comment":"([^"]*)"/g))
      expect(comment.length).toBeLessThanOrEqual(128);
  }
});

describe('the distribution', () => {
  const [, distribution] = all('AWS::CloudFront::Distribution')[0] as [string, Resource];
  const config = distribution.Properties.DistributionConfig;

  it('has edge functions of a size that CloudFront accepts', () => {
    for (const { FunctionCode } of propertiesOf(full, 'AWS::CloudFront::Function'))
      expect(FunctionCode.length).toBeLessThanOrEqual(10_240);
  });

  it('keeps no errors', () => {
    for (const { ErrorCachingMinTTL } of config.CustomErrorResponses) expect(ErrorCachingMinTTL).toBe(0);
  });

  it('waits for the API as long as CloudFront can', () => {
    const api = config.Origins.find((origin: { OriginPath?: string }) => origin.OriginPath === '/api');
    expect(api.CustomOriginConfig.OriginReadTimeout).toBe(120);
  });

  it('keeps pictures by their width and version, and asks for each', () => {
    const { PathPattern, CachePolicyId } = config.CacheBehaviors.at(-3);
    const [, policy] = all('AWS::CloudFront::CachePolicy').find(([id]) => id === CachePolicyId.Ref) as [
      string,
      Resource,
    ];
    const { MinTTL, DefaultTTL, ParametersInCacheKeyAndForwardedToOrigin } = policy.Properties.CachePolicyConfig;
    expect([PathPattern, MinTTL, DefaultTTL]).toEqual(['/d/????????????.png', 0, 0]);
    expect(ParametersInCacheKeyAndForwardedToOrigin.QueryStringsConfig).toEqual({
      QueryStringBehavior: 'whitelist',
      QueryStrings: ['width', 'version'],
    });
  });

  it('keeps the files of each type of page when those of another are deployed', () => {
    const deployments = propertiesOf(template, 'Custom::CDKBucketDeployment');
    const types = deployments.map(({ SystemMetadata }) => Object.values(SystemMetadata).join(', '));
    const script = 'text/javascript; charset=utf-8';
    expect(types).toEqual(
      expect.arrayContaining([`max-age=0, s-maxage=300, ${script}`, `public, max-age=31536000, immutable, ${script}`]),
    );
    expect(types).toEqual([...new Set(types)]);
    expect(deployments.map(({ Prune }) => Prune)).toEqual(types.map(() => false));
  });

  it('lets browsers use TLS only, for this host and nothing below it', () => {
    const policies = new Map(resources(full, 'AWS::CloudFront::ResponseHeadersPolicy'));
    const behaviors = propertiesOf(full, 'AWS::CloudFront::Distribution').flatMap(
      ({ DistributionConfig: { DefaultCacheBehavior, CacheBehaviors = [] } }) => [
        DefaultCacheBehavior,
        ...CacheBehaviors,
      ],
    );
    expect(behaviors).toHaveLength(16);
    for (const { ResponseHeadersPolicyId, ViewerProtocolPolicy } of behaviors) {
      expect(ViewerProtocolPolicy).toBe('redirect-to-https');
      const { ResponseHeadersPolicyConfig } = policies.get(ResponseHeadersPolicyId.Ref)?.Properties ?? {};
      expect(ResponseHeadersPolicyConfig.SecurityHeadersConfig.StrictTransportSecurity).toEqual({
        AccessControlMaxAgeSec: 31_536_000,
        IncludeSubdomains: false,
        Preload: false,
        Override: true,
      });
    }
  });

  it('accesses the sites and the pages through origin access controls', () => {
    const controlled = config.Origins.filter((origin: object) => 'OriginAccessControlId' in origin);
    expect(controlled).toHaveLength(3);
    for (const { AuthType } of propertiesOf(template, 'AWS::Lambda::Url')) expect(AuthType).toBe('AWS_IAM');
    const invokers = all('AWS::Lambda::Permission').filter(
      ([, { Properties }]) => Properties.Principal === 'cloudfront.amazonaws.com',
    );
    // Two functions; the site function has permissions before the distribution exists as well.
    expect(invokers.map(([, { Properties }]) => Properties.Action).toSorted()).toEqual([
      ...new Array(3).fill('lambda:InvokeFunction'),
      ...new Array(3).fill('lambda:InvokeFunctionUrl'),
    ]);
    for (const [, { Properties }] of invokers) expect(JSON.stringify(Properties.SourceArn)).toContain(':distribution/');
  });

  it('leaves room for the same stage in another region: names are unique in the account', () => {
    const names = Object.values(lean.Resources)
      .filter(({ Type }) => Type.startsWith('AWS::CloudFront::'))
      .flatMap(({ Type, Properties }) => {
        const holder = Properties.Name ? Properties : Properties[`${Type.split('::')[2]}Config`];
        return Type === 'AWS::CloudFront::Distribution' ? [] : [[Type, holder.Name]];
      });
    expect(names).toHaveLength(15);
    for (const [type, name] of names) {
      expect([type, name]).toEqual([type, { 'Fn::Join': ['', expect.any(Array)] }]);
      const parts: unknown[] = name['Fn::Join'][1];
      expect(parts).toContainEqual({ Ref: 'AWS::Region' });
      if (!type.endsWith('OriginAccessControl')) continue;
      const rest = parts.filter((part) => typeof part === 'string').join('');
      // At most 64 characters, with the longest name of a stack and of a region.
      expect(rest.replace(/^Test/, '').length).toBeLessThanOrEqual(64 - 'prompt-to-project-'.length - 20 - 14);
    }
  });

  it('sends no more headers with the data of sites than a policy may have, and has none of it without them', () => {
    for (const { OriginRequestPolicyConfig } of propertiesOf(full, 'AWS::CloudFront::OriginRequestPolicy'))
      expect(OriginRequestPolicyConfig.HeadersConfig.Headers?.length ?? 0).toBeLessThanOrEqual(10);
    expect(JSON.stringify(lean)).not.toContain('.data');
  });
});

it('a name of one’s own comes with its certificate', () => {
  expect([resourceOf(full, 'AWS::CloudFront::Distribution', 'FrontDoorDistribution').Properties]).toMatchObject([
    {
      DistributionConfig: {
        Aliases: ['ptp.example.com'],
        ViewerCertificate: { AcmCertificateArn: CERTIFICATES.service },
      },
    },
  ]);
  const baseUrls = propertiesOf(full, 'AWS::Lambda::Function').map((fn) => fn.Environment?.Variables.BASE_URL);
  expect(new Set(baseUrls)).toEqual(new Set([undefined, 'https://ptp.example.com']));
});

describe('the web ACL', () => {
  const acls = resources(full, 'AWS::WAFv2::WebACL');
  const [[, { Properties: acl }]] = acls as [[string, Resource]];
  const rule = (name: string) => acl.Rules.find(({ Name }: { Name: string }) => Name === name);

  it('is there on request only, and protects every distribution', () => {
    expect(resources(template, 'AWS::WAFv2::WebACL')).toEqual([]);
    expect(acls).toHaveLength(3);
    const ofAll = (from: Template) =>
      propertiesOf(from, 'AWS::CloudFront::Distribution').map(({ DistributionConfig }) => DistributionConfig.WebACLId);
    const arn = (logicalId: string) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });
    expect(ofAll(full)).toEqual(acls.map(([logicalId]) => arn(logicalId)));
    expect(ofAll(lean)).toEqual([OWN_ACL, OWN_ACL]);
    expect(ofAll(template)).toEqual([undefined]);
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
    const knowing = resources(full, 'AWS::Lambda::Function').filter(
      ([, { Properties }]) => 'OWN_CALL_SECRET_ARN' in (Properties.Environment?.Variables ?? {}),
    );
    expect(knowing.map(([name]) => withoutHash(name))).toEqual(['DeploymentsGenerated']);
    for (const from of [template, lean]) expect(JSON.stringify(from)).not.toContain('OWN_CALL_SECRET');
  });
});
