import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesized } from '../infra/synthesized.ts';

const certificate = (id: number) =>
  `arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-0000-0000-00000000000${id}`;

/** The default stage, and a stage with every option. */
const CONFIGS = [
  {},
  {
    waf: true,
    customDomains: true,
    logs: { api: true },
    alarms: { page: ['https://example.com/page'], ticket: ['me@example.com'] },
    domainName: 'ptp.example.net',
    certificateArn: certificate(1),
    siteDomain: 'sites.example.com',
    siteCertificateArn: certificate(2),
    oauth: 'cognito',
    providers: {
      'provider-a': { kind: 'anthropic', model: 'm', apiKey: 'ANTHROPIC_API_KEY' },
      'provider-b': { kind: 'bedrock', model: 'us.anthropic.claude-x-v1:0' },
    },
  },
];

const name = 'cfn-lint finds nothing';
const { error } = spawnSync('cfn-lint', ['--version']);
if (error) it.skip(`${name} (it is not on the path: pip install cfn-lint)`, () => {});
else
  it(name, () => {
    const folder = mkdtempSync(join(tmpdir(), 'ptp-cfn-lint-'));
    const files = synthesized(...CONFIGS).map((template, index) => {
      const file = join(folder, `${index}.template.json`);
      writeFileSync(file, JSON.stringify(template, null, 1));
      return file;
    });
    // The CDK also declares dependencies that references imply.
    execFileSync('cfn-lint', ['--ignore-checks', 'W3005', '--regions', 'us-east-1', '--', ...files], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
  });
