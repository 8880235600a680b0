import { App } from 'aws-cdk-lib';
import { readConfig } from '../lib/config.ts';
import { requirePartition } from '../lib/partition.ts';
import { PromptToProjectStack } from '../lib/prompt-to-project-stack.ts';

try {
  // Set by the CDK CLI.
  requirePartition(process.env.CDK_DEFAULT_REGION);
  const config = readConfig(process.env.CONFIG_FILE ?? 'config/default.json');
  const app = new App();
  new PromptToProjectStack(app, `prompt-to-project-${config.stage}`, { config });
  app.synth();
} catch (error) {
  // Configuration errors need no stack trace.
  console.error(error instanceof Error && process.env.CDK_DEBUG !== 'true' ? error.message : error);
  process.exitCode = 1;
}
