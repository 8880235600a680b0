import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STAGES } from '../infra/stages.ts';
import { synthesized } from '../infra/synthesized.ts';

const name = 'cfn-lint finds nothing';
const { error } = spawnSync('cfn-lint', ['--version']);
if (error) it.skip(`${name} (it is not on the path: pip install cfn-lint)`, () => {});
else
  it(name, () => {
    const folder = mkdtempSync(join(tmpdir(), 'ptp-cfn-lint-'));
    const files = synthesized(...STAGES).map((template, index) => {
      const file = join(folder, `${index}.template.json`);
      writeFileSync(file, JSON.stringify(template, null, 1));
      return file;
    });
    // The CDK also declares dependencies that references imply.
    execFileSync('cfn-lint', ['--ignore-checks', 'W3005', '--regions', 'us-east-1', '--', ...files], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
  });
