import { execFileSync } from 'node:child_process';
import { type Finding, REASONS, reasonFor } from '../../../bin/security/reasons.ts';
import { STAGES } from '../../infra/stages.ts';

const findings = JSON.parse(
  execFileSync(process.execPath, ['test/scenarios/infra/findings.ts', JSON.stringify(Object.values(STAGES))], {
    encoding: 'utf8',
  }),
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
