import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

it('builds touch no file of the disk, whatever a project imports', () => {
  const script = join(import.meta.dirname, '../../support/builds/disk-reads.ts');
  const printed = JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' }));
  expect(printed).toEqual({ projects: 64, shown: 0, touched: [] });
});
