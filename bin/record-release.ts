/**
 * Records the parts of a release that upgrades must keep, in `test/infra/releases/<version>.json`. `npm run record-release` records the
 * current commit, after the commit with the new version; `npm run record-release -- <commit>` records an earlier one.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ReleaseRecord, upgradedOf } from './deploy/record.ts';
import { readReplacing } from './deploy/specification.ts';
import { templateOf } from './deploy/synthesize.ts';

const FOLDER = 'test/infra/releases';

/** A stage with as many resources as possible. */
const CONFIG = {
  oauth: 'cognito',
  siteDomain: 'sites.example.com',
  siteCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/sites',
  customDomains: true,
};

/** In 0.9.0, every stage had a user pool, and there were no domains of callers. */
const CONFIG_OF_0_9_0 = { siteDomain: CONFIG.siteDomain, siteCertificateArn: CONFIG.siteCertificateArn };

const git = (...argv: string[]) => execFileSync('git', argv, { encoding: 'utf8' }).trim();

const checkout = mkdtempSync(join(tmpdir(), 'ptp-checkout-'));
const commit = git('rev-parse', process.argv[2] ?? 'HEAD');
git('worktree', 'add', '--detach', '--force', checkout, commit);
try {
  symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'));
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
  const template = templateOf(version === '0.9.0' ? CONFIG_OF_0_9_0 : CONFIG, checkout);
  const { resources, names } = upgradedOf(template, readReplacing());
  const record: ReleaseRecord = { version, commit, config: CONFIG, resources, names };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${version}.json`), `${JSON.stringify(record, null, 2)}\n`);
  console.log(`${version}: ${Object.keys(resources).length} resources`);
} finally {
  git('worktree', 'remove', '--force', checkout);
  rmSync(checkout, { recursive: true, force: true });
}
