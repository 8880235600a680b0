import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { parseConfig } from '../../lib/config.ts';
import { PromptToProjectStack } from '../../lib/prompt-to-project-stack.ts';

/**
 * Prints the templates of the stages whose configurations its argument lists, as JSON. Functions are not bundled: these tests
 * are about the resources.
 */
const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object };
const configs = JSON.parse(process.argv[2] ?? '[]') as object[];
const outdir = mkdtempSync(join(tmpdir(), 'ptp-synthesis-'));
const templates = configs.map((config) => {
  const app = new App({ outdir, context: { ...context, 'aws:cdk:bundling-stacks': [] } });
  const stack = new PromptToProjectStack(app, 'Test', {
    config: parseConfig(config, 'of the test'),
    isAtEdgeRegion: true,
  });
  return Template.fromStack(stack).toJSON();
});
rmSync(outdir, { recursive: true });
console.log(JSON.stringify(templates));
