import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { resources, type Template } from '../../infra/templates.ts';
import { type AccountAnswers, startAccount } from '../../support/account.ts';
import { temporaryFolder } from '../../support/at-end.ts';

const folder = temporaryFolder();

/** Runs the CDK app as the CDK's command line does for a deploy. Functions are not bundled. */
async function synthesize(config: object, env: NodeJS.ProcessEnv) {
  const outDir = mkdtempSync(join(folder, 'out-'));
  const configFile = join(outDir, 'stage.json');
  writeFileSync(configFile, JSON.stringify({ stage: 'prod', ...config }));
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object };
  const { stderr } = await promisify(execFile)(process.execPath, ['bin/app.ts'], {
    env: {
      ...process.env,
      CDK_OUTDIR: outDir,
      CONFIG_FILE: configFile,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, 'aws:cdk:bundling-stacks': [] }),
      CDK_DEFAULT_REGION: 'us-east-1',
      ...env,
    },
  });
  const read = (name: string) => JSON.parse(readFileSync(join(outDir, name), 'utf8'));
  const template = read('prompt-to-project-prod.template.json') as Template;
  const reserved = resources(template, 'AWS::Lambda::Function').filter(
    ([, { Properties }]) => Properties.ReservedConcurrentExecutions !== undefined,
  );
  return { stderr, reserved: reserved.length, template, read };
}

/** Deploys to an account. */
async function synthesizeFor(answers: AccountAnswers | undefined) {
  const account = await startAccount(answers);
  try {
    const { stderr, reserved } = await synthesize(
      { siteDomain: 'sites.localhost' },
      { ...account.env, CDK_DEFAULT_ACCOUNT: '111122223333' },
    );
    return { stderr, reserved };
  } finally {
    account.close();
  }
}

it('reserves concurrency in an account that has enough of it, without a word', async () => {
  expect(await synthesizeFor({ quota: 1_000, unreserved: 1_000 })).toEqual({ stderr: '', reserved: 12 });
});

it('reserves nothing in a new account, and says so', async () => {
  const { stderr, reserved } = await synthesizeFor({ quota: 10, unreserved: 12 });
  expect(reserved).toBe(0);
  expect(stderr).toContain('so nothing is reserved');
});

it('reserves as configured if the quota cannot be read, and says so', async () => {
  const { stderr, reserved } = await synthesizeFor(undefined);
  expect(reserved).toBe(12);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('the quota of the account cannot be read')]);
});

it('creates a web ACL in us-east-1 only', async () => {
  const message = /"waf": true needs a stack in us-east-1/;
  await expect(synthesize({ waf: true }, { CDK_DEFAULT_REGION: 'eu-west-1' })).rejects.toThrow(message);
  await expect(synthesize({ waf: true }, { CDK_DEFAULT_REGION: undefined })).rejects.toThrow(message);
  await synthesize({ waf: true }, {});
});

it('puts the certificates of a stage in another region in a separate stack, which is deployed first', async () => {
  const zones = { domainName: 'ptp.example.com', hostedZones: [{ id: 'Z1', name: 'example.com' }] };
  const { template, read } = await synthesize(zones, { CDK_DEFAULT_REGION: 'eu-west-1' });
  const certificates = read('prompt-to-project-prod-certificates.template.json') as Template;
  expect(resources(certificates, 'AWS::CertificateManager::Certificate')).toHaveLength(1);
  expect(resources(template, 'AWS::CertificateManager::Certificate')).toEqual([]);
  const reference = JSON.stringify(resources(template, 'AWS::CloudFront::Distribution'));
  expect(reference).toContain('"StackName":"prompt-to-project-prod-certificates","Region":"us-east-1"');
  const { artifacts } = read('manifest.json');
  expect(artifacts['prompt-to-project-prod'].dependencies).toContain('prompt-to-project-prod-certificates');
  expect(artifacts['prompt-to-project-prod-certificates'].environment).toMatch(/us-east-1$/);
  const unknown = synthesize(zones, { CDK_DEFAULT_REGION: undefined });
  await expect(unknown).rejects.toThrow('hostedZones requires the region of the stack');
});
