/**
 * Updates the versions of the listed packages in their ranges: writes `lambda/builds/packages/listed/package-lock.json`, and
 * `versions.json` from it. Fetches from npm's registry and runs no script of a package.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../lambda/builds/packages/listed');
const LOCK = join(FOLDER, 'package-lock.json');

if (!process.argv.includes('--keep')) {
  rmSync(LOCK, { force: true });
  const options = [
    '--package-lock-only',
    '--ignore-scripts',
    '--legacy-peer-deps',
    '--omit-lockfile-registry-resolved',
  ];
  execFileSync('npm', ['install', ...options, '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'inherit' });
}
const { packages } = JSON.parse(readFileSync(LOCK, 'utf8'));
const versions = Object.keys(packages[''].dependencies).map((alias) => {
  const { name = alias, version } = packages[`node_modules/${alias}`];
  return { name, version };
});
// Stable: an alias comes after the version that it is another one of.
versions.sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
const lines = versions.map((one) =>
  JSON.stringify(one).replaceAll(':', ': ').replace(/[{,}]/g, '$& ').trim(),
);
writeFileSync(join(FOLDER, 'versions.json'), `[\n  ${lines.join(',\n  ')}\n]\n`);
