import { execFileSync } from 'node:child_process';
import { type Finding, REASONS, reasonFor } from '../../bin/security/reasons.ts';

const certificate = (name: string) => `arn:aws:acm:us-east-1:111122223333:certificate/${name}`;

/** The findings of the default stage, and of a stage with every option. */
const CONFIGS = [
  {},
  {
    waf: true,
    customDomains: true,
    logs: { api: true },
    alarms: { page: ['https://example.com/page'], ticket: ['me@example.com'] },
    siteDomain: 'sites.example.com',
    siteCertificateArn: certificate('sites'),
    oauth: 'cognito',
    providers: {
      'provider-a': { kind: 'anthropic', model: 'm', apiKey: 'ANTHROPIC_API_KEY' },
      'provider-b': { kind: 'bedrock', model: 'zai.glm-4.6', region: 'eu-west-1' },
      'provider-c': { kind: 'bedrock', model: 'us.anthropic.claude-x-v1:0' },
    },
  },
];

const findings = JSON.parse(
  execFileSync(process.execPath, ['test/infra/findings.ts', JSON.stringify(CONFIGS)], { encoding: 'utf8' }),
) as Finding[];

it('has a reason for every accepted finding of cdk-nag', () => {
  expect(findings.length).toBeGreaterThan(100);
  expect(findings.filter((finding) => !reasonFor(finding))).toEqual([]);
});

it('has no reason without a finding', () => {
  const used = new Set(findings.map(reasonFor));
  expect(REASONS.filter((reason) => !used.has(reason))).toEqual([]);
});

it('has no reason that covers new resources', () => {
  expect(reasonFor({ rule: 'AwsSolutions-S1', at: 'Deployments/Added' })).toBeUndefined();
  const at = 'Deployments/ApiRole/DefaultPolicy';
  expect(reasonFor({ rule: 'AwsSolutions-IAM5[Action::s3:*]', at })).toBeUndefined();
  expect(reasonFor({ rule: 'AwsSolutions-IAM5[Resource::<Archives.Arn>/*]', at })).toBeUndefined();
});
