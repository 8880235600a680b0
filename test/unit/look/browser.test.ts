import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LaunchFailed, withBrowser } from '../../../lambda/look/browser.ts';

it('waits for a browser that does not start until the deadline at most', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ptp-browser-'));
  const executablePath = join(folder, 'chromium');
  writeFileSync(executablePath, '#!/bin/sh\nexec sleep 60\n');
  chmodSync(executablePath, 0o755);
  const started = withBrowser(
    { executablePath, milliseconds: 60_000, deadline: performance.now() },
    async () => 'used',
  );
  await expect(started).rejects.toThrow(LaunchFailed);
  rmSync(folder, { recursive: true });
});
