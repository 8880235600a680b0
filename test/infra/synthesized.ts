import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { parseConfig } from '../../lib/config.ts';
import { PromptToProjectStack } from '../../lib/prompt-to-project-stack.ts';

/** The template of a stage, without bundling the functions: these tests are about the resources. */
export function synthesized(config: object = {}): Template {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object };
  const app = new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] } });
  return Template.fromStack(
    new PromptToProjectStack(app, 'Test', { config: parseConfig(config, 'of the test') }),
  );
}

export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties of any resource type
  readonly Properties: any;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** The resources of a type, by logical id. */
export function resources(template: Template, type: string): [string, Resource][] {
  return Object.entries(template.findResources(type)) as unknown as [string, Resource][];
}
