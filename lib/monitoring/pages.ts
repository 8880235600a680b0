import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type Alarm, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Duration } from 'aws-cdk-lib/core';
import { type Alarms, ownMetric, sums } from './alarm.ts';
import type { Resources } from './resources.ts';

const MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);
const QUARTER = Duration.minutes(15);

export interface PagesProps {
  readonly resources: Resources;
  readonly api: RestApi;
  readonly namespace: string;
  readonly canary: boolean;
}

/** The alarms that notify at any hour. */
export interface Pages {
  /** Visitors or callers get errors. One fault can trigger several of these alarms. */
  readonly health: readonly Alarm[];
  /** A budget is nearly spent; nothing has failed yet. */
  readonly budget: readonly Alarm[];
}

/** Adds the alarms that page. */
export function addPages(alarms: Alarms, { resources, api, namespace, canary }: PagesProps): Pages {
  const { functions, generations, otherMachines, asyncFunctions } = resources;
  const health = [
    ...alarms.add('Throttled', {
      means: 'Functions are throttled: callers and visitors get errors, or wait',
      metrics: sums(functions.map((fn) => fn.metricThrottles({ period: MINUTE, statistic: 'Sum' }))),
      above: 0,
      periods: 3,
    }),
    ...alarms.add('Concurrency', {
      means: 'The account uses more than 80 % of its quota of concurrent executions',
      metrics: [shareOfConcurrency()],
      above: 80,
    }),
    ...alarms.add('ServerErrors', {
      means: 'The API responds to more than 2 % of its requests, and more than 10, with a 5xx',
      metrics: [shareOfServerErrors(api)],
      above: 2,
    }),
    ...alarms.add('FailedGenerations', {
      means: 'More than two generations failed in 15 minutes: no provider returned a usable answer',
      metrics: sums(failuresOf([generations], QUARTER), QUARTER),
      // A prompt that every model refuses fails as well, and must not page.
      above: 2,
    }),
    ...alarms.add('FailedExecutions', {
      means: 'Executions of state machines failed: deliveries, looks, domains, or removals from the edge',
      metrics: sums(failuresOf(otherMachines, FIVE_MINUTES), FIVE_MINUTES),
      above: 0,
    }),
    ...alarms.add('LostEvents', {
      means: 'Events were dropped after three failures of the function that handles them',
      metrics: sums(
        asyncFunctions.map((fn) =>
          fn.metric('AsyncEventsDropped', { period: FIVE_MINUTES, statistic: 'Sum' }),
        ),
        FIVE_MINUTES,
      ),
      above: 0,
    }),
  ];
  if (canary)
    health.push(
      ...alarms.add('CanaryFailed', {
        means: 'The canary failed twice in a row, or did not run',
        metrics: [ownMetric(namespace, 'CanaryFailures', 'Maximum', FIVE_MINUTES)],
        above: 0,
        // Runs are not aligned with periods, so a period may contain no run.
        periods: 2,
        of: 3,
        silenceIsBad: true,
      }),
    );
  const spent = alarms.add('BudgetSpent', {
    means:
      'More than 80 % of a budget for this day is spent: at 100 %, generations are rejected until midnight UTC',
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

function shareOfServerErrors(api: RestApi): MathExpression {
  const errors = api.metricServerError({ period: FIVE_MINUTES, statistic: 'Sum' });
  const requests = api.metricCount({ period: FIVE_MINUTES, statistic: 'Sum' });
  const expression = 'IF(errors > 10, 100 * errors / requests, 0)';
  return new MathExpression({ expression, usingMetrics: { errors, requests }, period: FIVE_MINUTES });
}
