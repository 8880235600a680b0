import { requirePartition } from '../../lib/regions.ts';
import { resources, type Template, templateOf } from './templates.ts';

it.each([
  ['cn-north-1', 'aws-cn'],
  ['us-gov-west-1', 'aws-us-gov'],
])('rejects %s, which is in the partition %s', (region, partition) => {
  expect(() => requirePartition(region)).toThrow(`${region} is in the partition ${partition}`);
});

it.each(['eu-west-1', 'us-east-1', 'xx-new-1', undefined])('accepts %s', (region) => {
  expect(() => requirePartition(region)).not.toThrow();
});

const stages = [templateOf('byDefault'), templateOf('full')] as const;

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html */
const QUOTAS = {
  'AWS::CloudFront::CachePolicy': 20,
  'AWS::CloudFront::OriginRequestPolicy': 20,
  'AWS::CloudFront::ResponseHeadersPolicy': 20,
  'AWS::CloudFront::OriginAccessControl': 100,
  'AWS::CloudFront::Function': 100,
};

/** Names of these types are scoped to an API, a user pool or a function, or need not be unique. */
const SCOPED = /^AWS::(ApiGateway|Cognito|Lambda::Alias|DynamoDB|WAFv2)/;

/** Returns the names that a template fixes, with their types. CloudFront's resources have them in their configuration. */
function namesIn({ Resources }: Template): string[] {
  return Object.values(Resources).flatMap(({ Type, Properties = {} }) => {
    if (SCOPED.test(Type)) return [];
    const holders = [Properties, ...Object.values(Properties)] as ({ readonly Name?: unknown } | null)[];
    const names = holders.map((holder) => holder?.Name).filter((name) => name !== undefined);
    return names.map((name) => `${Type} ${JSON.stringify(name)}`);
  });
}

it('fits beside another stage in the account: names do not collide, and nothing is exported', () => {
  const [one, other] = stages.map(namesIn) as [string[], string[]];
  expect(one.length).toBeGreaterThan(10);
  // Two stages differ in the names of their stacks. Those of the tests have the same one.
  expect(one.filter((name) => other.includes(name) && !/Test|AWS::StackName/.test(name))).toEqual([]);
  for (const template of stages) expect(JSON.stringify(template.Outputs)).not.toContain('"Export"');
});

it("leaves room in CloudFront's quotas for four stages", () => {
  for (const template of stages)
    for (const [type, quota] of Object.entries(QUOTAS))
      expect([type, resources(template, type).length <= quota / 4]).toEqual([type, true]);
});

it('stays below the resources that a stack may have', () => {
  for (const template of stages) expect(Object.keys(template.Resources).length).toBeLessThan(400);
});
