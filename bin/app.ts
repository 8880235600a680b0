import { App, Validations } from 'aws-cdk-lib/core';
import { readConfig, type StageConfig } from '../lib/config.ts';
import { makesCertificates } from '../lib/front-door/domains.ts';
import { requireWebAclRegion } from '../lib/front-door/web-acl.ts';
import { PromptToProjectStack } from '../lib/prompt-to-project-stack.ts';
import { CERTIFICATES_REGION, CertificatesStack, requirePartition } from '../lib/regions.ts';
import { readCapacity } from './account-capacity.ts';
import { capacityNotice, reservesConcurrency, warningsOf } from './notices.ts';
import { regionOf, stackNameOf } from './stack.ts';

try {
  // Set by the CDK CLI.
  const { CDK_DEFAULT_REGION: region } = process.env;
  requirePartition(region);
  const config = readConfig(process.env.CONFIG_FILE ?? 'config/default.json');
  requireWebAclRegion(config.waf, region);
  const app = new App();
  const reserves = await reservesIn(config);
  // Set by `local/synth.ts`, since `npm ci` installs native packages for this machine only.
  const platform = process.env.CDK_PLATFORM === 'this' ? 'this' : 'lambda';
  const name = stackNameOf(config);
  const elsewhere = certificatesElsewhere(app, name, config, region);
  new PromptToProjectStack(app, name, {
    config,
    reservesConcurrency: reserves,
    isAtEdgeRegion: region === 'us-east-1',
    platform,
    ...elsewhere,
  });
  // Part of the CDK's validation, which `npm start` and the tests skip.
  if (process.env.CDK_VALIDATION !== 'false') {
    const { SecurityChecks } = await import('./security/findings.ts');
    Validations.of(app).addPlugins(new SecurityChecks(app));
  }
  app.synth();
} catch (error) {
  // Configuration errors need no stack trace.
  console.error(error instanceof Error && process.env.CDK_DEBUG !== 'true' ? error.message : error);
  process.exitCode = 1;
}

/**
 * Returns the certificates of a separate stack, and the environment of the stack that uses them, if that stack is not in the region
 * that CloudFront requires. Only then does the template contain the name of its region.
 * @throws Error if the region of the stack is unknown
 */
function certificatesElsewhere(app: App, name: string, config: StageConfig, region: string | undefined) {
  if (region === CERTIFICATES_REGION || !makesCertificates(config)) return {};
  if (region === undefined)
    throw new Error('hostedZones requires the region of the stack, to create certificates: set AWS_REGION');
  const { CDK_DEFAULT_ACCOUNT: account } = process.env;
  const { certificates } = new CertificatesStack(app, `${name}-certificates`, account, config);
  return {
    certificates,
    env: { region, ...(account !== undefined && { account }) },
    crossRegionReferences: true,
  };
}

/**
 * Returns whether the stack reserves concurrency in the account of a deploy, and prints what the operator should know before it.
 * Without an account, no deploy follows.
 */
async function reservesIn(config: StageConfig): Promise<boolean> {
  if (!process.env.CDK_DEFAULT_ACCOUNT) return true;
  for (const warning of warningsOf(config)) console.error(warning);
  const capacity = await readCapacity(stackNameOf(config), regionOf(process.env)).catch((error: Error) => error);
  const reserves = reservesConcurrency(config, capacity);
  if (!reserves || capacity instanceof Error) console.error(capacityNotice(config, capacity));
  return reserves;
}
