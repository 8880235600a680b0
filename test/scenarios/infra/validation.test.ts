import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/at-end.ts';

const folder = temporaryFolder();

it('the templates of all stages pass the validation that `cdk deploy` includes', () => {
  execFileSync(process.execPath, ['test/infra/synthesize.ts', folder], {
    env: { ...process.env, CDK_VALIDATION: 'true' },
    stdio: 'pipe',
  });
});

const name = 'cfn-lint finds nothing';
if (spawnSync('cfn-lint', ['--version']).error)
  it.skip(`${name} (it is not on the path: pip install cfn-lint)`, () => {});
else
  it(name, () => {
    // The stage with every option: a minute less than all of them.
    const files = [join(folder, 'full.json')];
    // The CDK also declares dependencies that references imply.
    execFileSync('cfn-lint', ['--ignore-checks', 'W3005', '--regions', 'us-east-1', '--', ...files], {
      stdio: 'pipe',
    });
  });
