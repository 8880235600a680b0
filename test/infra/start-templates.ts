import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Jest's `globalSetup`: synthesizes all stages once, in a process of its own, for every test file. */
export default function startTemplates(): void {
  const folder = mkdtempSync(join(tmpdir(), 'ptp-templates-'));
  process.env.TEST_TEMPLATES = folder;
  execFileSync(process.execPath, ['test/infra/synthesize.ts', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
