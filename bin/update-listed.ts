/**
 * Updates the versions of the listed packages in their ranges: writes `lambda/builds/packages/listed/package-lock.json`.
 * Fetches from npm's registry and runs no script of a package.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../lambda/builds/packages/listed');

rmSync(join(FOLDER, 'package-lock.json'), { force: true });
const options = ['--ignore-scripts', '--legacy-peer-deps', '--omit-lockfile-registry-resolved'];
execFileSync('npm', ['install', '--package-lock-only', ...options, '--no-audit', '--no-fund'], {
  cwd: FOLDER,
  stdio: 'inherit',
});
