import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { parseConfig } from '../../lib/config.ts';
import { PromptToProjectStack } from '../../lib/prompt-to-project-stack.ts';
import { STAGES } from './stages.ts';

/** Writes the template of each stage to a folder. Functions are not bundled: the tests are about resources. */
const [, , folder = ''] = process.argv;
const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object };
for (const [name, config] of Object.entries(STAGES)) {
  const app = new App({ outdir: join(folder, name), context: { ...context, 'aws:cdk:bundling-stacks': [] } });
  new PromptToProjectStack(app, 'Test', {
    config: parseConfig(config, 'of the test'),
    isAtEdgeRegion: true,
  });
  const { template } = app.synth().getStackByName('Test');
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(template));
}
