import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import {
  Alarm,
  type CfnAlarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Aws, CfnCondition, Duration, Fn } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { AlarmsConfig } from '../config-sections.ts';
import type { BundledFunction } from '../platform/bundled-function.ts';

/** The resources that alarms and the dashboard watch. */
export interface Resources {
  readonly functions: readonly BundledFunction[];
  /** Functions whose events are lost after their retries. */
  readonly asyncFunctions: readonly LambdaFunction[];
  readonly generations: StateMachine;
  /** Its executions fail if a receiver does. */
  readonly webhooks: StateMachine;
  readonly otherMachines: readonly StateMachine[];
  readonly tables: readonly TableV2[];
  readonly distributions: readonly Distribution[];
}

/** The most metrics in an alarm's expression. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Create-alarm-on-metric-math-expression.html */
const METRICS_PER_ALARM = 10;

/** The metrics of an alarm, and the condition for it to go off. */
interface AlarmOf {
  /** The meaning of the alarm, as a sentence without a full stop. */
  readonly means: string;
  /** The heading in the runbook, if it is not the id. */
  readonly section?: string;
  /** An alarm for each: more than one only if a sum has more metrics than one alarm can read. */
  readonly metrics: readonly IMetric[];
  /** The threshold: the alarm goes off above this value. */
  readonly above: number;
  /** In how many periods the value must be above the threshold. By default 1. */
  readonly periods?: number;
  /** How many periods are evaluated. By default `periods`. */
  readonly of?: number;
}

/** Alarms of one severity. The description of each explains what it means and links to its section of the runbook. */
export class Alarms extends Construct {
  readonly all: Alarm[] = [];
  readonly #runbook: string;

  constructor(scope: Construct, id: string, runbook: string) {
    super(scope, id);
    this.#runbook = runbook;
  }

  /** Adds an alarm. @param id in Pascal case; the heading of its section in the runbook, in lower case, is its anchor */
  add(id: string, { means, section = id, metrics, above, periods = 1, of = periods }: AlarmOf): Alarm[] {
    const added = metrics.map((metric, i) => {
      const name = i === 0 ? id : `${id}${i + 1}`;
      return new Alarm(this, name, {
        metric,
        threshold: above,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        evaluationPeriods: of,
        datapointsToAlarm: periods,
        treatMissingData: TreatMissingData.NOT_BREACHING,
        alarmDescription: `${means}. ${this.#runbook}#${section.toLowerCase()}`,
      });
    });
    this.all.push(...added);
    return added;
  }
}

/** Returns a custom metric, which functions write to their logs: see `emitMetrics`. */
export function ownMetric(
  namespace: string,
  metricName: string,
  statistic: string,
  period: Duration,
  dimensionsMap: Record<string, string> = {},
): Metric {
  return new Metric({ namespace, metricName, statistic, period, dimensionsMap });
}

/**
 * Returns the sum of metrics in as few expressions as possible. The latest minutes of a sum are 0, because metrics are late: an alarm
 * on sums of a minute must be on for fewer periods than it evaluates.
 */
function sums(metrics: readonly Metric[], period: Duration = Duration.minutes(1)): MathExpression[] {
  const parts = Array.from({ length: Math.ceil(metrics.length / METRICS_PER_ALARM) }, (_, i) =>
    metrics.slice(i * METRICS_PER_ALARM, (i + 1) * METRICS_PER_ALARM),
  );
  return parts.map((part) => {
    const named = part.map((metric, i) => [`m${i}`, metric] as const);
    // A metric has no value for a minute without an event, and a sum with a missing term has no value.
    const expression = named.map(([name]) => `FILL(${name}, 0)`).join(' + ');
    return new MathExpression({ expression, usingMetrics: Object.fromEntries(named), period });
  });
}

const MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);
const QUARTER = Duration.minutes(15);

interface PagesProps {
  readonly resources: Resources;
  readonly api: RestApi;
  readonly namespace: string;
  /** How often the canary was started; undefined without a canary. */
  readonly canaryStarts: Metric | undefined;
}

/** The alarms that notify at any hour. */
export interface Pages {
  /** Visitors or callers get errors. One fault can trigger several of these alarms. */
  readonly health: readonly Alarm[];
  /** A budget is nearly spent; nothing has failed yet. */
  readonly budget: readonly Alarm[];
}

/**
 * Reports if a throttle of a function is an error for someone. Others throttle callers who wait for an instance of their own, or state
 * machines that try again: ten deploys at once, or as many deletes, would be an alarm.
 */
function failsIfThrottled(fn: BundledFunction): boolean {
  return !fn.isPatient && (fn.node.defaultChild as CfnFunction).tenancyConfig === undefined;
}

export function addPages(alarms: Alarms, { resources, api, namespace, canaryStarts }: PagesProps): Pages {
  const { functions, generations, otherMachines, asyncFunctions } = resources;
  const health = [
    ...alarms.add('Throttled', {
      means: 'Functions are throttled: callers and visitors get errors, or wait',
      metrics: sums(
        functions.filter(failsIfThrottled).map((fn) => fn.metricThrottles({ period: MINUTE, statistic: 'Sum' })),
      ),
      above: 0,
      periods: 3,
      of: 5,
    }),
    ...alarms.add('Concurrency', {
      means: 'The account uses more than 80 % of its quota of concurrent executions',
      metrics: [shareOfConcurrency()],
      above: 80,
    }),
    ...alarms.add('ServerErrors', {
      means: 'More than 2 % of the requests to the API, and more than 10, fail with a 5xx',
      metrics: [shareOfServerErrors(api, namespace)],
      above: 2,
    }),
    ...alarms.add('FailedGenerations', {
      means:
        'More than two generations failed in 15 minutes, for reasons of the providers or the service: others fail as well',
      metrics: sums(failuresOf([generations], QUARTER), QUARTER),
      above: 2,
    }),
    ...alarms.add('FailedExecutions', {
      means: 'Executions of state machines failed: looks, domains, or removals from the edge',
      metrics: sums(failuresOf(otherMachines, FIVE_MINUTES), FIVE_MINUTES),
      above: 0,
    }),
    ...alarms.add('LostEvents', {
      means: 'Events were dropped after three failures of the function that handles them',
      metrics: sums(
        asyncFunctions.map((fn) => fn.metric('AsyncEventsDropped', { period: FIVE_MINUTES, statistic: 'Sum' })),
        FIVE_MINUTES,
      ),
      above: 0,
    }),
  ];
  if (canaryStarts)
    health.push(
      ...alarms.add('CanaryFailed', {
        means: 'The canary failed twice in a row, or did not finish',
        metrics: [canaryFailures(namespace, canaryStarts)],
        above: 0,
        // A run may start in one period and end in the next.
        periods: 2,
        of: 3,
      }),
    );
  const spent = alarms.add('BudgetSpent', {
    means:
      'More than 80 % of the budget of the service for this day is spent: at 100 %, generations are rejected until midnight UTC',
    metrics: [ownMetric(namespace, 'BudgetUsed', 'Maximum', FIVE_MINUTES)],
    above: 80,
  });
  return { health, budget: spent };
}

function failuresOf(machines: readonly StateMachine[], period: Duration): Metric[] {
  return machines.flatMap((machine) => [
    machine.metricFailed({ period, statistic: 'Sum' }),
    machine.metricTimedOut({ period, statistic: 'Sum' }),
  ]);
}

/**
 * Returns the failures of the canary. A period in which it started and wrote no result counts as a failure, and one before its first
 * start does not, as it would if missing data were a failure: the alarm would be on after each first deployment.
 */
function canaryFailures(namespace: string, starts: Metric): MathExpression {
  const failures = ownMetric(namespace, 'CanaryFailures', 'Maximum', FIVE_MINUTES);
  const expression = 'FILL(failures, starts)';
  return new MathExpression({ expression, usingMetrics: { failures, starts }, period: FIVE_MINUTES });
}

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-Quotas-Visualize-Alarms.html */
function shareOfConcurrency(): MathExpression {
  const running = new Metric({
    namespace: 'AWS/Usage',
    metricName: 'ResourceCount',
    dimensionsMap: { Type: 'Resource', Service: 'Lambda', Resource: 'ConcurrentExecutions', Class: 'None' },
    statistic: 'Maximum',
    period: MINUTE,
  });
  const expression = '100 * running / SERVICE_QUOTA(running)';
  return new MathExpression({ expression, usingMetrics: { running }, period: MINUTE });
}

/** Excludes what functions refused with a 5xx: any caller can cause that. */
function shareOfServerErrors(api: RestApi, namespace: string): MathExpression {
  const errors = api.metricServerError({ period: FIVE_MINUTES, statistic: 'Sum' });
  const refused = ownMetric(namespace, 'RefusedRequests', 'Sum', FIVE_MINUTES);
  const requests = api.metricCount({ period: FIVE_MINUTES, statistic: 'Sum' });
  const failed = 'errors - FILL(refused, 0)';
  const expression = `IF(${failed} > 10, 100 * (${failed}) / requests, 0)`;
  return new MathExpression({ expression, usingMetrics: { errors, refused, requests }, period: FIVE_MINUTES });
}

const HOUR = Duration.hours(1);
const DAY = Duration.days(1);
const BYTES_PER_GB = 1e9;

/** A provider that fails after each cool-down, of at most ten minutes, begins five or more cool-downs in an hour. */
const COOL_DOWNS_PER_HOUR = 4;

interface TicketsProps {
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
  alarms.add('AnonymousBudgetSpent', {
    means: 'More than 80 % of the budget of callers without a credential for this day is spent',
    metrics: [ownMetric(namespace, 'AnonymousBudgetUsed', 'Maximum', HOUR)],
    above: 80,
  });
  alarms.add('UnansweredPrompts', {
    means: 'More than ten generations in an hour failed for reasons that prompts can cause',
    metrics: [ownMetric(namespace, 'UnansweredPrompts', 'Sum', HOUR)],
    above: 10,
  });
  alarms.add('TablesThrottled', {
    means: 'DynamoDB throttles reads or writes of tables',
    metrics: sums(throttlesOf(resources), QUARTER),
    above: 0,
  });
  alarms.add('Invalidations', {
    means: "More than half of a share of this month's removals from the edge are used",
    metrics: [ownMetric(namespace, 'InvalidationsUsed', 'Maximum', HOUR)],
    above: 50,
  });
  alarms.add('Undelivered', {
    means: 'Notifications were not delivered in a day of attempts',
    metrics: sums(failuresOf([resources.webhooks], HOUR), HOUR),
    above: 0,
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
const pascal = (name: string) => name.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/g, (_, first) => first.toUpperCase());
