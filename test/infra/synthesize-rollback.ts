import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Alarm, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { parseConfig } from '../../lib/config.ts';
import { BundledFunction } from '../../lib/platform/bundled-function.ts';
import { PromptToProjectStack } from '../../lib/prompt-to-project-stack.ts';

/** Prints the template of a stack that rolls back on as many alarms of its functions as it can, as JSON. */
const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object };
const app = new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] } });
const stack = new PromptToProjectStack(app, 'Test', { config: parseConfig({}, 'of the test') });
const functions = stack.node.findAll().filter((one) => one instanceof BundledFunction);
// The functions with aliases, and others.
const chosen = functions
  .filter(({ node }) => node.id === 'Api' || node.id === 'Site')
  .concat(functions)
  .slice(0, 9);
const paging = new Construct(stack, 'Paging');
const alarms = chosen.map(
  (fn, at) =>
    new Alarm(paging, `Throttles${at}`, {
      metric: fn.metricThrottles() as Metric,
      threshold: 1,
      evaluationPeriods: 3,
    }),
);
stack.rollout.rollBackOn(alarms);
console.log(JSON.stringify(Template.fromStack(stack).toJSON()));
