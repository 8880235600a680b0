import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Duration } from 'aws-cdk-lib/core';
import { Construct, type IDependable } from 'constructs';
import type { CanarySettings } from '../lambda/canary/settings.ts';
import { PROVIDER_NAMES } from '../lambda/contract/generate.ts';
import { ENV } from '../lambda/platform/env.ts';
import type { Access } from './access.ts';
import type { StageConfig } from './config.ts';
import { BundledFunction } from './platform/bundled-function.ts';

type CanaryConfig = Pick<StageConfig, 'canary' | 'providers' | 'deployments'>;

/** The service that the canary uses. */
interface Used {
  readonly baseUrl: string;
  /** The resources that must exist before the first run. */
  readonly after: readonly IDependable[];
}

const PERIOD = Duration.minutes(5);

/** Uses the service every five minutes as visitors and callers do, and measures whether it works (decision 0070). */
export class Canary extends Construct {
  /** How often it was started. https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html */
  readonly starts: Metric;

  constructor(scope: Construct, id: string, access: Access, config: CanaryConfig, { baseUrl, after }: Used) {
    super(scope, id);
    const fn = new BundledFunction(this, 'Function', {
      entry: 'canary/canary.handler',
      description: 'Uses the service as visitors and callers do',
      // Less than the period, so that one run ends before the next one.
      timeout: Duration.minutes(4),
      // A repeated run would hide the failure of the first one.
      retryAttempts: 0,
      maxEventAge: Duration.minutes(1),
    });
    fn.addEnvironment(ENV.baseUrl, baseUrl);
    fn.addEnvironment(ENV.canary, JSON.stringify(settingsOf(config)));
    access.grantCanary(fn);
    fn.emitMetrics();
    const rule = new Rule(this, 'EveryFiveMinutes', {
      description: 'Uses the service as visitors and callers do',
      schedule: Schedule.rate(PERIOD),
      targets: [new LambdaFunction(fn)],
    });
    rule.node.addDependency(...after);
    this.starts = new Metric({
      namespace: 'AWS/Events',
      metricName: 'TriggeredRules',
      dimensionsMap: { RuleName: rule.ruleName },
      statistic: 'Sum',
      period: PERIOD,
    });
  }
}

/** Returns the settings of a stage's canary: it generates with the embedded provider, or with others only if configured. */
function settingsOf({ canary, providers, deployments }: CanaryConfig): CanarySettings {
  const { edgeSeconds } = deployments;
  // The edge may have a copy from the previous run.
  const staleMs = edgeSeconds === 0 ? 0 : edgeSeconds * 1_000 + PERIOD.toMilliseconds();
  const free = PROVIDER_NAMES.find((name) => providers[name]?.kind === 'blueprint');
  if (free !== undefined) return { staleMs, generate: { model: free, every: 'run' } };
  return canary.generateHourly ? { staleMs, generate: { model: 'auto', every: 'hour' } } : { staleMs };
}
