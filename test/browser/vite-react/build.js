import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Builds the two versions of the project that the browser test deploys: `node test/browser/vite-react/build.js`. */
const here = import.meta.dirname;
const work = mkdtempSync(join(tmpdir(), 'vite-react-'));
cpSync(join(here, 'project'), work, { recursive: true });
execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: work, stdio: 'inherit' });
for (const VERSION of ['1', '2']) {
  execFileSync('npm', ['run', 'build'], { cwd: work, stdio: 'inherit', env: { ...process.env, VERSION } });
  const built = join(here, `version-${VERSION}`);
  rmSync(built, { recursive: true, force: true });
  cpSync(join(work, 'dist'), built, { recursive: true });
}
rmSync(work, { recursive: true });
