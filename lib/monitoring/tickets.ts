import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { type CfnAlarm, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Aws, CfnCondition, Duration, Fn } from 'aws-cdk-lib/core';
import { type Alarms, ownMetric, sums } from './alarm.ts';
import type { AlarmsConfig } from './alarms-config.ts';
import type { Resources } from './resources.ts';

const QUARTER = Duration.minutes(15);
const HOUR = Duration.hours(1);
const DAY = Duration.days(1);
const BYTES_PER_GB = 1e9;

/** A provider that fails after each cool-down, of at most ten minutes, begins five or more cool-downs in an hour. */
const COOL_DOWNS_PER_HOUR = 4;

export interface TicketsProps {
  readonly resources: Resources;
  readonly namespace: string;
  readonly config: AlarmsConfig;
  /** The names of the providers of the stage. */
  readonly providers: readonly string[];
}

/** Adds the alarms that can wait until the morning. */
export function addTickets(alarms: Alarms, props: TicketsProps): void {
  const { resources, namespace, config, providers } = props;
  alarms.add('Limited', {
    means: `More than ${config.limitedRequests} requests in 15 minutes exceeded a rate limit`,
    metrics: [ownMetric(namespace, 'Limited', 'Sum', QUARTER)],
    above: config.limitedRequests,
  });
  alarms.add('TablesThrottled', {
    means: 'DynamoDB throttles reads or writes of tables',
    metrics: sums(throttlesOf(resources), QUARTER),
    above: 0,
  });
  alarms.add('Invalidations', {
    means: "More than half of this month's removals from the edge are used",
    metrics: [ownMetric(namespace, 'InvalidationsUsed', 'Maximum', HOUR)],
    above: 50,
  });
  alarms.add('PagesHeld', {
    means: 'Pages wait for a review: npm run review',
    metrics: [ownMetric(namespace, 'PagesHeld', 'Sum', HOUR)],
    above: 0,
  });
  for (const provider of providers)
    alarms.add(`ProviderCooling${pascal(provider)}`, {
      section: 'ProviderCooling',
      means: `${provider} failed again after each of its cool-downs`,
      metrics: [ownMetric(namespace, 'CoolDowns', 'Sum', HOUR, { Provider: provider })],
      above: COOL_DOWNS_PER_HOUR,
    });
  const downloaded = alarms.add('Downloaded', {
    means: `Visitors downloaded more than ${config.downloadedGB} GB in a day`,
    metrics: sums(resources.distributions.map(bytesOf), DAY),
    above: config.downloadedGB * BYTES_PER_GB,
  });
  // CloudFront publishes its metrics there, and an alarm can only read metrics of its own Region.
  const seesEdge = new CfnCondition(alarms, 'SeesEdge', {
    expression: Fn.conditionEquals(Aws.REGION, 'us-east-1'),
  });
  for (const alarm of downloaded) (alarm.node.defaultChild as CfnAlarm).cfnOptions.condition = seesEdge;
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html */
function throttlesOf({ tables }: Resources): Metric[] {
  return tables.flatMap((table) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) =>
      table.metric(name, { period: QUARTER, statistic: 'Sum' }),
    ),
  );
}

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/programming-cloudwatch-metrics.html */
function bytesOf({ distributionId: DistributionId }: Distribution): Metric {
  return new Metric({
    namespace: 'AWS/CloudFront',
    metricName: 'BytesDownloaded',
    dimensionsMap: { DistributionId, Region: 'Global' },
    statistic: 'Sum',
    period: DAY,
  });
}

/** Returns a name such as `OpenaiCompatible`. */
const pascal = (name: string) =>
  name.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/g, (_, first) => first.toUpperCase());
