import { upgradedOf } from '../../bin/deploy/record.ts';
import { readReplacing } from '../../bin/deploy/specification.ts';
import { templateOf } from '../../bin/deploy/synthesize.ts';
import { resources, type Template } from './templates.ts';

const everything = {
  oauth: 'cognito',
  siteDomain: 'sites.localhost',
  customDomains: true,
  waf: true,
};
const stages = ['prod', 'staging'].map((stage) => templateOf({ stage, ...everything }) as Template);

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html */
const QUOTAS = {
  'AWS::CloudFront::CachePolicy': 20,
  'AWS::CloudFront::OriginRequestPolicy': 20,
  'AWS::CloudFront::ResponseHeadersPolicy': 20,
  'AWS::CloudFront::OriginAccessControl': 100,
  'AWS::CloudFront::Function': 100,
};

it('fits beside another stage in the account: names do not collide, and nothing is exported', () => {
  const [one, other] = stages.map((template) => Object.keys(upgradedOf(template, readReplacing()).names));
  const uniqueInAccount = (names: readonly string[] = []) =>
    // These names are scoped to an API, a user pool or a function, or need not be unique.
    names.filter((name) => !/^AWS::(ApiGateway|Cognito|Lambda::Alias|DynamoDB|WAFv2)/.test(name));
  expect(uniqueInAccount(one).length).toBeGreaterThan(10);
  expect(uniqueInAccount(one).filter((name) => other?.includes(name))).toEqual([]);
  for (const template of stages) expect(JSON.stringify(template.Outputs)).not.toContain('"Export"');
});

it("leaves room in CloudFront's quotas for four stages", () => {
  for (const [type, quota] of Object.entries(QUOTAS))
    expect([type, resources(stages[0] as Template, type).length <= quota / 4]).toEqual([type, true]);
});

it('stays below the resources that a stack may have', () => {
  for (const template of stages) expect(Object.keys(template.Resources).length).toBeLessThan(400);
});
