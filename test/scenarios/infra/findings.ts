import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { findingsOf } from '../../../bin/security/findings.ts';
import { parseConfig } from '../../../lib/config.ts';
import { PromptToProjectStack } from '../../../lib/prompt-to-project-stack.ts';

/** Prints the findings of cdk-nag in stages as JSON. The argument lists their configurations: see `synthesize.ts`. */
const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object };
const configs = JSON.parse(process.argv[2] ?? '[]') as object[];
const outdir = mkdtempSync(join(tmpdir(), 'ptp-findings-'));
const findings = configs.flatMap((config) => {
  const app = new App({ outdir, context: { ...context, 'aws:cdk:bundling-stacks': [] } });
  new PromptToProjectStack(app, 'Test', { config: parseConfig(config, 'of the test'), isAtEdgeRegion: true });
  app.synth();
  return findingsOf(app);
});
rmSync(outdir, { recursive: true });
console.log(JSON.stringify(findings));
