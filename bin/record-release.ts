/**
 * Records what an upgrade must keep of a release, in `test/infra/releases/<version>.json`: `npm run record-release` for this checkout,
 * which a release does after its version, and `npm run record-release -- <commit>` for an earlier commit.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ReleaseRecord, upgradedOf } from './deploy/record.ts';
import { readReplacing } from './deploy/specification.ts';
import { templateOf } from './deploy/synthesize.ts';

const FOLDER = 'test/infra/releases';

/** As much as a stage can have. */
const CONFIG = {
  oauth: 'cognito',
  siteDomain: 'sites.example.com',
  siteCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/sites',
  customDomains: true,
};

/** Up to 0.9.0, every stage had a user pool, and none could have domains of callers. */
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
