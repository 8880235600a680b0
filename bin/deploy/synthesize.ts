import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stackNameOf } from '../stack-name.ts';
import type { StageFile, Template } from './record.ts';

/**
 * Synthesizes the template of a configuration in a checkout of the repository, without the code of functions.
 * @param config of the stage `prod`, unless it specifies another one
 * @param folder the checkout
 */
export function templateOf(config: StageFile, folder = '.'): Template {
  const outdir = mkdtempSync(join(tmpdir(), 'ptp-release-'));
  try {
    const configFile = join(outdir, 'stage.json');
    writeFileSync(configFile, JSON.stringify({ stage: 'prod', ...config }));
    const { context } = JSON.parse(readFileSync(join(folder, 'cdk.json'), 'utf8')) as { context: object };
    execFileSync(process.execPath, ['bin/app.ts'], {
      cwd: folder,
      env: {
        ...process.env,
        CDK_OUTDIR: outdir,
        CONFIG_FILE: configFile,
        CDK_CONTEXT_JSON: JSON.stringify({ ...context, 'aws:cdk:bundling-stacks': [] }),
        CDK_DEFAULT_REGION: 'us-east-1',
        CDK_VALIDATION: 'false',
      },
    });
    const { stage = 'prod' } = config;
    const file = join(outdir, `${stackNameOf({ stage })}.template.json`);
    return JSON.parse(readFileSync(file, 'utf8')) as Template;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
